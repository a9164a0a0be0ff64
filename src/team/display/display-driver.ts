// The contract of a display driver: what each of its commands is given as JSON and must answer. docs/displays.md has it for those who write one.
import { z } from "zod";

export type DriverCall = "open" | "state" | "focus" | "label" | "close";

/**
 * `mark`: ours for this one place. The driver keeps it at the place itself and reads it back from there, so that a place with another mark,
 * or without one, is seen to be somebody else's.
 */
export type DriverInput = {
  open: { name: string; mark: string; argv: string[]; cwd: string };
  state: { id: string; mark: string };
  focus: { id: string; mark: string };
  label: { id: string; mark: string; text: string };
  close: { id: string; mark: string };
};

const answers = {
  open: z.object({ id: z.string().min(1).max(500) }),
  state: z.discriminatedUnion("state", [
    z.object({ state: z.literal("open"), mark: z.string() }),
    z.object({ state: z.literal("gone") }),
    z.object({ state: z.literal("lost") }),
  ]),
  focus: z.unknown(),
  label: z.unknown(),
  close: z.unknown(),
} satisfies Record<DriverCall, z.ZodType>;

export type DriverAnswer = { [Call in DriverCall]: z.infer<(typeof answers)[Call]> };

/** Seconds that a command may take. */
export const driverSeconds: Record<DriverCall, number> = { open: 20, state: 10, focus: 10, label: 10, close: 10 };

/** What its end means: an answer, or why there is none, as the second half of a sentence. */
export type DriverEnd =
  | { kind: "exited"; code: number; stdout: string; stderr: string }
  | { kind: "timed_out" }
  | { kind: "killed"; by: string }
  | { kind: "failed"; reason: string };

export function driverAnswer<Call extends DriverCall>(
  call: Call,
  end: DriverEnd,
): { ok: true; answer: DriverAnswer[Call] } | { ok: false; why: string } {
  if (end.kind === "timed_out") return { ok: false, why: `it did not end within ${driverSeconds[call]} s` };
  if (end.kind === "killed") return { ok: false, why: `it was ended by ${end.by}` };
  if (end.kind === "failed") return { ok: false, why: `it cannot be run: ${end.reason}` };
  if (end.code !== 0) {
    const said = end.stderr.trim().split("\n").at(-1)?.slice(0, 300);
    return { ok: false, why: `it ended with ${end.code}${said ? `: ${said}` : ""}` };
  }
  if (call !== "open" && call !== "state") return { ok: true, answer: undefined as DriverAnswer[Call] };
  const parsed = answers[call].safeParse(jsonIn(end.stdout));
  if (parsed.success) return { ok: true, answer: parsed.data as DriverAnswer[Call] };
  const printed = end.stdout.trim() === "" ? "nothing" : JSON.stringify(end.stdout.trim().slice(0, 100));
  return { ok: false, why: `it printed ${printed}, and must print ${shapes[call as keyof typeof shapes]}` };
}

const shapes = {
  open: '{"id": "…"}',
  state: '{"state": "open", "mark": "…"}, {"state": "gone"} or {"state": "lost"}',
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // what it printed is named by who asked
  }
}
