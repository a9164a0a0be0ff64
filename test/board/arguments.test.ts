// Which arguments of an operation are refused, and in which order they are checked.
import { describe, expect, it } from "vitest";
import { maxTitleLength, readArguments } from "../../src/board/arguments.ts";

type Name = Parameters<typeof readArguments>[0];
const refusal = (name: Name, args: unknown) => {
  const read = readArguments(name, args);
  return read.ok ? "ok" : `${read.code}: ${read.reason}`;
};
const code = (name: Name, args: unknown) => refusal(name, args).split(":")[0];

describe("readArguments()", () => {
  it("returns typed arguments, and treats null as absent", () => {
    expect(readArguments("TaskCreate", { title: "x", description: null, assignee: null, dependencies: null })).toEqual({
      ok: true,
      args: { title: "x", assignee: null },
    });
    expect(readArguments("TaskUpdate", { id: "task-1", status: "completed", summary: null })).toEqual({
      ok: true,
      args: { id: "task-1", status: "completed" },
    });
  });

  it("says what was found and what is expected", () => {
    expect(refusal("TaskCreate", { title: "x", priority: 1 })).toBe(
      'unknown_field: Cannot run TaskCreate: "priority" is not an argument; it takes title, description, assignee, dependencies, files, verify',
    );
    expect(refusal("TaskList", { all: true, open: null })).toBe(
      'unknown_field: Cannot run TaskList: "all", "open" are not arguments; it takes no arguments',
    );
    expect(refusal("TaskGet", { id: 3 })).toBe('bad_id: Cannot run TaskGet: "id": 3 is not a task id; one looks like "task-3"');
    expect(refusal("TaskGet", {})).toBe('bad_id: Cannot run TaskGet: "id": nothing is not a task id; one looks like "task-3"');
    expect(refusal("TaskUpdate", { id: "task-1", status: "done" })).toBe(
      'bad_status: Cannot run TaskUpdate: "status": "done" is not a status; use one of open, in_progress, blocked, completed',
    );
    expect(refusal("TaskCreate", { title: "x".repeat(201) })).toBe(
      'bad_title: Cannot run TaskCreate: "title": a title has at most 200 characters, and this one has 201; put the rest into the description',
    );
    expect(refusal("TaskCreate", ["x"])).toBe('bad_request: Cannot run TaskCreate: its "args" must be an object, and ["x"] was found');
  });

  it.each([1, null, "", "3", "task-", "task-1 ", "Task-1", "task-1.5", "task--1", "task-1\n", " task-1", {}, ["task-1"]])(
    "refuses %j as a task id, also among dependencies",
    (id) => {
      expect(code("TaskGet", { id })).toBe("bad_id");
      expect(code("TaskUpdate", { id })).toBe("bad_id");
      expect(code("TaskCreate", { title: "x", dependencies: ["task-1", id] })).toBe("bad_id");
    },
  );

  it.each([
    undefined,
    null,
    5,
    {},
    "",
    " ",
    "\t",
    "\u00a0\u2003",
    "\u200b",
    "two\nlines",
    "bell\u0007",
    "a\u2028b",
    "x".repeat(maxTitleLength + 1),
  ])("refuses %j as a title", (title) => {
    expect(code("TaskCreate", { title })).toBe("bad_title");
  });

  it.each([
    ["/etc/a.ts", "is not below the working directory; name it from there"],
    ["~/a.ts", "is not below the working directory; name it from there"],
    ["src/../../a.ts", "is not below the working directory; name it from there"],
    ["src/*.ts", "is a pattern; name each file"],
    ["src/", "is a folder; name each file in it"],
    [".", "is a folder; name each file in it"],
    [" ", "is not a path"],
    ["a\nb", "is not a path"],
  ])("refuses %j as a file of a task", (path, problem) => {
    const reason = `bad_request: Cannot run TaskCreate: "files.1": ${JSON.stringify(path)} ${problem}`;
    expect(refusal("TaskCreate", { title: "x", files: ["src/a.ts", path] })).toBe(reason);
  });

  it("normalizes a file's name", () => {
    const files = ["./src//a.ts", "Kapitel 1.md", ".github/x.yml"];
    expect(readArguments("TaskUpdate", { id: "task-1", files })).toEqual({
      ok: true,
      args: { id: "task-1", files: ["src/a.ts", "Kapitel 1.md", ".github/x.yml"] },
    });
    expect(refusal("TaskCreate", { title: "x", files: "src/a.ts" })).toBe(
      'bad_request: Cannot run TaskCreate: "files": must be a list of paths',
    );
    expect(code("TaskCreate", { title: "x", files: Array.from({ length: 201 }, (_, at) => `${at}.ts`) })).toBe("bad_request");
  });

  it.each(["x", " padded ", "日付を解析する", "👩‍💻".repeat(60), "x".repeat(maxTitleLength)])(
    "accepts %j as a title unchanged",
    (title) => {
      expect(readArguments("TaskCreate", { title })).toEqual({ ok: true, args: { title } });
    },
  );

  it.each<[code: string, name: Name, args: unknown]>([
    ["unknown_field", "TaskCreate", { title: "", dependencies: ["x"], assignee: 4, extra: 1 }],
    ["unknown_field", "TaskUpdate", { id: "x", status: "x", title: "x" }],
    ["unknown_field", "SendMessage", { to: "bo", text: "x", from: "ann" }],
    ["unknown_field", "TaskGet", JSON.parse('{"id":"x","__proto__":1}')],
    ["bad_id", "TaskCreate", { title: "", dependencies: ["x"], assignee: 4 }],
    ["bad_id", "TaskUpdate", { id: "x", status: "x", summary: 4 }],
    ["bad_title", "TaskCreate", { title: "", assignee: 4, dependencies: "task-1" }],
    ["bad_status", "TaskUpdate", { id: "task-1", status: null, summary: 4 }],
    ["bad_status", "TaskUpdate", { id: "task-1", status: "COMPLETED" }],
    ["bad_request", "TaskCreate", { title: "x", dependencies: "task-1" }],
    ["bad_request", "TaskUpdate", { id: "task-1", assignee: 4 }],
    ["bad_request", "SendMessage", { to: 4, text: "x" }],
    ["bad_request", "Inbox", { ack: "all" }],
    ["bad_request", "TaskList", null],
  ])("answers %s to %s %j", (expected, name, args) => {
    expect(code(name, args)).toBe(expected);
  });
});
