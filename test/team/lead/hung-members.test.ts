// Teammates that work without an event, on a real board and with a clock that the test moves.
import { expect, it } from "vitest";
import { operate } from "../../../src/board/tasks/operations.ts";
import { createHungMembers } from "../../../src/team/lead/hung-members.ts";
import type { MemberStatus } from "../../../src/team/report/status.ts";
import { ann, lead } from "../../board/examples.ts";
import { type TemporaryTeam, temporaryTeam } from "../../board/temporary-team.ts";

const minutes = (count: number) => count * 60_000;
const doing = "Bash npm test";
const quiet: MemberStatus = {
  name: "ann",
  pid: 1,
  start: "1",
  nonce: "n1",
  session: "s",
  state: "working",
  task: "task-1",
  doing,
  since: "",
  sign_ms: 0,
  asks_model: false,
  hung_after_ms: minutes(10),
  turns: 1,
  tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
};

/** ann holds task-1. `at` checks after this many minutes, and returns the result. */
async function watched({ board }: TemporaryTeam) {
  await operate(board, { op: "TaskCreate", args: { title: "One" } }, lead);
  await operate(board, { op: "TaskUpdate", args: { id: "task-1", status: "in_progress" } }, ann);
  const world = { status: quiet, stopped: false, sends: true };
  let nowMs = 0;
  const told: string[] = [];
  const mail: unknown[] = [];
  const hung = createHungMembers({
    board: {
      log: board.log,
      send(draft) {
        if (!world.sends) return { ok: false, code: "write_failed", reason: "no space left" };
        mail.push(draft);
        return board.send(draft);
      },
    },
    now: () => new Date(0),
    nowMs: () => nowMs,
    tasks: () => {
      const read = board.tasks.read();
      return read.ok ? read.list.tasks : [];
    },
    statusOf: (name) => (name === "ann" ? world.status : undefined),
    isStopped: () => world.stopped,
    tellLead: (text) => told.push(text),
  });
  const at = (minute: number, names = ["ann", "bo"]) => {
    nowMs = minutes(minute);
    hung.check(names);
    return { told: told.splice(0), mail: mail.splice(0), now: hung.now().map(({ words }) => words) };
  };
  const logged = () =>
    board
      .follow()
      .next()
      .flatMap((event) => (event.kind === "member_hung" ? [`${event.member} ${event.reason} ${event.interrupted}`] : []));
  return { world, at, logged };
}

const nothing = { told: [], mail: [], now: [] };

it("tells once after one period, and interrupts with the reason after a second one", async () => {
  using team = temporaryTeam();
  const { at, logged } = await watched(team);
  expect(at(9.9)).toEqual(nothing);
  const first =
    "ann may hang: no event for 10 minutes: Bash npm test. task-1 (One) stays in_progress with it. If that lasts as long again, its turn is interrupted. StopTeammate ends it at once.";
  expect(at(10)).toEqual({ told: [first], mail: [], now: [`no event for 10 minutes: ${doing}`] });
  expect(at(19.9)).toEqual({ ...nothing, now: [`no event for 19 minutes: ${doing}`] });
  const second =
    "ann is interrupted: no event for 20 minutes: Bash npm test. It goes on knowing that. If it does not, end it with StopTeammate.";
  const interrupt = { from: "lead", to: "ann", kind: "interrupt", text: `no event for 20 minutes: ${doing}` };
  expect(at(20)).toEqual({ told: [second], mail: [interrupt], now: [interrupt.text] });
  expect([at(30).told, at(45).mail]).toEqual([[], []]);
  expect(logged()).toEqual([`ann no event for 10 minutes: ${doing} false`, `ann no event for 20 minutes: ${doing} true`]);
});

it("begins anew with each event and each process", async () => {
  using team = temporaryTeam();
  const { world, at } = await watched(team);
  at(10);
  world.status = { ...quiet, sign_ms: minutes(11) };
  expect([at(12), at(20.9)]).toEqual([nothing, nothing]);
  expect(at(21).told).toHaveLength(1);
  world.status = { ...quiet, sign_ms: minutes(11), nonce: "n2" };
  expect(at(22).told).toHaveLength(1);
});

it.each<[string, Partial<MemberStatus>]>([
  ["whose model is asked", { asks_model: true }],
  ["who waits for work", { state: "idle" }],
  ["who asks the person", { state: "waiting_permission" }],
  ["of an earlier version, which says nothing of it", { sign_ms: undefined, hung_after_ms: undefined }],
])("reports no member %s", async (_who, facts) => {
  using team = temporaryTeam();
  const { world, at } = await watched(team);
  world.status = { ...quiet, ...facts };
  expect([at(10), at(100)]).toEqual([nothing, nothing]);
});

it("reports a stopped process even while its model is asked, and does not interrupt it", async () => {
  using team = temporaryTeam();
  const { world, at } = await watched(team);
  world.status = { ...quiet, asks_model: true };
  world.stopped = true;
  expect(at(10).told).toEqual([expect.stringContaining("Its process was suspended by a signal, and goes on when the user resumes it.")]);
  expect(at(40)).toEqual({ ...nothing, now: [`no event for 40 minutes: ${doing}`] });
});

it("tries an interrupt again that could not be written, and forgets who has ended", async () => {
  using team = temporaryTeam();
  const { world, at } = await watched(team);
  at(10);
  world.sends = false;
  expect(at(20).told).toEqual([]);
  world.sends = true;
  expect(at(21).mail).toHaveLength(1);
  expect(at(22, [])).toEqual(nothing);
});
