import { expect, it, onTestFinished } from "vitest";
import { changeMember } from "../../../src/board/team-record.ts";
import { listText, teamFacts } from "../../../src/cli/team/list.ts";
import { resumable } from "../../../src/team/resume/resumable.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

/** This process takes the member's name, as the member's own process would. */
function live({ board }: TemporaryTeam, name: string): void {
  const claim = ports.lock.claimForLife(board.layout.claim(name));
  if (claim.ok) onTestFinished(claim.release);
}

const shown = ({ board }: TemporaryTeam) => {
  const facts = teamFacts({ board, ports }, resumable({ board, disk: ports.disk, lock: ports.lock }));
  return listText([facts], "tool").split("\n");
};

it("says whether a team runs, and who waits for a lead that is gone", async () => {
  using team = temporaryTeam();
  const of = "0 of 0 tasks completed; lead, ann, bo; ";
  expect(shown(team)).toEqual([`atlas: not running, ${of}/repo`]);
  await team.board.changeRecord((record) => ({ ...changeMember(record, "lead", { session: "s1" }), cwd: team.folder }));
  live(team, "ann");
  const resume = "  can be resumed: tool team --resume atlas";
  expect(shown(team)).toEqual([`atlas: its lead is gone, and ann waits for it, ${of}${team.folder}`, resume]);
  live(team, "bo");
  expect(shown(team)).toEqual([`atlas: its lead is gone, and ann, bo wait for it, ${of}${team.folder}`, resume]);
  live(team, "lead");
  expect(shown(team)).toEqual([`atlas: running as process ${process.pid}, ${of}${team.folder}`]);
});
