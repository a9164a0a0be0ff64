// What each exit code means: one table for all commands, which docs/scripting.md repeats, and the code of a refused request.
import type { RefusalCode } from "../board/refusal.ts";
import type { ExitCode } from "./world.ts";

export const exitMeanings: Record<ExitCode, string> = {
  0: "done",
  1: "the work failed, a check found something, or the request was refused for now",
  2: "wrong usage or settings, or something that does not exist; nothing was started or changed",
  3: "a permission was missing",
  4: "a budget or turn limit was reached",
  130: "interrupted",
};

/** `already_answered`: a question that somebody else has answered. */
export type RefusedFor = RefusalCode | "already_answered";

/** Repeating such a request later would not help: it is wrong in itself, or names something that does not exist. */
const wrongRequests: ReadonlySet<RefusedFor> = new Set<RefusedFor>([
  "unknown_field",
  "bad_id",
  "bad_title",
  "bad_status",
  "bad_request",
  "bad_text",
  "too_large",
  "not_found",
  "unknown_agent",
  "unknown_dependency",
  "self_dependency",
  "cycle",
  "missing_summary",
]);

export function refusalExit(code: RefusedFor): ExitCode {
  return wrongRequests.has(code) ? 2 : 1;
}
