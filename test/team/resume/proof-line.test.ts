// The lines that show a person that nothing was lost.
import { expect, it } from "vitest";
import type { MemberPlan } from "../../../src/team/resume/plan.ts";
import { leadLine, proofLine } from "../../../src/team/resume/proof-line.ts";
import { task } from "../../board/examples.ts";

const kept = { turns: 14, unread: 2, interrupted: 0, questions: 0, lost: false };
const start: MemberPlan = { name: "ada", kept, kind: "start", session: "s", endFirst: undefined };
const inProgress = [task({ id: "task-5", status: "in_progress", assigned_to: "ada" })];
const blocked = [task({ id: "task-5", status: "blocked", assigned_to: "ada", blocked_reason: "which format?" })];

it("lists what the member had and has again", () => {
  const handle = { kind: "pty", pid: 7, id: "1" } as const;
  const adopt: MemberPlan = {
    name: "ada",
    kept: { ...kept, interrupted: 1 }, // the call continues
    kind: "adopt",
    session: "s",
    living: { process: { pid: 7, start: "70" }, nonce: "n", handle },
  };
  expect([
    proofLine({ plan: start, tasks: inProgress }),
    proofLine({ plan: { ...start, kept: { ...kept, turns: 1, interrupted: 1, questions: 2, unread: 0 } }, tasks: [] }),
    proofLine({ plan: { ...start, kept: { ...kept, lost: true } }, tasks: blocked }),
    proofLine({ plan: start, tasks: blocked, refused: "task-4 must be completed first" }),
    proofLine({ plan: adopt, tasks: inProgress }),
    proofLine({ plan: { name: "cy", kept, kind: "leave", why: "its pane was closed" }, tasks: [] }),
    proofLine({ plan: start, tasks: blocked, failed: "its pane cannot be opened" }),
    leadLine(kept),
  ]).toEqual([
    "ada: task-5 in progress again, 14 turns, 2 unread",
    "ada: started, holds no task, 1 turn, 1 call interrupted, 2 questions open, 0 unread",
    "ada: task-5 still blocked, its transcript is gone: it starts afresh, 2 unread",
    "ada: task-5 still blocked (task-4 must be completed first), 14 turns, 2 unread",
    "ada: still running as process 7, task-5 in progress, 14 turns, 2 unread",
    "cy: left as it is (its pane was closed), 14 turns, 2 unread",
    "ada: not started: its pane cannot be opened, 14 turns, 2 unread",
    "lead: 14 turns, 2 unread",
  ]);
});
