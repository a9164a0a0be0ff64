// Hooks in the settings: programs of the user that run at events of a session.
import { z } from "zod";

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

const longestTimeoutS = 3600;

const command = z.strictObject({
  type: z.literal("command"),
  command: z.string().regex(/\S/, "a command; it is empty"),
  /** Seconds. */
  timeout: z.number().gt(0, "more than 0 seconds").max(longestTimeoutS, `at most ${longestTimeoutS} seconds`).optional(),
});

const group = z.strictObject({
  matcher: z
    .string()
    .regex(/^(?:|\*|[\w.:-]+(?:\s*\|\s*[\w.:-]+)*)$/, 'a name, names as in "Edit|Write", or "*": patterns are not supported')
    .optional(),
  hooks: z.array(command),
});

const groups = z.array(group).optional();

export const hookSettings = z.strictObject(
  Object.fromEntries(hookEvents.map((event) => [event, groups])) as Record<HookEvent, typeof groups>,
);
export type HookSettings = z.infer<typeof hookSettings>;

/** One program. `matcher`: the names that it applies to; undefined for all. */
export type Hook = { event: HookEvent; matcher?: string[]; command: string; timeoutMs?: number };

/** In the order in which they are written. */
export function hooksIn(written: HookSettings = {}): Hook[] {
  return hookEvents.flatMap((event) =>
    (written[event] ?? []).flatMap(({ matcher = "*", hooks }) =>
      hooks.map(
        ({ command, timeout }): Hook => ({
          event,
          ...(matcher !== "*" && matcher !== "" && { matcher: matcher.split("|").map((name) => name.trim()) }),
          command,
          ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
        }),
      ),
    ),
  );
}

/** For display: `PreToolUse Edit|Write: ./check.sh`. */
export function hookText({ event, matcher, command }: Hook): string {
  return `${event}${matcher ? ` ${matcher.join("|")}` : ""}: ${command}`;
}

/** The keys that are allowed there, by depth below "hooks". */
export function knownHookKeys(depth: number): string[] {
  if (depth === 0) return [...hookEvents];
  return Object.keys(depth === 2 ? group.shape : command.shape);
}
