// Runs the command that proves a task as a command of its owner: under its rules and in its sandbox, like a call of its own.
import { testRun } from "../../agent/evidence/evidence-reader.ts";
import { testCommand } from "../../agent/evidence/test-commands.ts";
import type { Permit } from "../../agent/ports/permit.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { Verifier } from "../../board/tasks/verify.ts";
import type { AnyTool } from "../../tools/tool.ts";

const limitMs = 600_000;
const shownCharacters = 4_000;

export type VerifyPorts = { tools: readonly AnyTool[]; permit: Permit; redacted: Workspace["redacted"]; now: () => Date };

/** Without a rule that allows the command, and with nobody to ask, it is not run, and the reason says so. */
export function verifyCommand({ tools, permit, redacted, now }: VerifyPorts): Verifier {
  return async (command, signal) => {
    const notRun = (reason: string) => ({ kind: "not_run" as const, reason, at: now().toISOString() });
    const bash = tools.find(({ name }) => name === "Bash");
    if (!bash) return notRun("its owner has no Bash");
    const input = { command, timeout_ms: limitMs };
    const permission = await permit({ tool: "Bash", input }, signal);
    if (!permission.allowed) return notRun(permission.reason);
    const result = await bash.run(permission.input ?? input, { signal });
    const text = await redacted(result.text);
    const test = testCommand(command) ?? { exitCode: "decides" as const };
    const evidence = testRun("verify", command, { text, isError: result.isError, at: now().toISOString(), test });
    return { kind: "ran", evidence, output: text.slice(-shownCharacters).toWellFormed() };
  };
}
