// One entry of `mcpServers` as people write it, in settings and in `.mcp.json`: a program or an address.
import { z } from "zod";
import { issueWords } from "../wording/issue-words.ts";
import { plainAddress, secretsInClear } from "./clear-secrets.ts";

/** The values are as written: `${VAR}` in them is replaced when the server is started. */
export type Server =
  | { kind: "stdio"; command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  | { kind: "http"; url: string; headers: Readonly<Record<string, string>>; oauth: OAuthClient };

/** A client that was registered with the authorization server beforehand; without an id, one is registered at the login. */
export type OAuthClient = { clientId?: string; clientSecret?: string; callbackPort?: number; scope?: string };

/** `path` leads to the wrong value within the entry. */
export type ServerFault = { path: readonly PropertyKey[]; reason: string };

/** `ignored`: keys without an effect here, which other programs read. `off`: the entry says that it is not to be used. */
export type ReadServer = { ok: true; server: Server; ignored: string[]; off: boolean } | { ok: false; faults: ServerFault[] };

const texts = z.record(z.string(), z.string());

const stdio = z.lazy(() =>
  z.object({
    type: z.literal("stdio").optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: texts.default({}),
    disabled: z.boolean().optional(),
    enabled: z.boolean().optional(),
  }),
);

const http = z.lazy(() =>
  z.object({
    type: z.enum(["http", "streamable-http", "streamableHttp"]).optional(),
    url: z.string().min(1),
    headers: texts.default({}),
    oauth: z
      .object({
        clientId: z.string().optional(),
        clientSecret: z.string().optional(),
        callbackPort: z.number().int().min(1).max(65_535).optional(),
        scope: z.string().optional(),
      })
      .default({}),
    disabled: z.boolean().optional(),
    enabled: z.boolean().optional(),
  }),
);

/** A rule names a server as `mcp__name`, and two underscores divide it from the tool. */
const nameForm = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_))*$/;
const longestName = 32;

export function readServer(name: string, value: unknown): ReadServer {
  const wrong = (reason: string, path: readonly PropertyKey[] = []): ReadServer => ({ ok: false, faults: [{ path, reason }] });
  if (!nameForm.test(name) || name.endsWith("_") || name.length > longestName)
    return wrong(
      `a server's name has letters, digits, "-" and single "_", at most ${longestName}: call it ${JSON.stringify(nameLike(name))}`,
    );
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong("it must be an object");
  const { type } = value as { type?: unknown };
  if (type === "sse")
    return wrong('"sse" is a transport that servers no longer use: write "type": "http" with the address for streamable HTTP', ["type"]);
  if ("command" in value && "url" in value) return wrong('it has both "command" and "url": a server is one of them');
  const other = ["httpUrl", "serverUrl"].find((key) => key in value);
  if (!("command" in value) && !("url" in value))
    return wrong(`it needs "command" (a program) or "url" (an address)${other ? `: "${other}" is called "url" here` : ""}`);
  const parsed = "command" in value ? stdio.safeParse(value) : http.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      faults: parsed.error.issues.map((issue) => ({ path: issue.path, reason: `${placeOf(issue.path)} ${issueWords(issue)}` })),
    };
  if ("url" in parsed.data && !isAddress(parsed.data.url) && !parsed.data.url.includes("${"))
    return wrong(`"url" is no address for http or https: ${JSON.stringify(parsed.data.url)}`, ["url"]);
  const known = Object.keys(("command" in value ? stdio : http).unwrap().shape);
  const ignored = Object.keys(value).filter((key) => !known.includes(key));
  return { ok: true, server: serverOf(parsed.data), ignored, off: parsed.data.disabled === true || parsed.data.enabled === false };
}

/** One with variables (`${HOST}`) is known only when the server is started. */
const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const placeOf = (path: readonly PropertyKey[]) => JSON.stringify(path.join("."));

function serverOf(entry: z.infer<typeof stdio> | z.infer<typeof http>): Server {
  if ("command" in entry) return { kind: "stdio", command: entry.command, args: entry.args, env: entry.env };
  const { clientId, clientSecret, callbackPort, scope } = entry.oauth;
  const oauth = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(callbackPort !== undefined && { callbackPort }),
    ...(scope !== undefined && { scope }),
  };
  return { kind: "http", url: entry.url, headers: entry.headers, oauth };
}

/** The nearest name that is allowed. */
export function nameLike(name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9-]+/g, "_")
    .replaceAll(/_+/g, "_")
    .replaceAll(/^[_-]+|[_-]+$/g, "");
  return plain.slice(0, longestName).replace(/[_-]+$/, "") || "server";
}

/** All of the entry on one line, for the person who decides about it: nothing of what is run or called is left out. */
export function serverText(server: Server): string {
  if (server.kind === "stdio") return [[server.command, ...server.args].map(word).join(" "), ...pairs("env", server.env)].join("  ");
  return [server.url, ...pairs("headers", server.headers)].join("  ");
}

/** Without what may be secret: the values of variables, of headers and of an address, and words that look like one. */
export function serverLine(server: Server): string {
  if (server.kind === "http") return [plainAddress(server.url), ...names("headers", server.headers)].join("  ");
  const hidden = new Set(secretsInClear(server).map(([key, name]) => (key === "args" ? Number(name) : -1)));
  const shown = server.args.map((text, index) => (hidden.has(index) ? "…" : word(text)));
  return [[word(server.command), ...shown].join(" "), ...names("env", server.env)].join("  ");
}

const names = (what: string, values: Readonly<Record<string, string>>) =>
  Object.keys(values).length > 0 ? [`${what} ${Object.keys(values).join(" ")}`] : [];

const word = (text: string) => (/^[\w@%+=:,./${}~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function pairs(what: string, values: Readonly<Record<string, string>>): string[] {
  const list = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return list.length > 0 ? [`${what} ${list.join(" ")}`] : [];
}
