// The checker finds planted damage: a team's intact files, and each kind of damage to them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { check, type Evidence } from "./checker.ts";

type Facts = {
  record: { members: { name: string; role: string; session: string; ended?: object }[] };
  tasks: { id: string; title: string; status: string; assigned_to: string | null; dependencies: string[]; summary?: string }[];
  revision: number;
  log: object[];
  mail: { to: string; place: string; message: { id: string; from: string; to: string; kind: string; text: string } }[];
  transcripts: Record<string, object[]>;
  /** Other files, by their path in the team's folder. */
  files: Record<string, string>;
  evidence: Partial<Evidence>;
};

const message = { id: "m1", from: "ann", to: "bo", kind: "message", text: "hello" };
const shown = { type: "input", inputs: [{ source: { kind: "mail", message: "m1" } }] };
const ended = (id: string, text: string, isError = false) => ({ type: "tool_ended", id, text, isError });
const asks = (...content: object[]) => ({ type: "reply", message: { content: content.map((call) => ({ type: "tool_use", ...call })) } });
const completes = (id: string, task: string) => ({ id, name: "TaskUpdate", input: { id: task, status: "completed" } });

/** Two tasks, one depending on the other, by ann and bo; one message. */
function whole(): Facts {
  const task = (kind: string, revision: number, id: string, by: string, assigned_to: string | null) => ({
    kind,
    revision,
    task: id,
    by,
    assigned_to,
  });
  return {
    record: { members: ["lead", "ann", "bo"].map((name) => ({ name, role: name === "lead" ? "lead" : "teammate", session: `s-${name}` })) },
    tasks: [
      { id: "task-1", title: "One", status: "completed", assigned_to: "ann", dependencies: [], summary: "Done." },
      { id: "task-2", title: "Two", status: "completed", assigned_to: "bo", dependencies: ["task-1"], summary: "Done." },
    ],
    revision: 6,
    log: [
      { kind: "team_created", by: "user" },
      task("task_created", 1, "task-1", "lead", null),
      task("task_created", 2, "task-2", "lead", null),
      task("task_claimed", 3, "task-1", "ann", "ann"),
      task("task_completed", 4, "task-1", "ann", "ann"),
      task("task_claimed", 5, "task-2", "bo", "bo"),
      task("task_completed", 6, "task-2", "bo", "bo"),
    ],
    mail: [{ to: "bo", place: "done", message }],
    transcripts: {
      lead: [
        asks({ id: "l1", name: "TaskCreate", input: { title: "One" } }, { id: "l2", name: "TaskCreate", input: { title: "Two" } }),
        ended("l1", "Created task-1: One."),
        ended("l2", "Created task-2: Two."),
      ],
      ann: [
        asks({ id: "a1", name: "SendMessage", input: { to: "bo", text: "hello" } }, completes("a2", "task-1")),
        ended("a1", "Sent to bo."),
        ended("a2", "task-1 is completed, by ann."),
      ],
      bo: [shown, asks(completes("b1", "task-2")), ended("b1", "task-2 is completed, by bo.")],
    },
    files: {},
    evidence: {},
  };
}

function judged(damage: (facts: Facts) => void = () => {}) {
  const facts = whole();
  damage(facts);
  const configDir = mkdtempSync(join(tmpdir(), "tool-chaos-check-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(configDir, path)), { recursive: true });
    writeFileSync(join(configDir, path), text);
  };
  const lines = (events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
  write("teams/atlas/team.json", JSON.stringify(facts.record));
  write("teams/atlas/tasks.json", JSON.stringify({ revision: facts.revision, tasks: facts.tasks }));
  write("teams/atlas/log/events.jsonl", `{"kind":"torn\n${lines(facts.log)}`);
  for (const [name, events] of Object.entries(facts.transcripts)) write(`projects/-repo/s-${name}.jsonl`, lines(events));
  for (const { to, place, message: mail } of facts.mail) write(`teams/atlas/mailbox/${to}/${place}/${mail.id}.json`, JSON.stringify(mail));
  for (const [path, text] of Object.entries(facts.files)) write(`teams/atlas/${path}`, text);
  const titles = new Map([
    ["One", []],
    ["Two", ["One"]],
  ]);
  try {
    return check({ configDir, team: "atlas", expected: { titles }, end: { code: 0, signal: null }, processes: [], ...facts.evidence });
  } finally {
    rmSync(configDir, { recursive: true });
  }
}

const at = <T>(list: readonly T[], index: number): T => list.at(index) as T;

it("finds nothing in a team that is whole, and says what it has looked at", () => {
  const counted = { tasks: 2, completions: 2, messages: 1, unread: 0, calls: 5, processes: 0 };
  expect(judged()).toEqual({ violations: [], counted });
});

it.each<[string, (facts: Facts) => void, string[]]>([
  ["a lost task", ({ tasks }) => tasks.pop(), ['The task "Two" is lost', expect.stringContaining('"Two" was acknowledged and is lost')]],
  ["a task that was created twice", ({ tasks }) => tasks.push({ ...at(tasks, 0), id: "task-3" }), ['The task "One" was created twice']],
  ["a task that nobody ordered", ({ tasks }) => (at(tasks, 1).title = "Three"), ['Nobody ordered task-2 "Three"']],
  ["a lost dependency", ({ tasks }) => (at(tasks, 1).dependencies = []), ["task-2 depends on , not on One"]],
  [
    "a doubled completion",
    (facts) => {
      facts.log.push({ ...at(facts.log, -1), revision: 7 });
      facts.revision = 7;
    },
    ["Revision 7: task_completed of task-2, which was completed", "task-2 was completed 2 times"],
  ],
  [
    "two owners",
    (facts) => {
      facts.log.splice(4, 1, { ...at(facts.log, 3), revision: 4, by: "bo", assigned_to: "bo" });
    },
    ["Revision 4: task_claimed of task-1, which was in_progress"],
  ],
  [
    "a completion by somebody else",
    ({ log }) => log.splice(4, 1, { ...at(log, 4), by: "bo" }),
    ["Revision 4: bo completed task-1, which ann held"],
  ],
  [
    "a task that was begun too early",
    ({ log }) => log.splice(3, 4, ...[5, 6, 3, 4].map((index, place) => ({ ...at(log, index), revision: place + 3 }))),
    ["Revision 3: task-2 was begun before task-1 was completed"],
  ],
  ["a missing revision", ({ log }) => log.splice(3, 1), ["The log has no event of revision 3"]],
  [
    "a completion that was acknowledged and lost",
    ({ tasks }) => (at(tasks, 1).status = "in_progress"),
    ["The lead ended with 0 and task-2 is in_progress", "The completion of task-2 by bo was acknowledged and is lost"],
  ],
  [
    "a lost message",
    (facts) => (facts.mail = []),
    ["bo was shown the message m1, of which there is no file", 'The message "hello" of ann to bo was acknowledged and is there 0 times'],
  ],
  [
    "a doubled message",
    ({ mail }) => mail.push({ to: "bo", place: "done", message: { ...message, id: "m2" } }),
    ["was acknowledged and is there 2 times"],
  ],
  ["a message in two places", ({ mail }) => mail.push({ ...at(mail, 0), place: "cur" }), ["The message m1 lies in two places"]],
  ["a message that was shown twice", ({ transcripts }) => transcripts["bo"]?.push(shown), ["The message m1 was shown 2 times"]],
  [
    "a message that was never shown",
    (facts) => {
      at(facts.mail, 0).place = "new";
      facts.transcripts["bo"]?.shift();
    },
    ["The message m1 to bo was never shown"],
  ],
  [
    "a message that was acknowledged without being shown",
    ({ transcripts }) => transcripts["bo"]?.shift(),
    ["The message m1 to bo is acknowledged and was never shown"],
  ],
  [
    "a message shown to somebody else",
    ({ transcripts }) => transcripts["ann"]?.push(transcripts["bo"]?.shift() ?? {}),
    ["ann was shown the message m1 to bo"],
  ],
  ["a file that is no message", (facts) => (facts.files = { "mailbox/bo/bad/m9.json": "{" }), ["m9.json is no message"]],
  [
    "a call with two results",
    ({ transcripts }) => transcripts["bo"]?.push(ended("b1", "again")),
    ["bo: the call b1 (TaskUpdate) has 2 results"],
  ],
  ["a launch file", (facts) => (facts.files = { "members/ann/launch.json": "{}" }), ["members/ann/launch.json"]],
  ["an orphan", (facts) => (facts.evidence = { processes: ["77 sleep 60"] }), ["A process of the team lives on: 77 sleep 60"]],
  [
    "an exit code that is not true",
    (facts) => (facts.evidence = { end: { code: 1, signal: null } }),
    ["All tasks are completed, and the lead ended with 1"],
  ],
  [
    "an end by a signal",
    (facts) => (facts.evidence = { end: { code: null, signal: "SIGSEGV" } }),
    ["The last process of the lead was ended by SIGSEGV"],
  ],
])("finds %s", (_damage, plant, expected) => {
  const { violations } = judged(plant);
  expect(violations).toEqual(
    expect.arrayContaining(expected.map((text) => (typeof text === "string" ? expect.stringContaining(text) : text))),
  );
});

it("takes for no failure that a resume had nothing to do, and for one that it had", () => {
  const end = { code: 2, signal: null, nothingToResume: true };
  const unfinished = judged((facts) => {
    facts.evidence = { end };
    at(facts.tasks, 1).status = "in_progress";
  });
  expect(judged((facts) => (facts.evidence = { end })).violations).toEqual([]);
  expect(unfinished.violations).toContain("The lead gave up with 2: 1 tasks are left");
});

it("does not miss messages that lie with members that have ended, and takes two log lines of one revision for one change", () => {
  const { violations, counted } = judged((facts) => {
    at(facts.mail, 0).place = "new";
    facts.transcripts["bo"]?.shift();
    at(facts.record.members, 2).ended = { how: "its pane was closed" };
    facts.log.splice(5, 0, { ...at(facts.log, 5), by: "ann", assigned_to: "ann" });
  });
  expect([violations, counted.unread]).toEqual([[], 1]);
});
