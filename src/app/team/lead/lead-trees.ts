// Composes the worktrees of a team at its lead: making them, looking for conflicts, testing the merged work, and cleaning up.
import { relative } from "node:path";
import { operate } from "../../../board/tasks/operations.ts";
import { byId, settledLines } from "../../../screen/team/team-report.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import type { Launch } from "../../../team/launch.ts";
import { createPredictions, createUnionCheck, type SuiteRun, testedText, type Union } from "../../../team/lead/merged-work.ts";
import type { Staff } from "../../../team/lead/staff.ts";
import { lostWorkText, type TeamTrees } from "../../../team/worktrees.ts";
import type { World } from "../../world.ts";
import type { Member } from "../member/member.ts";
import { settingsOfTree } from "../team-trees.ts";
import type { LeadScreen, LeadTrees } from "./lead-parts.ts";

export type LeadTreesOrder = Pick<LeadScreen, "pane" | "clock"> & {
  trees: TeamTrees;
  launch: Launch;
  member: Member;
  staff: Staff;
  settings: LoadedSettings;
};

export function leadTrees(world: World, order: LeadTreesOrder): LeadTrees {
  const { trees, launch, member, staff, pane, clock } = order;
  const { board } = member;
  const predictions = createPredictions({
    trees,
    names: staff.supervisor.running,
    send: board.send,
    onNotice: pane.warn,
    nowMs: clock.monotonicMs,
  });
  let tested: { suite: SuiteRun; commit: string } | undefined;
  const { test } = launch.options;
  const check = createUnionCheck({
    trees,
    test,
    async run(union, signal) {
      const suite = await runSuite(world, order, { union, signal });
      tested = { suite, commit: union.commit };
      return suite;
    },
    async addTask(args) {
      const reply = await operate(board, { op: "TaskCreate", args }, { name: "lead", role: "lead" });
      return reply.ok ? { ok: true } : { ok: false, reason: reply.error.message };
    },
  });
  return {
    look: () => void predictions().catch((error: unknown) => pane.warn(`Conflicts could not be predicted: ${String(error)}`)),
    check: (signal) =>
      check(signal).catch((error: unknown) => ({ kind: "told", text: `The merged work was not tested: ${String(error)}`, failed: true })),
    async lost() {
      const list = board.tasks.read();
      return list.ok && !(await trees.hasMerged()) ? lostWorkText(trees.merged, list.list.tasks) : undefined;
    },
    async settle() {
      const read = board.record();
      const names = read.ok ? read.record.members.flatMap(({ name, role }) => (role === "teammate" ? name : [])) : staff.names();
      const { commits, tip } = await trees.handed();
      const result = {
        branch: trees.merged,
        commits,
        how: byId(world.command, launch.team),
        tested: test && testedText(test, tested, tip),
      };
      return settledLines(result, await trees.settle(names));
    },
  };
}

/** Runs as a command of an agent in the worktree of the merged work, under the team's rules. */
async function runSuite(
  world: World,
  { launch, settings, pane }: LeadTreesOrder,
  { union: { folder }, signal }: { union: Union; signal: AbortSignal },
): Promise<SuiteRun> {
  const { worktrees, options, session, sandbox } = launch;
  if (!worktrees || options.test === undefined) return { kind: "not run", reason: "there are no worktrees" };
  const work = await world.edges.work({
    cwd: folder,
    configDir: world.configDir,
    env: world.env,
    owner: `${session}:lead/suite`,
    sandboxFound: sandbox,
    readOnly: false,
    repositoryFixed: true,
    apartFrom: worktrees.root,
    settings: settingsOfTree(settings, worktrees, { name: "union", cwd: folder }),
  });
  const input = { command: options.test, timeout_ms: suiteLimitMs };
  try {
    const bash = work.tools.find(({ name }) => name === "Bash");
    const permission = await work.permit(pane.askFor?.("lead"), pane.warn)({ tool: "Bash", input }, signal);
    if (!bash || !permission.allowed) return { kind: "not run", reason: permission.allowed ? "there is no Bash" : permission.reason };
    pane.print(`  ${options.test} runs on the merged work, in ${relative(world.cwd, folder) || folder}; Ctrl-C stops it`, 4);
    const result = await bash.run(input, { signal, onOutput() {} });
    if (signal.aborted) return { kind: "not run", reason: "it was stopped before its end. It runs again after the next task." };
    return result.isError ? { kind: "failed", output: await work.redacted(result.text.slice(-shownBytes)) } : { kind: "passed" };
  } finally {
    await work.endAll();
  }
}

const suiteLimitMs = 600_000;
const shownBytes = 4_000;
