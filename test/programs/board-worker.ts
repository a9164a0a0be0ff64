// Runs one operation of a team's board, a change of its record, or the lead's steps after a member has ended, and kills itself with SIGKILL
// at the given step: before a disk call, before a lock is released, or before it reports success. Arguments: folder, agent, request, step.
// Prints the reply if it is still alive.
import { openBoard } from "../../src/board/board.ts";
import type { BoardDisk, Lock } from "../../src/board/disk.ts";
import { operate } from "../../src/board/tasks/operations.ts";
import { changeMember } from "../../src/board/team-record.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";
import { createEndedMembers, type EndOfMember } from "../../src/team/lead/ended-members.ts";

const [folder = "", agent = "", request = "", step = "0"] = process.argv.slice(2);
let steps = 0;

function countStep(): void {
  steps++;
  if (steps === Number(step)) process.kill(process.pid, "SIGKILL");
}

/**
 * The disk after one call is the disk before the next, so killing before each call suffices; only a lock may have been released in between.
 */
const mortal = Object.fromEntries(
  Object.entries(disk).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      countStep();
      return (call as (...args: unknown[]) => unknown)(...args);
    },
  ]),
) as unknown as BoardDisk;

const locks = lock();
const mortalLock: Lock = {
  ...locks,
  withLock: (path, work, options) =>
    locks.withLock(
      path,
      () => {
        const result = work();
        countStep();
        return result;
      },
      options,
    ),
};

const board = openBoard({ disk: mortal, lock: mortalLock, clock }, folder);
const asked = JSON.parse(request);
const actor = { name: agent, role: agent === "lead" ? ("lead" as const) : ("teammate" as const) };
const own: Record<string, (args: never) => Promise<unknown>> = { MemberEnded: memberEnded, MemberChanged: memberChanged };
const reply = await (own[asked.op]?.(asked.args as never) ?? operate(board, asked, actor));
countStep();
process.stdout.write(`${JSON.stringify(reply)}\n`);

async function memberEnded(end: EndOfMember): Promise<string[]> {
  const told: string[] = [];
  const say = (text: string) => void told.push(text);
  await createEndedMembers({ board, touched: () => ["half.txt"], onProblem: say, tellLead: say }).add(end);
  return told;
}

async function memberChanged({ name, model }: { name: string; model: string }): Promise<boolean> {
  return (await board.changeRecord((record) => changeMember(record, name, { model }))).ok;
}
