// Which teams can be resumed, and what prevents it for the others.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resumable } from "../../../src/team/resume/resumable.ts";
import { ports, type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

/** A team whose lead has had a session and whose folder exists. */
async function resumableTeam(): Promise<TemporaryTeam> {
  const team = temporaryTeam();
  await team.board.changeRecord((record) => ({
    ...record,
    cwd: team.folder,
    members: record.members.map((member) => (member.role === "lead" ? { ...member, session: "s-lead" } : member)),
  }));
  return team;
}

function look({ board }: TemporaryTeam) {
  const found = resumable({ board, disk: ports.disk, lock: ports.lock });
  return found.ok ? found.session : found.reason;
}

it("a team whose lead is gone can be resumed", async () => {
  using team = await resumableTeam();
  expect(look(team)).toBe("s-lead");
});

it("one with a lead, or that is being resumed, cannot: the process is named", async () => {
  using team = await resumableTeam();
  const claim = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    const claimed = ports.lock.claimForLife(folder);
    if (!claimed.ok) throw new Error("It is free.");
    return claimed;
  };
  const lead = claim(team.board.layout.claim("lead"));
  expect(look(team)).toBe(`its lead is running, as process ${process.pid}`);
  lead.release();
  const resume = claim(team.board.layout.resume);
  expect(look(team)).toBe(`process ${process.pid} is resuming it just now`);
  resume.release();
  expect(look(team)).toBe("s-lead");
});

it("one that another machine holds cannot: the claim is named", async () => {
  using team = await resumableTeam();
  const path = team.board.layout.claim("lead");
  mkdirSync(path, { recursive: true });
  const elsewhere = { machine: "f".repeat(32), boot: "b", namespace: "n", pid: 7, start: "70" };
  writeFileSync(join(path, "g1"), `${JSON.stringify(elsewhere)}\n`);
  expect(look(team)).toMatch(
    /^it is held by process 7 of .*, which cannot be seen from here: end it there, or remove .*\/members\/lead\/claim if/,
  );
});

it("one of other programs, of a damaged list, of a folder that moved, a copy, of a record of another version cannot", async () => {
  using others = temporaryTeam();
  expect(look(others)).toBe("it has never had a lead process: its members are other programs, or it was killed before its lead started");
  using team = await resumableTeam();
  const { record, tasks } = team.board.layout;
  renameSync(tasks, `${tasks}.away`);
  expect(look(team)).toMatch(/^Cannot read the task list: .*tasks\.json/);
  renameSync(`${tasks}.away`, tasks);
  await team.board.changeRecord((before) => ({ ...before, cwd: "/repo/moved" }));
  expect(look(team)).toBe("its working directory /repo/moved does not exist: move it back, and try again");
  await team.board.changeRecord((before) => ({ ...before, name: "birch" }));
  expect(look(team)).toBe("its folder is a copy of team birch's folder: resume that team");
  writeFileSync(record, JSON.stringify({ team: "atlas", agents: [] }));
  expect(look(team)).toMatch(/^Cannot read the team record .*team\.json: "name" is missing/);
  rmSync(record);
  expect(look(team)).toMatch(/there is no such file$/);
});
