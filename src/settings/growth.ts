// Which additional rights changed settings would give an agent. Pure: restrictions apply at once, and the user is asked about the rest.
import type { ConfiguredServers } from "../mcp/choose-servers.ts";
import type { WrittenRule } from "../permissions/policy.ts";
import type { LoadedSettings } from "./files.ts";
import { type Hook, hookText } from "./hook-settings.ts";

export type Growth = {
  /** For the user, one right per line. Empty if nothing grows. */
  grown: string[];
  /** Rights that would grow, but that the user has approved already. */
  accepted: string[];
  /** Changes that apply only to a new session. */
  later: string[];
  /** The changed settings without the additional rights. */
  narrowed: LoadedSettings;
  whole: LoadedSettings;
};

const allows = (rule: string) => `allow ${rule}`;
const asksNot = (rule: string) => `no longer ask for ${rule}`;
const deniesNot = (rule: string) => `no longer deny ${rule}`;
const runsHook = (hook: Hook) => `run the hook ${hookText(hook)}`;
const runsHookNot = (hook: Hook) => `no longer run the hook ${hookText(hook)}`;
const autoAllows = "allow everything that stays in the sandbox (sandbox.autoAllow)";
const trusts = "trust what this repository brings";

/** The rights that the user approves by adding or removing a rule now. */
export function growthBy({ verb, rule }: { verb: "add" | "remove"; rule: string }, { effective }: LoadedSettings): string[] {
  if (verb === "add") return [allows(rule)];
  const has = (kind: "ask" | "deny") => effective.rules[kind].some(({ text }) => text.trim() === rule);
  return [...(has("ask") ? [asksNot(rule)] : []), ...(has("deny") ? [deniesNot(rule)] : [])];
}

/** `isAccepted`: whether the user has approved that line. */
export function growthOf(before: LoadedSettings, changed: LoadedSettings, isAccepted: (line: string) => boolean): Growth {
  const whole = asBegun(before, changed);
  const [was, is] = [before.effective, whole.effective];
  const accepted: string[] = [];
  const grows = (line: string) => {
    if (!isAccepted(line)) return true;
    accepted.push(line);
    return false;
  };
  const isOld = among(was.rules.allow);
  const added = is.rules.allow.filter((rule) => !isOld(rule) && grows(allows(rule.text)));
  const gone = (kind: "ask" | "deny", lineOf: (rule: string) => string) => {
    const still = among([...is.rules[kind], ...is.rules.deny]);
    return was.rules[kind].filter((rule) => !still(rule) && grows(lineOf(rule.text)));
  };
  const [unasked, undenied] = [gone("ask", asksNot), gone("deny", deniesNot)];
  const unhidden = shownLines(before, whole).filter((line) => grows(shows(line)));
  // a hook may allow calls, and one that is gone may have refused them
  const startedHooks = is.hooks.filter(without(was.hooks)).filter((hook) => grows(runsHook(hook)));
  const endedHooks = was.hooks.filter(without(is.hooks)).filter((hook) => grows(runsHookNot(hook)));
  // a first rule of the user's own makes the project's settings trusted
  const isTrusted = whole.trust.state === "trusted" && before.trust.state !== "trusted" && accepted.length === 0;
  const gainsTrust = isTrusted && grows(trusts);
  const gainsAutoAllow = is.sandbox.autoAllow !== false && was.sandbox.autoAllow === false && grows(autoAllows);
  return {
    grown: [
      ...added.map(({ text }) => allows(text)),
      ...unasked.map(({ text }) => asksNot(text)),
      ...undenied.map(({ text }) => deniesNot(text)),
      ...unhidden.map(shows),
      ...startedHooks.map(runsHook),
      ...endedHooks.map(runsHookNot),
      ...(gainsAutoAllow ? [autoAllows] : []),
      ...(gainsTrust ? [trusts] : []),
    ],
    accepted,
    later: laterOnly(before, changed),
    whole,
    narrowed: {
      ...whole,
      ...(gainsTrust && { trust: before.trust }),
      ...(unhidden.length > 0 && before.toolignore && { toolignore: withLines(before.toolignore, whole.toolignore?.text ?? "") }),
      effective: {
        ...is,
        rules: {
          allow: is.rules.allow.filter((rule) => !added.includes(rule)),
          ask: [...is.rules.ask, ...unasked],
          deny: [...is.rules.deny, ...undenied],
        },
        hooks: [...is.hooks.filter((hook) => !startedHooks.includes(hook)), ...endedHooks],
        sandbox: { ...is.sandbox, ...(gainsAutoAllow && { autoAllow: false }) },
      },
    },
  };
}

/** A session keeps the sandbox settings, environment and folders that it began with, even if its sandbox has not started yet. */
function asBegun(before: LoadedSettings, changed: LoadedSettings): LoadedSettings {
  const { sandbox, env, keepEnvironment, secrets, directories } = before.effective;
  const { autoAllow } = changed.effective.sandbox;
  const { autoAllow: _, ...walls } = sandbox;
  return {
    ...changed,
    servers: before.servers,
    effective: {
      ...changed.effective,
      sandbox: { ...walls, ...(autoAllow !== undefined && { autoAllow }) },
      env,
      keepEnvironment,
      secrets,
      directories,
    },
  };
}

function laterOnly({ effective: was, servers: had }: LoadedSettings, { effective: is, servers: has }: LoadedSettings): string[] {
  const { sandbox } = is;
  const folders = was.directories.map(({ path }) => path);
  const opened = Array.isArray(sandbox.unixSockets) && JSON.stringify(sandbox.unixSockets) !== JSON.stringify(was.sandbox.unixSockets);
  return [
    ...is.directories.filter(({ path }) => !folders.includes(path)).map(({ shown }) => `the directory ${shown}`),
    ...newServers(had, has),
    ...(is.mode !== was.mode && is.mode !== undefined ? [`the mode ${is.mode}`] : []),
    ...(sandbox.enabled === false && was.sandbox.enabled !== false ? ["no sandbox"] : []),
    ...(sandbox.network === true && was.sandbox.network !== true ? ["the network in the sandbox"] : []),
    ...(opened ? ["sockets outside of the sandbox"] : []),
    ...(is.secrets !== was.secrets && is.secrets === "off" ? ["secrets are not redacted"] : []),
  ];
}

/** A session keeps the servers that it began with. */
function newServers({ servers: had }: ConfiguredServers, { servers: has }: ConfiguredServers): string[] {
  const known = new Set(had.map(({ name, server }) => JSON.stringify([name, server])));
  return has.filter(({ name, server }) => !known.has(JSON.stringify([name, server]))).map(({ name }) => `the server ${name}`);
}

/** A rule with the same text means the same only from the same folder, and from a scope with the same power. */
const among = (rules: WrittenRule[]) => {
  const keys = new Set(rules.map(keyOf));
  return (rule: WrittenRule) => keys.has(keyOf(rule));
};

const keyOf = ({ text, scope, folder }: WrittenRule) => JSON.stringify([text, folder, scope]);

const without = (others: Hook[]) => {
  const keys = new Set(others.map((hook) => JSON.stringify(hook)));
  return (hook: Hook) => !keys.has(JSON.stringify(hook));
};

const shows = (line: string) => `no longer hide ${line} (.toolignore)`;

/** Removed lines that hid something, and new lines that include something again. */
function shownLines({ toolignore: before }: LoadedSettings, { toolignore: now }: LoadedSettings): string[] {
  const [was, is] = [linesOf(before?.text), linesOf(now?.text)];
  return [
    ...was.filter((line) => !is.includes(line) && !line.startsWith("!")),
    ...is.filter((line) => line.startsWith("!") && !was.includes(line)),
  ];
}

const linesOf = (text = "") => text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));

function withLines(before: NonNullable<LoadedSettings["toolignore"]>, text: string): NonNullable<LoadedSettings["toolignore"]> {
  const hiding = linesOf(text).filter((line) => !line.startsWith("!") && !linesOf(before.text).includes(line));
  return { ...before, text: [before.text.replace(/\n$/, ""), ...hiding, ""].join("\n") };
}
