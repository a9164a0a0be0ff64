// Names, members and the creation of a team.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Board, openBoard } from "../../src/board/board.ts";
import { createTeam } from "../../src/board/create-team.ts";
import { addTeammate, changeMember, readTeamRecord, recipientsOf, teammatesOf } from "../../src/board/team-record.ts";
import { ports, temporaryTeam } from "./temporary-team.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "team-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const made = (name: string, members: string[]) => createTeam(ports, join(root, "team"), { name, cwd: "/repo", members });
const reason = (result: { ok: boolean; reason?: string }) => (result.ok ? "ok" : result.reason);

describe("createTeam()", () => {
  it("writes a complete team, the lead first", () => {
    expect(made("atlas", ["ann", "lead", "bo-2"])).toMatchObject({ ok: true, record: { name: "atlas", cwd: "/repo", lead: "lead" } });
    const record = JSON.parse(readFileSync(join(root, "team/team.json"), "utf8"));
    expect(record.members).toEqual([
      { name: "lead", role: "lead" },
      { name: "ann", role: "teammate" },
      { name: "bo-2", role: "teammate" },
    ]);
    expect(JSON.parse(readFileSync(join(root, "team/tasks.json"), "utf8"))).toEqual({ version: 1, revision: 0, next_id: 1, tasks: [] });
    expect(readdirSync(join(root, "team/mailbox")).sort()).toEqual(["ann", "bo-2", "lead"]);
  });

  it("does not change an existing team", () => {
    made("atlas", ["ann"]);
    writeFileSync(join(root, "team/tasks.json"), "{}");
    expect(reason(made("atlas", ["bo"]))).toBe(
      `Cannot create team "atlas": it exists already, in ${join(root, "team")}. Choose another name`,
    );
    expect(readFileSync(join(root, "team/tasks.json"), "utf8")).toBe("{}");
  });

  const rule = "a name is 1 to 40 of a-z, 0-9 and -, starting with a letter or a digit";
  it.each<[name: string, reason: string]>([
    ["", `Cannot name a teammate with an empty name: ${rule}`],
    ["a/b", `Cannot name a teammate "a/b": ${rule}`],
    ["..", `Cannot name a teammate "..": ${rule}`],
    ["Ann", `Cannot name a teammate "Ann": ${rule}`],
    ["-ann", `Cannot name a teammate "-ann": ${rule}`],
    ["an n", `Cannot name a teammate "an n": ${rule}`],
    ["an\u0007n", `Cannot name a teammate "an\\u0007n": ${rule}`],
    ["bj\u00f6rn", `Cannot name a teammate "bj\\u{f6}rn": ${rule}`],
    ["a".repeat(41), `Cannot name a teammate "${"a".repeat(41)}": ${rule}`],
    ["a".repeat(200), `Cannot name a teammate "${"a".repeat(60)}" … (200 characters): ${rule}`],
    ["user", 'Cannot name a teammate "user": it means the person at the keyboard'],
    ["bo", 'Cannot create the team: "bo" is named twice'],
    ["lead", 'Cannot create the team: "lead" is named twice'],
  ])("refuses a member named %j", (name, expected) => {
    expect(reason(made("atlas", ["lead", "bo", name]))).toBe(expected);
    expect(existsSync(join(root, "team"))).toBe(false);
  });

  it("refuses an invalid team name", () => {
    expect(reason(made("Atlas", ["ann"]))).toBe(`Cannot name a team "Atlas": ${rule}`);
    expect(reason(made("../atlas", ["ann"]))).toBe(`Cannot name a team "../atlas": ${rule}`);
    expect(reason(made("0-9", ["ann"]))).toBe("ok");
  });
});

describe("the record", () => {
  it("never uses a name twice, even after its member has ended", () => {
    const created = made("atlas", ["ann"]);
    if (!created.ok) throw new Error(created.reason);
    const ended = changeMember(created.record, "ann", { ended: { how: "its pane was closed", at: "2026-01-02T03:04:05Z" } });
    expect([teammatesOf(ended), recipientsOf(ended)]).toEqual([[], ["lead"]]);
    const taken = 'Cannot name a teammate "ann": the team has or had a member of that name, and names are not used again';
    expect(reason(addTeammate(ended, { name: "ann" }))).toBe(taken);
    expect(reason(addTeammate(ended, { name: "lead" }))).toBe('Cannot name a teammate "lead": it is the lead\'s name');
    const added = addTeammate(ended, { name: "bo", prompt: "mind the tests" });
    expect(added.ok && added.record.members.at(-1)).toEqual({ name: "bo", role: "teammate", prompt: "mind the tests" });
    expect(teammatesOf(changeMember(ended, "ann", { ended: undefined }))).toEqual(["ann"]);
  });

  it("that cannot be read says why", () => {
    const path = join(root, "team.json");
    expect(readTeamRecord(ports.disk, path)).toEqual({ ok: false, reason: `Cannot read the team record ${path}: there is no such file` });
    writeFileSync(path, '{"name":"atlas"}');
    const [sentence, kept] = (reason(readTeamRecord(ports.disk, path)) ?? "").split(". ");
    expect(sentence).toMatch(`Cannot read the team record ${path}: "cwd" is missing`);
    expect(kept).toBe("The file is kept: repair it, or remove its folder to give the team up");
    writeFileSync(path, "\u001b]0;x\u0007");
    expect(reason(readTeamRecord(ports.disk, path))).not.toMatch(/\p{Cc}/u);
  });
});

it("keeps both of two concurrent changes: the second waits for the first", async () => {
  using team = temporaryTeam();
  const note = (board: Board, name: string) => board.changeRecord((record) => changeMember(record, name, { prompt: `of ${name}` }));
  let second: ReturnType<typeof note> | undefined;
  const disk: typeof ports.disk = {
    ...ports.disk,
    replace(path, text, options) {
      second ??= note(team.board, "bo"); // between the first one's read and its write
      ports.disk.replace(path, text, options);
    },
  };
  await note(openBoard({ ...ports, disk }, team.folder), "ann");
  await second;
  const read = team.board.record();
  expect(read.ok && read.record.members.map(({ prompt }) => prompt)).toEqual([undefined, "of ann", "of bo"]);
});

it("a change that the disk refuses names the record and leaves it unchanged", async () => {
  const refuse = () => {
    throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  };
  using team = temporaryTeam({ disk: { ...ports.disk, replace: refuse } });
  const before = team.board.record();
  expect(await team.board.changeRecord((record) => changeMember(record, "ann", { prompt: "x" }))).toEqual({
    ok: false,
    code: "write_failed",
    reason: `Cannot change the team record ${team.folder}/team.json: the disk is full. It is unchanged. Make room there`,
  });
  expect(team.board.record()).toEqual(before);
});
