// Which process belongs to a member after a reboot, or when its pid was reused: real claims, a real process table.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ProcessIdentity } from "../../src/board/disk.ts";
import { claimOf } from "../../src/edge/lock/claims.ts";
import { memberProcesses } from "../../src/edge/processes/member-processes.ts";
import { processes } from "../../src/edge/processes/processes.ts";
import { writeStatus } from "../../src/team/member-files.ts";
import { memberProcess } from "../../src/team/member-process.ts";
import { memberFacts } from "../../src/team/resume/member-facts.ts";
import { resumePlan } from "../../src/team/resume/plan.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../board/temporary-team.ts";
import { handle } from "./lead/calm-display.ts";

const table = memberProcesses();

/** A process unrelated to any team. */
function unrelatedProcess(): ProcessIdentity {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return processes().identify(child.pid ?? 0)!;
}

/** The claim, the status and the place that ann's process left behind all name this process. */
async function annWas({ board, folder }: TemporaryTeam, process: ProcessIdentity) {
  const claim = board.layout.claim("ann");
  mkdirSync(claim, { recursive: true });
  writeFileSync(join(claim, "g1"), claimOf(process));
  const { pid, start } = process;
  const tally = { turns: 1, tokens: 0, cached_tokens: 0, cost_usd: 0 };
  const now = { state: "working", task: null, doing: "", since: "" } as const;
  writeStatus(ports.disk, board.layout, { name: "ann", pid, start, nonce: "n", session: "s1", ...now, ...tally });
  const display = handle.kind === "tmux" ? { ...handle, panePid: pid } : handle;
  await board.changeRecord((record) => ({
    ...record,
    members: record.members.map((member) => (member.name === "ann" ? { ...member, session: "s1", display } : member)),
  }));
  const read = board.record();
  if (!read.ok) throw new Error(read.reason);
  const ann = read.record.members.find(({ name }) => name === "ann")!;
  const facts = memberFacts({ board, disk: ports.disk, configDir: folder, processes: table, unanswered: () => [] }, read.record, ann);
  return { process: memberProcess(board, "ann", table).kind, plan: resumePlan([facts])[0] };
}

it.each<[string, (process: ProcessIdentity) => ProcessIdentity, object]>([
  ["its own process, which lives, is taken over", (process) => process, { process: "running", plan: { kind: "adopt" } }],
  [
    "another process that has its number now is not",
    (process) => ({ ...process, start: `${process.start}1` }),
    { process: "none", plan: { kind: "start", endFirst: undefined } },
  ],
  [
    "nor is one with its number and its start time after a reboot",
    (process) => ({ ...process, boot: "another" }),
    { process: "none", plan: { kind: "start", endFirst: undefined } },
  ],
])("%s", async (_what, was, expected) => {
  using team = temporaryTeam();
  const other = unrelatedProcess();
  expect(await annWas(team, was(other))).toMatchObject(expected);
  expect(table.isAlive(other)).toBe(true);
});
