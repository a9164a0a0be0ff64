// The settings of Claude Code, whose rules, hooks and variables have the same forms as ours.
import { permissionModes } from "../../permissions/policy.ts";
import { parseRule } from "../../permissions/rules.ts";
import { isRecord } from "../../wording/is-record.ts";
import { hookEvents, readHooks } from "../hook-settings.ts";
import { type Found, leftOut, nothing, together } from "./found.ts";
import { readServers } from "./read-servers.ts";

export function readClaudeSettings(value: unknown): Found {
  if (!isRecord(value)) return leftOut("the file", "It is not an object.");
  const readers: Record<string, (value: unknown) => Found> = {
    permissions: readPermissions,
    hooks: readGroups,
    env: readVariables,
    model: readModel,
    mcpServers: (servers) => readServers(servers, "plain"),
    $schema: () => nothing,
  };
  return together(
    Object.entries(value).map(([key, one]) =>
      Object.hasOwn(readers, key) ? readers[key]!(one) : leftOut(key, "There is no setting for it that means the same."),
    ),
  );
}

function readModel(value: unknown): Found {
  if (value !== "opus" && value !== "sonnet" && value !== "haiku")
    return leftOut(`model ${JSON.stringify(value)}`, "Choose one with /model.");
  return { ...nothing, add: [{ path: ["model"], value, shown: value }] };
}

function readPermissions(value: unknown): Found {
  if (!isRecord(value)) return leftOut("permissions", "It is not an object.");
  const { defaultMode, ...lists } = value;
  return together([
    ...Object.entries(lists).map(([kind, list]) => readList(kind, list)),
    ...(defaultMode === undefined ? [] : [readMode(defaultMode)]),
  ]);
}

function readList(kind: string, list: unknown): Found {
  const at = ["permissions", kind];
  if (!["allow", "ask", "deny", "additionalDirectories"].includes(kind))
    return leftOut(at.join("."), "There is no setting for it that means the same.");
  if (!Array.isArray(list)) return leftOut(at.join("."), "It is not a list.");
  const isRule = kind !== "additionalDirectories";
  return together(
    list.map((text: unknown) => {
      if (typeof text !== "string") return leftOut(at.join("."), `${JSON.stringify(text)} is not a text.`);
      const parsed = isRule ? parseRule(text) : { ok: true as const };
      return parsed.ok ? { ...nothing, add: [{ path: at, value: text, shown: text }] } : leftOut(`${kind} ${text}`, `${parsed.reason}.`);
    }),
  );
}

function readMode(mode: unknown): Found {
  const what = `defaultMode ${JSON.stringify(mode)}`;
  if (mode === "bypassPermissions") return leftOut(what, "A session without rules is started by a flag alone, never by a setting.");
  if (!(permissionModes as readonly unknown[]).includes(mode)) return leftOut(what, "There is no mode of that name.");
  return { ...nothing, add: [{ path: ["permissions", "defaultMode"], value: mode, shown: String(mode) }] };
}

/** Each group by itself: one that runs as it is written is taken over whole. */
function readGroups(value: unknown): Found {
  if (!isRecord(value)) return leftOut("hooks", "It is not an object.");
  return together(
    Object.entries(value).flatMap(([event, groups]) =>
      (Array.isArray(groups) ? (groups as unknown[]) : [groups]).map((group): Found => {
        const { hooks, leftOut: left } = readHooks({ [event]: [group] });
        const isKnown = (hookEvents as readonly string[]).includes(event);
        if (!isKnown || left.length > 0)
          return { ...nothing, leftOut: left.map(({ what, why }) => ({ what: `hook ${event}: ${what}`, why: `${why}.` })) };
        const odd = hooks.flatMap((hook) => hook.odd ?? []);
        const commands = hooks.map(({ command }) => command).join("; ");
        return {
          ...nothing,
          add: [{ path: ["hooks", event], value: group, shown: commands }],
          changed:
            odd.length > 0 ? [{ what: `hook ${event}: ${commands}`, why: `${[...new Set(odd)].join(", ")} has no meaning here.` }] : [],
        };
      }),
    ),
  );
}

const clouds = new Map([
  ["CLAUDE_CODE_USE_BEDROCK", "bedrock"],
  ["CLAUDE_CODE_USE_VERTEX", "vertex"],
]);

function readVariables(value: unknown): Found {
  if (!isRecord(value)) return leftOut("env", "It is not an object.");
  return together(
    Object.entries(value).map(([name, text]) => {
      const cloud = clouds.get(name);
      if (cloud)
        return leftOut(`env ${name}`, `Variables do not choose who runs the model. To ask that cloud: tool config set provider ${cloud}.`);
      if (/^(ANTHROPIC|CLAUDE)_/.test(name))
        return leftOut(`env ${name}`, "It is for that program alone, or a key, which stays in your environment.");
      if (typeof text !== "string" || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
        return leftOut(`env ${name}`, "It is not a variable with a text.");
      return {
        ...nothing,
        add: [{ path: ["env", name], value: text, shown: `${name}=${text}` }],
        changed: [{ what: `env ${name}`, why: "Commands get it; this program itself does not read it." }],
      };
    }),
  );
}
