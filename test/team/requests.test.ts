// Which questions of a team count as open: a question is closed only when its asker's process is known to have ended.
import { expect, it } from "vitest";
import type { ProcessIdentity } from "../../src/board/disk.ts";
import { teamLayout } from "../../src/board/layout.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { teamRequests, unansweredCalls } from "../../src/team/requests.ts";
import { scratchFolder } from "../scratch.ts";

const here: ProcessIdentity = { machine: "m", boot: "b", namespace: "n", pid: 1, start: "1" };

it.each<[asker: string, more: Partial<ProcessIdentity>, isOpen: { alive: boolean; absent: boolean }]>([
  ["in this process namespace", {}, { alive: true, absent: false }],
  ["on another machine", { machine: "other", boot: "other" }, { alive: true, absent: true }],
  ["from before a reboot of this machine", { boot: "earlier" }, { alive: false, absent: false }],
  ["in a namespace whose processes are not visible here", { namespace: "other" }, { alive: true, absent: true }],
])("a question of an asker %s", (_asker, more, isOpen) => {
  const openWith = (isAlive: boolean) => {
    const requests = teamRequests({
      board: { layout: teamLayout(scratchFolder()) },
      disk,
      clock,
      processes: { self: () => here, isAlive: () => isAlive },
    });
    requests.open({ name: "ann", process: { ...here, pid: 7, ...more } }, { kind: "plan", plan: "First the tests." });
    return requests.pending().length === 1;
  };
  expect({ alive: openWith(true), absent: openWith(false) }).toEqual(isOpen);
});

it("finds the calls of a dead member that waited for an answer", () => {
  const alive = new Set([7]);
  const processes = { self: () => here, isAlive: ({ pid }: ProcessIdentity) => alive.has(pid) };
  const requests = teamRequests({ board: { layout: teamLayout(scratchFolder()) }, disk, clock, processes });
  const ann = { name: "ann", process: { ...here, pid: 7 } };
  const choice = (call: string) => ({ kind: "choice" as const, text: "Which?", options: ["one", "two"], call });
  requests.open(ann, { kind: "plan", plan: "First the tests." });
  requests.open(ann, choice("call-1"));
  const answered = requests.open(ann, choice("call-2"));
  requests.answer(answered.id, { kind: "no", reason: "neither" }, "lead");
  expect(unansweredCalls(requests, "ann")).toEqual([]);
  alive.clear();
  expect([unansweredCalls(requests, "ann"), unansweredCalls(requests, "bo")]).toEqual([["call-1"], []]);
});
