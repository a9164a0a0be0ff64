// MCP servers as other programs write them, each with small differences.
import { readServer, serverText } from "../../mcp/server.ts";
import { isRecord } from "../../wording/is-record.ts";
import { type Found, leftOut, nothing, together } from "./found.ts";

/** `plain`: as here. `editor`: variables are `${env:VAR}`. `gemini`: `url` is the old transport, `httpUrl` the new one. `opencode`: a form of its own. */
export type ServerForm = "plain" | "editor" | "gemini" | "opencode";

export function readServers(value: unknown, form: ServerForm): Found {
  if (!isRecord(value)) return leftOut("servers", "They are not an object.");
  return together(
    Object.entries(value).map(([name, entry]) =>
      isRecord(entry) ? readEntry(name, entry, form) : leftOut(`server ${name}`, "It is not an object."),
    ),
  );
}

function readEntry(name: string, written: Record<string, unknown>, form: ServerForm): Found {
  const entry = withOurVariables(inOurForm(written, form));
  const what = `server ${name}`;
  if (/\$\{(input|workspaceFolder|userHome|pathSeparator)\b/.test(JSON.stringify(entry)))
    return leftOut(what, "It has a variable of an editor, which is not known here. Write a variable of the environment instead.");
  const read = readServer(name, entry);
  if (!read.ok) return leftOut(what, `${read.faults.map(({ reason }) => reason).join("; ")}.`);
  const { server, ignored } = read;
  return {
    ...nothing,
    add: [{ path: ["mcpServers", name], value: entry, shown: serverText(server) }],
    changed: [
      ...(ignored.length > 0
        ? [{ what, why: `${ignored.join(", ")} has no meaning here: its tools ask, unless a rule allows them.` }]
        : []),
      ...(server.kind === "stdio" && Object.keys(server.env).length === 0
        ? [{ what, why: "It gets a small environment; what else it needs is to be named in its env." }]
        : []),
    ],
  };
}

function inOurForm(entry: Record<string, unknown>, form: ServerForm): Record<string, unknown> {
  if (form === "gemini") {
    const { httpUrl, url, ...rest } = entry;
    if (typeof httpUrl === "string") return { ...rest, type: "http", url: httpUrl };
    return url === undefined ? rest : { ...rest, type: "sse", url };
  }
  if (form !== "opencode") return entry;
  const { type, command, environment, enabled, ...rest } = entry;
  const [program, ...args] = Array.isArray(command) ? (command as unknown[]) : [command];
  const off = enabled === false ? { disabled: true } : {};
  return type === "remote"
    ? { ...rest, type: "http", ...off }
    : { ...rest, command: program, ...(args.length > 0 && { args }), ...(environment !== undefined && { env: environment }), ...off };
}

/** `${env:VAR}` and `{env:VAR}` are `${VAR}` here. */
function withOurVariables(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value).replaceAll(/\$?\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, "$${$1}")) as Record<string, unknown>;
}
