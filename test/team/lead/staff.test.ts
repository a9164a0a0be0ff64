// The lead's teammates on a real board and disk; their processes and panes are simulated.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { operate } from "../../../src/board/tasks/operations.ts";
import { patientDisk } from "../../../src/edge/disk/patient-disk.ts";
import type { Display } from "../../../src/team/display/display.ts";
import type { Launch } from "../../../src/team/launch.ts";
import { createStaff } from "../../../src/team/lead/staff.ts";
import { writeExit, writeStatus } from "../../../src/team/member-files.ts";
import type { MemberExit } from "../../../src/team/report/status.ts";
import { lead, now } from "../../board/examples.ts";
import { type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";
import { calmDisplay, handle } from "./calm-display.ts";

it("spawns a teammate with the inherited part of the lead's launch, and nothing that only a lead has", async () => {
  using team = temporaryTeam();
  const { staff, launches } = staffOf(team);
  expect(await staff.spawn({ name: "ada", prompt: "Write the parser.", model: "small" })).toEqual({ ok: true });
  const { options, ...launch } = launches[0]!;
  expect(launch).toMatchObject({ role: "teammate", name: "ada", session: "id-1", prompt: "Write the parser.", team: "atlas" });
  expect(launch).not.toHaveProperty("opening");
  expect(options).toEqual({ attended: false, allow: ["Edit"], deny: [], leadGraceMs: 1, model: "small", display: "tmux" });
  expect([staff.names(), staff.supervisor.running()]).toEqual([["ada"], ["ada"]]);
  expect(logged(team)).toEqual([["member_started", undefined]]);
});

it("refuses a name that the record has, and starts nothing", async () => {
  using team = temporaryTeam();
  const { staff, launches } = staffOf(team);
  await staff.spawn({ name: "ada", prompt: "x" });
  const again = await staff.spawn({ name: "ada", prompt: "x" });
  expect(again).toMatchObject({ ok: false, reason: expect.stringContaining("ada") });
  expect([launches.length, staff.names()]).toEqual([1, ["ada"]]);
});

it("records the end of one that does not start, and leaves it to the caller to tell the lead", async () => {
  using team = temporaryTeam();
  const { staff, told } = staffOf(team, {
    exits: { reason: "fault", at: "", code: 2, detail: "its model is not known", cause: "configuration" },
  });
  expect(await staff.spawn({ name: "ada", prompt: "x" })).toMatchObject({
    ok: false,
    reason: "ada did not start: its model is not known",
    cause: "configuration",
  });
  await staff.poll();
  expect([recorded(team, "ada")?.ended?.how, told]).toEqual(["it did not start", []]);
});

it("starts a teammate again whose process died: it keeps its task, and the log tells it", async () => {
  using team = temporaryTeam();
  const { staff, alive, launches } = staffOf(team);
  await atWork(team, staff);
  alive.clear();
  await staff.poll();
  expect(logged(team)).toContainEqual(["member_restarted", "its process died"]);
  expect([launches.length, staff.supervisor.running(), tasks(team)]).toEqual([2, ["ada"], [["in_progress", "ada"]]]);
});

it("blocks the task of one whose place was closed, and tells the lead once", async () => {
  using team = temporaryTeam();
  const { staff, alive, told } = staffOf(team, { state: async () => "gone" });
  await atWork(team, staff);
  alive.clear();
  for (let times = 0; times < 2; times++) await staff.poll();
  expect([tasks(team), staff.supervisor.running()]).toEqual([[["blocked", "ada"]], []]);
  expect(told).toEqual([expect.stringContaining("ada is gone: its pane was closed. Its task task-1 is blocked")]);
  expect(logged(team)).toEqual([
    ["member_started", undefined],
    ["member_ended", "its pane was closed"],
  ]);
});

it("stops one by name with its leftovers, or names the running ones", async () => {
  using team = temporaryTeam();
  const { staff } = staffOf(team);
  await atWork(team, staff);
  expect(await staff.stop("bo")).toEqual({ ok: false, reason: 'Cannot stop "bo": it is not running. Running: ada.' });
  expect(await staff.stop("ada")).toMatchObject({ ok: true, left: { id: "task-1", status: "blocked" } });
  expect(await staff.stop("ada")).toEqual({ ok: false, reason: 'Cannot stop "ada": it is not running. Running: nobody.' });
});

it("ends all members with the team without telling the lead", async () => {
  using team = temporaryTeam();
  const { staff, alive, told } = staffOf(team);
  for (const name of ["ada", "eve"]) await staff.spawn({ name, prompt: "x" });
  await staff.endAll();
  await staff.poll();
  expect([staff.supervisor.running(), alive.size, told]).toEqual([[], 0, []]);
  expect(["ada", "eve"].map((name) => recorded(team, name)?.ended?.how)).toEqual(["stopped", "stopped"]);
});

it("knows the places of its teammates, and the keys that lead there", async () => {
  using team = temporaryTeam();
  const labels: string[] = [];
  const { staff } = staffOf(team, { wayTo: async () => "C-b 2", label: async (_, text) => void labels.push(text) });
  await staff.spawn({ name: "ada", prompt: "x" });
  await staff.label("ada", "task-1");
  await staff.label("nobody", "task-2");
  expect([staff.place("ada"), staff.wayTo("ada"), labels]).toEqual([handle, "C-b 2", ["task-1"]]);
  expect([staff.place("bo"), staff.wayTo("bo")]).toEqual([undefined, undefined]);
});

/** `exits`: how a process ends instead of running. */
function staffOf(
  team: TemporaryTeam,
  { exits, ...display }: Partial<Display> & { exits?: Pick<MemberExit, "reason" | "at" | "code" | "detail" | "cause"> } = {},
) {
  const [notices, told, launches]: [string[], string[], Launch[]] = [[], [], []];
  const alive = new Set<number>();
  const disk = patientDisk({ onWait: () => {} });
  const { layout } = team.board;
  let [ids, pids, nowMs] = [0, 0, 0];
  const staff = createStaff({
    board: team.board,
    disk,
    clock: {
      now: () => new Date(now),
      monotonicMs: () => nowMs,
      random: () => 0,
      async sleep(ms) {
        nowMs += ms;
      },
    },
    processes: {
      find: () => undefined,
      isAlive: ({ pid }) => alive.has(pid),
      signalGroup: ({ pid }) => void alive.delete(pid),
      sweep: async () => {},
    },
    display: {
      ...calmDisplay,
      async open({ name, argv: [path = ""] }) {
        const launch = JSON.parse(readFileSync(path, "utf8")) as Launch;
        launches.push(launch);
        const { nonce, session } = launch;
        if (exits) writeExit(disk, layout, { name, exit: { ...exits, nonce } });
        else {
          alive.add(++pids);
          writeStatus(disk, layout, { ...blank, name, nonce, session, pid: pids });
        }
        return handle;
      },
      ...display,
    },
    launch: leadLaunch(dirname(team.folder)),
    configDir: dirname(team.folder),
    launcher: (path) => [path],
    cores: 2,
    uniqueId: () => `id-${++ids}`,
    onNotice: (text) => notices.push(text),
    tellLead: (text) => told.push(text),
  });
  return { staff, alive, notices, told, launches };
}

const blank = {
  start: "0",
  state: "idle" as const,
  task: null,
  doing: "",
  since: now,
  turns: 0,
  tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
};

function leadLaunch(configDir: string): Launch {
  return {
    version: 1,
    role: "lead",
    team: "atlas",
    name: "lead",
    session: "lead-session",
    cwd: "/repo",
    configDir,
    nonce: "n",
    managedSettings: [],
    env: {},
    prompt: "Build it.",
    opening: { where: "beside", why: "", command: "tool" },
    options: { attended: false, allow: ["Edit"], deny: [], leadGraceMs: 1, teammates: 2, leadMayEdit: true, endWhenDone: true, named: [] },
  };
}

/** ada works on task-1. */
async function atWork({ board }: TemporaryTeam, staff: ReturnType<typeof staffOf>["staff"]): Promise<void> {
  await staff.spawn({ name: "ada", prompt: "x" });
  await operate(board, { op: "TaskCreate", args: { title: "One" } }, lead);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, { name: "ada", role: "teammate" });
}

function tasks({ board }: TemporaryTeam) {
  const read = board.tasks.read();
  return read.ok && read.list.tasks.map(({ status, assigned_to }) => [status, assigned_to]);
}

function recorded({ board }: TemporaryTeam, name: string) {
  const read = board.record();
  return read.ok ? read.record.members.find((member) => member.name === name) : undefined;
}

function logged({ board }: TemporaryTeam) {
  const lines = readFileSync(board.layout.log, "utf8").split("\n").filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { kind: string; how?: string });
  return events.filter(({ kind }) => kind.startsWith("member_")).map(({ kind, how }) => [kind, how]);
}
