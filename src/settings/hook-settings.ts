// Hooks in the settings: programs of the user that run at events of a session. Each entry is read by itself: one that cannot run as it is written, such
// as one for another product, is left out by its name, and the others count.
import { z } from "zod";
import { issueWords } from "../wording/issue-words.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { readMatcher } from "./hook-matcher.ts";

export const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PermissionRequest",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "PreCompact",
  "Stop",
  "SessionEnd",
] as const;
export type HookEvent = (typeof hookEvents)[number];

export const hookSettings = z.record(z.string(), z.unknown());
export type HookSettings = z.infer<typeof hookSettings>;

/**
 * One program. `matcher`: what it applies to, as written; absent for everything. `only`: a permission rule that the call must fit too. `unwaited`:
 * nothing waits for its end, so that it can decide nothing. `sandboxed`: it runs in the sandbox of the agent's commands. `odd`: keys of its entry without a meaning here.
 */
export type Hook = {
  event: HookEvent;
  matcher?: string;
  only?: string;
  command: string;
  timeoutMs?: number;
  unwaited?: true;
  sandboxed?: true;
  odd?: string[];
};

/** An entry that does not run. `event` is as written; `why` continues a sentence. */
export type LeftOut = { event: string; matcher?: string; what: string; why: string };

export type HooksRead = { hooks: Hook[]; leftOut: LeftOut[] };

/** In the order of the events, and for each as they are written. */
export function readHooks(written: HookSettings = {}): HooksRead {
  const known = hookEvents.map((event) => readEvent(event, written[event] ?? []));
  const others = Object.keys(written).filter((name) => !(hookEvents as readonly string[]).includes(name));
  return {
    hooks: known.flatMap(({ hooks }) => hooks),
    leftOut: [...known.flatMap(({ leftOut }) => leftOut), ...others.map(unknownEvent)],
  };
}

/** What is left out of an event that is unknown, or that has no list. */
export const allEntries = "all its entries";

const none: HooksRead = { hooks: [], leftOut: [] };

function unknownEvent(event: string): LeftOut {
  const near = nearestName(event, [...hookEvents]);
  return { event, what: allEntries, why: `there is no event of that name here${near ? `; did you mean "${near}"` : ""}` };
}

function readEvent(event: HookEvent, groups: unknown): HooksRead {
  if (!Array.isArray(groups)) return { ...none, leftOut: [{ event, what: allEntries, why: "they must be a list" }] };
  const read = groups.map((group: unknown) => readGroup(event, group));
  return { hooks: read.flatMap(({ hooks }) => hooks), leftOut: read.flatMap(({ leftOut }) => leftOut) };
}

const groupSchema = z.looseObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });
const groupKeys = ["matcher", "hooks"];

function readGroup(event: HookEvent, written: unknown): HooksRead {
  const out = (why: string, matcher?: string): HooksRead => ({
    ...none,
    leftOut: [{ event, ...(matcher && { matcher }), what: nameOf(written), why }],
  });
  const group = groupSchema.safeParse(written);
  if (!group.success) return out(fault(group.error));
  const matcher = group.data.matcher?.trim() || "*";
  const read = readMatcher(matcher);
  if (!read.ok) return out(`its matcher "${matcher}" ${read.reason}`, matcher);
  const odd = oddKeys(group.data, groupKeys);
  const entries = group.data.hooks.map((entry) => readEntry({ event, ...(matcher !== "*" && { matcher }) }, entry, odd));
  return { hooks: entries.flatMap(({ hooks }) => hooks), leftOut: entries.flatMap(({ leftOut }) => leftOut) };
}

const longestTimeoutS = 3600;

const entrySchema = z.looseObject({
  type: z.literal("command"),
  command: z.string().regex(/\S/, "is empty"),
  /** Seconds. */
  timeout: z.number().gt(0, "must be more than 0 seconds").optional(),
  if: z.string().optional(),
  async: z.boolean().optional(),
  sandbox: z.boolean().optional(),
  shell: z.literal("bash").optional(),
  args: z.never("is not known here: write the arguments into the command").optional(),
});
const entryKeys = Object.keys(entrySchema.shape);
/** Texts and marks that change nothing about what a hook decides. */
const idleKeys = ["description", "statusMessage", "name", "id", "once", "$comment", "comment"];

/** The events of calls, which a permission rule can be about. */
const callEvents: readonly HookEvent[] = ["PreToolUse", "PostToolUse", "PermissionRequest"];

function readEntry(group: Pick<Hook, "event" | "matcher">, written: unknown, oddInGroup: string[]): HooksRead {
  const out = (why: string): HooksRead => ({ ...none, leftOut: [{ ...group, what: nameOf(written), why }] });
  const entry = entrySchema.safeParse(written);
  if (!entry.success) return out(fault(entry.error));
  const { command, timeout, if: only, async: unwaited, sandbox: sandboxed } = entry.data;
  if (only !== undefined && !callEvents.includes(group.event)) return out(`"if" has a meaning only at ${callEvents.join(", ")}`);
  const rule = only === undefined ? undefined : readMatcher(only);
  if (rule && !rule.ok) return out(`its "if" "${only}" ${rule.reason}`);
  const odd = [...oddInGroup, ...oddKeys(entry.data, entryKeys)];
  const hook: Hook = {
    ...group,
    ...(only !== undefined && { only }),
    command,
    ...(timeout !== undefined && { timeoutMs: Math.min(timeout, longestTimeoutS) * 1000 }),
    ...(unwaited && { unwaited: true }),
    ...(sandboxed && { sandboxed: true }),
    ...(odd.length > 0 && { odd }),
  };
  return { hooks: [hook], leftOut: [] };
}

/** For example `"tiemout"; did you mean "timeout"`. */
function oddKeys(written: object, known: string[]): string[] {
  return Object.keys(written)
    .filter((key) => !known.includes(key) && !idleKeys.includes(key))
    .map((key) => {
      const near = nearestName(key, known);
      return `"${key}"${near ? `; did you mean "${near}"` : ""}`;
    });
}

/** How a person recognizes the entry. */
function nameOf(written: unknown): string {
  const { command, type } = typeof written === "object" && written !== null ? (written as Record<string, unknown>) : {};
  if (typeof command === "string" && command.trim() !== "") return command;
  return typeof type === "string" ? `an entry of type "${type}"` : "an entry";
}

function fault({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (!issue) return "it cannot be read";
  const place = issue.path.length === 0 ? "it" : `its "${issue.path.join(".")}"`;
  return `${place} ${issueWords(issue)}`;
}

/** For display: `PreToolUse Edit|Write in the sandbox: ./check.sh`. */
export function hookText(hook: Pick<Hook, "matcher" | "only" | "command" | "sandboxed"> & { event: string }): string {
  const { event, matcher, only, command, sandboxed } = hook;
  return `${event}${matcher ? ` ${matcher}` : ""}${only === undefined ? "" : ` if ${only}`}${sandboxed ? " in the sandbox" : ""}: ${command}`;
}
