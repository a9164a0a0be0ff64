// What is checked before a team is resumed, and that a refusal changes nothing.
import { describe, expect, it } from "vitest";
import { resumeTeam } from "../../../src/app/team/resume-team.ts";
import { startTeam } from "../../../src/app/team/start-team.ts";
import { exitWriter, openDisplay, untilLead } from "../../../src/app/team/team-place.ts";
import type { Flags, Run } from "../../../src/app/team/team-run.ts";
import { operate } from "../../../src/board/tasks/operations.ts";
import type { DisplayFacts } from "../../../src/team/display/choose-display.ts";
import { ann, lead } from "../../board/examples.ts";
import { refusalOf } from "../memory-world.ts";
import { aLaunch, type TeamWorldSetup, teamsRoot, teamWorld } from "./team-world.ts";

const flags: Flags = { outputFormat: "text", allow: [], deny: [] };
const choice = { ok: true, mode: "plain", where: "logs", why: "" } as Run["choice"];
const run = (more: Partial<Run> = {}) => ({ prompt: undefined, flags, choice, attended: false, ...more });

/** A team whose lead used this session and has ended, with its only task completed or not. */
async function place({ isCompleted = true, ...setup }: TeamWorldSetup & { isCompleted?: boolean } = {}) {
  const here = teamWorld({ ...setup, files: { "/repo/README.md": "", ...setup.files } });
  const board = here.team();
  await board.changeRecord((record) => ({
    ...record,
    members: record.members.map((member) => (member.name === "lead" ? { ...member, session: "s1" } : member)),
  }));
  await operate(board, { op: "TaskCreate", args: { title: "One" } }, lead);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
  if (isCompleted) await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "completed", summary: "Done." } }, ann);
  return { ...here, board };
}

describe("resumeTeam() refuses", () => {
  it("a team that does not exist, and names those that can be resumed", async () => {
    const { world } = await place({ isCompleted: false });
    expect(await refusalOf(resumeTeam(world, "birch", run()))).toBe(
      'Cannot resume team "birch": there is no such team. These can be resumed: atlas.',
    );
    expect(await refusalOf(resumeTeam(teamWorld().world, "birch", run()))).toBe(
      'Cannot resume team "birch": there is no such team. No team can be resumed.',
    );
  });

  it("without a name where no team of this folder can be resumed", async () => {
    const { world } = await place({ isCompleted: false });
    expect(await refusalOf(resumeTeam({ ...world, cwd: "/elsewhere" }, undefined, run()))).toBe(
      "No team of this folder can be resumed. These can be resumed: atlas. Choose one: tool team --resume <team>",
    );
  });

  it("nothing in a folder below: there it means the team of the repository", async () => {
    const { world } = await place({ files: { "/repo/.git": "gitdir: /git" } });
    expect(await refusalOf(resumeTeam({ ...world, cwd: "/repo/src" }, undefined, run()))).toMatch(
      /^Nothing to resume: all tasks of team atlas/,
    );
  });

  it("while its lead runs", async () => {
    const { world, board, lock } = await place({ living: [7] });
    lock.held.set(board.layout.claim("lead"), { kind: "alive", pid: 7 });
    expect(await refusalOf(resumeTeam(world, "atlas", run()))).toMatch(/^Cannot resume team atlas: .*7/);
  });

  it("while another process resumes it", async () => {
    const { world, board, lock } = await place({ isCompleted: false });
    lock.held.set(board.layout.resume, { kind: "alive", pid: 8 });
    expect(await refusalOf(resumeTeam(world, "atlas", run()))).toMatch(/^Cannot resume team atlas: /);
  });

  it("where everything is completed and nobody says what to do next", async () => {
    const { world, lock, disk } = await place();
    const before = disk.names();
    expect(await refusalOf(resumeTeam(world, "atlas", run()))).toBe(
      'Nothing to resume: all tasks of team atlas are completed. Say what to do next: tool team --resume atlas "…"',
    );
    expect([disk.names(), lock.held.size]).toEqual([before, 0]);
  });

  it("on a disk that cannot be written", async () => {
    const { world, board } = await place({
      isCompleted: false,
      refuse: (path) => {
        if (path.endsWith("/resume")) throw new Error("ENOSPC: no space left on device");
      },
    });
    expect(board.layout.resume).toMatch(/\/resume$/);
    expect(await refusalOf(resumeTeam(world, "atlas", run()))).toMatch(/^Cannot resume team atlas: ENOSPC.*Nothing was changed/);
  });

  it("if its model cannot answer, and releases its claim", async () => {
    const { world, lock } = await place({ isCompleted: false, edges: { modelProblem: async () => "There is no key." } });
    expect(await refusalOf(resumeTeam(world, "atlas", run()))).toBe("There is no key. Nothing was started.");
    expect(lock.held.size).toBe(0);
  });
});

describe("startTeam() refuses", () => {
  const facts: DisplayFacts = {
    insideTmux: false,
    tmuxVersion: undefined,
    platform: "linux",
    iterm2: false,
    terminal: false,
    pty: false,
  } as never;
  const refusal = (more: Partial<Flags>, files: Record<string, string> = {}) => {
    const { world, disk } = teamWorld({ files, edges: { displayFacts: async () => facts } });
    return refusalOf(startTeam(world, { prompt: "x", flags: { ...flags, ...more } })).then((said) => [said, disk.names()]);
  };

  it.each([
    [{ outputFormat: "json" }, "--output-format needs --print. Add it."],
    [{ outputFormat: "json", json: true }, "--json needs --print. Add it."],
    [{ demo: true, teammate: [] }, "--teammate cannot be used with --demo, whose teammates are scripted. Leave one of them out."],
    [{ demo: true, worktrees: true }, "--worktrees cannot be used with --demo. Leave one of them out."],
    [{ demo: true, places: "gpu" }, "--places cannot be used with --demo, whose team works in one tree. Leave one of them out."],
    [{ test: "npm test" }, "--test needs --worktrees, whose merged work it tests. Add --worktrees, or leave --test out."],
    [{ demo: true, resume: true }, "--resume cannot be used with --demo: the demo's copy of the program is removed at its end."],
  ] as const)("%j, with nothing written", async (more, expected) => {
    expect(await refusal(more as Partial<Flags>)).toEqual([expected, []]);
  });

  it("a test command that is more than one plain command, and a display that is none", async () => {
    expect((await refusal({ worktrees: true, test: "npm test | tee log" }))[0]).toMatch(/^--test "npm test \| tee log" /);
    expect((await refusal({ print: true, display: "hologram" }))[0]).toContain("hologram");
  });

  it("a display of the person's settings that there is not, which a repository's settings cannot name", async () => {
    const names = (display: string) => JSON.stringify({ display });
    const files = { "/home/me/.tool/settings.json": names("hologram"), "/repo/.tool/settings.json": names("smoke") };
    expect((await refusal({ display: undefined }, files))[0]).toContain('unknown display "hologram" (from the setting "display")');
  });
});

describe("the place of a team", () => {
  it("untilLead() waits for a lead, or for its end, and not for ever", async () => {
    const { world, lock, clock, board } = await place();
    const claim = board.layout.claim("lead");
    await untilLead(world, "atlas", { runs: true, atMostMs: 1_000 });
    expect(clock.monotonicMs()).toBe(1_000);
    lock.held.set(claim, { kind: "alive", pid: 7 });
    await untilLead(world, "atlas", { runs: true, atMostMs: 1_000 });
    expect(clock.monotonicMs()).toBe(1_000);
    await untilLead(world, "atlas", { runs: false, atMostMs: 500 });
    expect(clock.monotonicMs()).toBe(1_500);
  });

  it("exitWriter() records how this incarnation ended", async () => {
    const { world, disk } = await place();
    (await exitWriter(world, aLaunch("ann")))({ reason: "signal", code: 1, detail: "SIGHUP" });
    expect(JSON.parse(disk.files.get(`${teamsRoot}/atlas/members/ann/exit.json`) ?? "")).toEqual({
      reason: "signal",
      code: 1,
      detail: "SIGHUP",
      nonce: "nonce-ann",
      at: "2026-01-02T03:04:05.000Z",
    });
  });

  it("openDisplay() marks what is opened for the team, and says where output that nobody sees goes", async () => {
    const requests: unknown[] = [];
    const { world } = await place({
      edges: {
        display: async (request) => {
          requests.push({ ...request, logOf: request.logOf("ann") });
          return {} as never;
        },
      },
    });
    await openDisplay(world, aLaunch("lead"), choice);
    expect(requests).toEqual([
      { choice, team: "atlas", owner: "session-lead:atlas", env: {}, logOf: `${teamsRoot}/atlas/members/ann/output.log` },
    ]);
  });
});
