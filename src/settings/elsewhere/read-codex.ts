// The settings of Codex, which stand in TOML.
import { isRecord } from "../../wording/is-record.ts";
import { efforts } from "../effort.ts";
import { type Found, leftOut, nothing, together } from "./found.ts";
import { readServers } from "./read-servers.ts";

export function readCodexSettings(value: unknown): Found {
  if (!isRecord(value)) return leftOut("the file", "It is not a table.");
  const readers: Record<string, (value: unknown) => Found> = {
    mcp_servers: readCodexServers,
    sandbox_mode: readSandboxMode,
    sandbox_workspace_write: readWritable,
    approval_policy: readApproval,
    model_reasoning_effort: readEffort,
  };
  return together(
    Object.entries(value).map(([key, one]) =>
      Object.hasOwn(readers, key) ? readers[key]!(one) : leftOut(key, "There is no setting for it that means the same."),
    ),
  );
}

/** What stands in a variable is `${VAR}` here. */
function readCodexServers(value: unknown): Found {
  if (!isRecord(value)) return leftOut("mcp_servers", "They are not a table.");
  const entries = Object.entries(value).map(([name, one]) => [name, isRecord(one) ? inOurForm(one) : one]);
  return readServers(Object.fromEntries(entries), "plain");
}

function inOurForm({ bearer_token_env_var: token, http_headers, env_http_headers, env_vars, ...rest }: Record<string, unknown>) {
  const variables = (names: unknown) =>
    isRecord(names) ? Object.fromEntries(Object.entries(names).map(([key, name]) => [key, `\${${String(name)}}`])) : {};
  const headers = {
    ...(isRecord(http_headers) && http_headers),
    ...variables(env_http_headers),
    ...(typeof token === "string" && { Authorization: `Bearer \${${token}}` }),
  };
  const passedOn = Array.isArray(env_vars) ? Object.fromEntries(env_vars.map((name) => [String(name), `\${${String(name)}}`])) : {};
  const env = { ...passedOn, ...(isRecord(rest["env"]) && rest["env"]) };
  return { ...rest, ...(Object.keys(env).length > 0 && { env }), ...(Object.keys(headers).length > 0 && { headers }) };
}

const modes: Record<string, { mode: string; why: string }> = {
  "read-only": { mode: "plan", why: "In plan mode nothing is changed, and the agent submits a plan, after which you may let it work." },
  "workspace-write": {
    mode: "acceptEdits",
    why: "In the mode acceptEdits files of the folder are changed without a question; commands ask unless the sandbox or a rule allows them.",
  },
};

function readSandboxMode(value: unknown): Found {
  const what = `sandbox_mode ${JSON.stringify(value)}`;
  const known = typeof value === "string" && Object.hasOwn(modes, value) ? modes[value] : undefined;
  if (!known) return leftOut(what, "A session without the sandbox and rules is started by a flag alone, never by a setting.");
  return {
    ...nothing,
    add: [{ path: ["permissions", "defaultMode"], value: known.mode, shown: known.mode }],
    changed: [{ what, why: known.why }],
  };
}

function readWritable(value: unknown): Found {
  if (!isRecord(value)) return leftOut("sandbox_workspace_write", "It is not a table.");
  const { writable_roots: roots, ...rest } = value;
  const folders = Array.isArray(roots) ? roots.filter((one): one is string => typeof one === "string") : [];
  const network = "The network is asked for host by host, or allowed by rules: docs/permissions.md.";
  return together([
    ...folders.map((folder) => ({
      ...nothing,
      add: [{ path: ["permissions", "additionalDirectories"], value: folder, shown: folder }],
    })),
    ...Object.keys(rest).map((key) =>
      leftOut(`sandbox_workspace_write.${key}`, key === "network_access" ? network : "There is no setting for it that means the same."),
    ),
  ]);
}

function readApproval(value: unknown): Found {
  const never = "What no rule allows is asked for; where nobody can be asked, it is refused. Allow it by rules.";
  return leftOut(
    `approval_policy ${JSON.stringify(value)}`,
    value === "never" ? never : "It is so here without a setting: what no rule allows is asked for.",
  );
}

function readEffort(value: unknown): Found {
  const effort = efforts.find((one) => one === value);
  const what = `model_reasoning_effort ${JSON.stringify(value)}`;
  return effort ? { ...nothing, add: [{ path: ["effort"], value: effort, shown: effort }] } : leftOut(what, "Choose one with /effort.");
}
