// Runs one operation of a team's board, a change of its record, or what a lead does when a member has ended, and ends itself with SIGKILL before or after the given
// call to the disk.
// Arguments: folder, agent, request, step. Prints the reply, if it lives to see it.
import { openBoard } from "../../src/board/board.ts";
import type { BoardDisk } from "../../src/board/disk.ts";
import { operate } from "../../src/board/operations.ts";
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

const mortal = Object.fromEntries(
  Object.entries(disk).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      countStep();
      const result = (call as (...args: unknown[]) => unknown)(...args);
      countStep();
      return result;
    },
  ]),
) as unknown as BoardDisk;

const board = openBoard({ disk: mortal, lock: lock(), clock }, folder);
const asked = JSON.parse(request);
const actor = { name: agent, role: agent === "lead" ? ("lead" as const) : ("teammate" as const) };
const own: Record<string, (args: never) => Promise<unknown>> = { MemberEnded: memberEnded, MemberChanged: memberChanged };
const reply = await (own[asked.op]?.(asked.args as never) ?? operate(board, asked, actor));
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
