// Why a program of the person's own did not do what it was run for, in words.
import type { HookEnd } from "../../hooks/hook-process.ts";

export function endedWhy(ended: HookEnd, timeoutMs: number): string {
  if (ended.kind === "timed_out") return `it did not end within ${timeoutMs / 1_000} s`;
  if (ended.kind === "failed") return ended.reason;
  if (ended.kind === "killed") return `it was killed by ${ended.by}`;
  const said = ended.stderr.trim().split("\n", 1)[0]?.slice(0, 200);
  return ended.kind === "exited" ? `exit code ${ended.code}${said ? `: ${said}` : ""}` : "the session ended";
}
