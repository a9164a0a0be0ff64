// The batch demo: six units of a small program are planned, approved, carried out and opened as pull requests; one fails and is recorded.
import { batchDemo as demo } from "../../batch/demo.ts";
import { pullRequestsText } from "../../screen/batch/batch-report.ts";
import { fitted } from "../print/fitted.ts";
import { forgetDemo } from "../session/forget-demo.ts";
import type { ExitCode, World } from "../world.ts";
import { startBatch } from "./start-batch.ts";
import { terminalQuestions } from "./terminal-questions.ts";

export type BatchDemoFlags = { print?: boolean; script?: string };

/** Returns 0 if every unit that can be done is a pull request, and the one that cannot is recorded. */
export async function runBatchDemo(world: World, { print, script }: BatchDemoFlags): Promise<ExitCode> {
  const attended = world.stdin.isTTY && world.stdout.isTTY && !print;
  const say = async (text: string) => world.stdout.write(`${await fitted(world.stdout, text)}\n`);
  const interrupted = new AbortController();
  const stopSignals = world.onSignal(() => interrupted.abort()); // stops the batch first, then removes the copy
  await say("Copying a small program and starting a forge on this machine …");
  const scratch = await world.edges.scratchRepository(`${world.packageDir}/${demo.repository}`);
  const forge = await world.edges.demoForge(scratch.path);
  const here: World = { ...world, cwd: scratch.path, env: { ...world.env, ...forge.env } };
  try {
    if (interrupted.signal.aborted) return 130;
    await say(`${demo.notice}\n`);
    const flags = {
      script: script ?? `${world.packageDir}/${demo.script}`,
      allow: attended ? [] : [...demo.allow],
      deny: [],
      yes: !attended,
      pr: true,
      stack: "yes" as const,
    };
    const code = await startBatch(here, {
      instruction: demo.instruction,
      flags,
      questions: terminalQuestions(here, flags),
      isTemporary: true,
    });
    const pulls = forge.pulls();
    await say(`\n${pullRequestsText(pulls)}`);
    await say("The copy, its worktrees and the forge are removed now; in a repository of yours, the worktree of a failed unit stays.");
    const isAsMeant = code === 1 && pulls.length > 0;
    if (isAsMeant) await say("One unit failed, as this demo means to show: such a batch ends with exit code 1, the demo with 0.");
    const asExpected = isAsMeant ? 0 : code;
    forgetDemo(world, scratch, asExpected);
    return asExpected;
  } finally {
    stopSignals();
    await forge.close();
    scratch.remove();
  }
}
