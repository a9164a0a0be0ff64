// Facts of teams for tests of the report page: one team with everything that a page can show, and one of any size.
import type { TeamEvent } from "../../../src/board/event.ts";
import type { TeamReport } from "../../../src/team/report/report.ts";
import { filesOf, type ReportFacts } from "../../../src/team/report/report-facts.ts";
import { timelineOf } from "../../../src/team/report/timeline.ts";

const began = Date.UTC(2026, 0, 2, 9);
export const at = (seconds: number) => new Date(began + seconds * 1000).toISOString();

type Task = TeamReport["tasks"][number];

export const aTask = (change: Partial<Task> & Pick<Task, "id">): Task => ({
  title: "Parse dates",
  status: "completed",
  assigned_to: "ada",
  dependencies: [],
  evidence: { kind: "none" },
  files: [],
  changes: [],
  ...change,
});

export function aReport(tasks: Task[], more: Partial<TeamReport> = {}): TeamReport {
  return {
    team: "atlas",
    tasks,
    completed: tasks.filter(({ status }) => status === "completed").length,
    members: ["ada", "bo"],
    ms: 600_000,
    tokens: 12_000,
    cached_tokens: 6_000,
    cost_usd: 0.25,
    blocks: [],
    ends: [],
    permission_denials: [],
    failures: [],
    ...more,
  };
}

export function factsOf(report: TeamReport, events: TeamEvent[], more: Partial<ReportFacts> = {}): ReportFacts {
  const to = began + report.ms;
  const agent = (name: string) => ({ name, role: "", duty: "", model: "", spent: [] });
  return {
    report,
    running: false,
    stalled: [],
    from: began,
    to,
    agents: ["lead", ...report.members].map(agent),
    questions: [],
    files: filesOf(report),
    timeline: timelineOf(events, to),
    events,
    ...more,
  };
}

/** The fields of a task's event. */
export const of = (task: string, by: string, seconds: number) => ({
  at: at(seconds),
  by,
  revision: seconds,
  task,
  title: "T",
  assigned_to: by,
});

/** A team of eight with `count` events: tasks claimed, blocked, resumed and completed, and messages between all members. */
export function largeTeam(count: number): ReportFacts {
  const names = ["ada", "bo", "cy", "di", "ed", "fay", "gil", "hal"];
  const nameOf = (number: number) => names[number % names.length]!;
  const events: TeamEvent[] = [];
  const tasks: Task[] = [];
  for (let number = 1; events.length < count; number++) {
    const [id, who, second] = [`task-${number}`, nameOf(number), events.length];
    const title = `Port module ${number} to the new parser and mend what it breaks in the tests beside it`;
    const summary = `Module ${number} is ported; its tests pass, and two that could not fail are now able to.`;
    const stamp = (seconds: number) => ({ ...of(id, who, second + seconds), title });
    tasks.push(aTask({ id, title, summary, assigned_to: who, changes: [{ path: `src/module-${number}.ts`, added: 10, removed: 3 }] }));
    events.push({ kind: "task_created", ...stamp(0), by: "lead" }, { kind: "task_claimed", ...stamp(1) });
    if (number % 3 === 0) events.push({ kind: "task_blocked", ...stamp(2), reason: summary }, { kind: "task_resumed", ...stamp(3) });
    for (let letter = 0; letter < 4; letter++) {
      const message = {
        message: `m-${number}-${letter}`,
        mail: "message" as const,
        to: nameOf(number + 1 + letter),
        text: `${title}: ${summary}`,
      };
      events.push({ kind: "message_sent", by: who, at: at(second + 4 + letter), ...message });
    }
    events.push({ kind: "task_completed", ...stamp(9), summary });
  }
  const spent = tasks.map(({ id }) => ({ task: id, tokens: 1000, costUsd: 0.01 }));
  const report = aReport(tasks, { members: names, ms: count * 1000 });
  const agents = ["lead", ...names].map((name, index) => ({
    name,
    role: "",
    duty: "",
    model: "",
    spent: spent.filter((_, n) => n % 9 === index),
  }));
  return factsOf(report, events, { agents });
}
