// Whatever others write, the terminal obeys only us: random bytes through every way onto the screen, read back from a terminal emulator.
import xterm from "@xterm/headless";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentEvent, TranscriptEvent } from "../../src/agent/events.ts";
import type { TeamEvent } from "../../src/board/event.ts";
import type { Task } from "../../src/board/tasks/task.ts";
import type { PermissionQuestion } from "../../src/permissions/questions/question.ts";
import { agentLines } from "../../src/screen/events/agent-lines.ts";
import { printLine, teamLine } from "../../src/screen/events/team-lines.ts";
import { teammateLine } from "../../src/screen/events/teammate-lines.ts";
import { openQuestion } from "../../src/screen/questions/open-question.ts";
import { questionStep } from "../../src/screen/questions/question-step.ts";
import { planTitle, questionText } from "../../src/screen/questions/question-text.ts";
import { memberStatusLine, paneTitle, teamStatusLine } from "../../src/screen/status/status-line.ts";
import { createStyle } from "../../src/screen/style.ts";
import { teamReportText } from "../../src/screen/team/team-report.ts";
import { createScreen } from "../../src/screen/terminal/screen.ts";
import { leadTitle } from "../../src/screen/terminal/title.ts";
import type { TeamReport } from "../../src/team/report/report.ts";
import type { MemberStatus } from "../../src/team/report/status.ts";
import { emulatedTerminal } from "./emulated-terminal.ts";

const style = createStyle({ LANG: "C.UTF-8" }, () => ["ada"]);
const at = "2026-01-01T00:00:00Z";

/** The mark that the editor leaves for a screen of its own, and the inverse cell of its cursor. */
const withoutCursor = (line: string) => line.replaceAll("\x1b_pi:c\x07", "");

/** Each puts the text in every place where others may have written it. */
const ways: Record<string, (text: string) => (string | undefined)[]> = {
  agentLines: (text) => [...agentEvents(text), ...transcriptOnly(text)].map((event) => agentLines(event, style)),
  teammateLine: (text) => transcriptOnly(text).map((event) => teammateLine("ada", event, style)),
  teamLine: (text) => teamEvents(text).map((event) => teamLine(event, style)),
  printLine: (text) => teamEvents(text).map((event) => printLine(event, new Date(at))),
  questions(text) {
    const question = permissionQuestion(text);
    const { terminal } = emulatedTerminal(200, 400);
    const view = openQuestion(questionStep(question, { asker: text, also: text, style }), { terminal, style, changed: () => {} });
    const room = { more: 1, line: false };
    const small = view.lines({ width: 40, rows: 12, ...room });
    view.onKey("v");
    const full = view.lines({ width: 40, rows: 12, ...room });
    view.onKey("q");
    const large = view.lines({ width: 200, rows: 400, ...room });
    for (const key of ["a", "\r"]) view.onKey(key);
    const rule = view.lines({ width: 200, rows: 400, ...room });
    const drawn = [...small, ...full, ...large, ...rule].map(withoutCursor);
    return [drawn.join("\n"), questionText(question, { asker: text, style, width: 80 }), planTitle({ asker: text, style })];
  },
  statusLines: (text) => {
    const status = statusOf(text);
    const tasks = [taskOf(text)];
    return [
      teamStatusLine({ tasks, members: [status], costUsd: 0, nowMs: 0, hint: { text, urgent: false } }, style, 200),
      memberStatusLine(status, { style, nowMs: 0, mode: "default", wayBack: "", width: 200 }),
      paneTitle(status, tasks, style),
    ];
  },
  report: (text) => [teamReportText(reportOf(text), style)],
};

function permissionQuestion(text: string): PermissionQuestion {
  const offers = [
    { rules: [text], always: true },
    { rules: [`${text}2`], always: true },
  ];
  const parts = [{ text, where: text, allowed: false }, ...Array.from({ length: 9 }, () => ({ text, where: "", allowed: true }))];
  return {
    kind: "permission",
    tool: text,
    parts,
    whole: text,
    change: [text],
    note: text,
    moreChange: 3,
    reason: text,
    offers,
    file: text,
  };
}

/** Text from others, with frequent sequences that are dangerous to terminals. */
const foreign = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom(
        "\x1b[2J",
        "\x1b[31m",
        "\x1b]2;title\x07",
        "\x1b]52;c;aGk=\x07",
        "\x1bc",
        "\x9b5A",
        "\x9d0;t\x9c",
        "\r",
        "\n",
        "\t",
        "\b",
        "\x7f",
        "\u202e",
        "\u2028",
        "\x1bP",
        "\x1b[?1049h",
        "\x1b[6n",
        "word",
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

/** Our own sequences: colours, and none that moves the cursor or asks the terminal. */
const esc = "\u001b";
const ourColours = new RegExp(`${esc}\\[\\d{0,2}m`, "g");

/** Control characters, line separators and characters that change the reading order. Only line breaks may come from us and from others. */
const unsafe = /(?!\n)\p{Cc}|\p{Zl}|\p{Zp}|[\u202a-\u202e\u2066-\u2069]/u;

it.each(Object.keys(ways))("%s draws no sequence that is not ours", (way) => {
  fc.assert(
    fc.property(foreign, (text) => {
      for (const line of ways[way]?.(text) ?? []) {
        const bare = (line ?? "").replaceAll(ourColours, "");
        expect(bare).not.toMatch(unsafe);
      }
    }),
    { numRuns: 100 },
  );
});

it("the text of a title cannot end the title", () => {
  fc.assert(
    fc.property(foreign, (text) => {
      expect(leadTitle(text).slice(4, -1)).not.toMatch(/\p{Cc}/u);
    }),
  );
});

it("on a terminal, visible text is kept without side effects", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(foreign, { minLength: 1, maxLength: 4 }), fc.integer({ min: 20, max: 120 }), async (texts, columns) => {
      const { screen, everything, surprises } = onTerminal(columns);
      for (const text of texts) screen.print(agentLines({ type: "notice", level: "warning", text: `<${text}>`, at }, style) ?? "");
      screen.close();
      const shown = await everything();
      expect(surprises).toEqual([]);
      for (const word of texts.flatMap((text) => text.match(/[a-z]{4}/g) ?? [])) expect(shown).toContain(word);
      expect(shown.match(/</g)?.length).toBeGreaterThanOrEqual(texts.length);
    }),
    { numRuns: 40 },
  );
});

function onTerminal(columns: number) {
  const emulator = new xterm.Terminal({ cols: columns, rows: 10, allowProposedApi: true, scrollback: 10_000 });
  const surprises: string[] = [];
  emulator.onBell(() => surprises.push("bell"));
  emulator.onTitleChange((title) => surprises.push(`title ${title}`));
  emulator.onData((answer) => surprises.push(`answer ${JSON.stringify(answer)}`));
  emulator.buffer.onBufferChange(() => surprises.push("another buffer"));
  let written = Promise.resolve();
  const screen = createScreen(
    {
      columns,
      rows: 10,
      measure: () => {},
      write(bytes) {
        written = written.then(() => new Promise<void>((done) => emulator.write(bytes, done)));
      },
      listen: () => () => {},
      onResize: () => () => {},
      every: () => () => {},
      afterwards: () => () => {},
      onLost: () => {},
    },
    () => ["status"],
  );
  const everything = async () => {
    await written;
    const { active } = emulator.buffer;
    // Rows are joined: a word may have been wrapped.
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "").join("");
  };
  return { screen, everything, surprises };
}

function agentEvents(text: string): AgentEvent[] {
  const inputs = [
    { source: { kind: "user" }, text },
    { source: { kind: "task", task: "task-1" }, text },
    { source: { kind: "mail", message: "1", from: "ada", mail: "message" }, text },
    { source: { kind: "harness" }, text },
  ] as const;
  return [{ type: "input", inputs: [...inputs], at }];
}

function transcriptOnly(text: string): TranscriptEvent[] {
  const call = { type: "tool_ended", id: "1", name: "Bash", subject: text, text, summary: text, touched: [], ms: 5, at } as const;
  const usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return [
    { type: "input", inputs: [{ source: { kind: "user" }, text }], at },
    {
      type: "reply",
      turn: 1,
      message: { role: "assistant", content: [{ type: "text", text }] },
      stop_reason: "end_turn",
      usage,
      costUsd: 0,
      model: "m",
      ms: 1,
      at,
    },
    { ...call, touched: [], isError: false },
    { ...call, touched: [], isError: true, summary: "denied" },
    { ...call, touched: [], isError: false, name: "TaskUpdate" },
    { ...call, touched: [], isError: false, name: text },
    { type: "retry", reason: text, waitMs: 1, retryCount: 1, at },
    { type: "notice", level: "info", text, at },
    { type: "notice", level: "error", text, at },
    { type: "ended", ending: { kind: "fault", reason: text }, text, at },
  ];
}

function teamEvents(text: string): TeamEvent[] {
  const stamp = { at, by: "ada", revision: 1, task: "task-1", title: text, assigned_to: "ada" };
  return [
    { kind: "task_created", ...stamp, dependencies: [text] },
    { kind: "task_claimed", ...stamp },
    { kind: "task_completed", ...stamp, summary: text },
    { kind: "task_blocked", ...stamp, reason: text },
    { kind: "task_changed", ...stamp, dependencies: [text] },
    { kind: "message_sent", at, by: text, to: text, message: "1", mail: "message", text },
    { kind: "message_unreadable", at, by: "ada", file: text, reason: text },
    { kind: "member_ended", at, by: "lead", member: "ada", how: text },
    { kind: "list_restored", at, by: "ada", revision: 1, damaged: text },
  ];
}

function statusOf(text: string): MemberStatus {
  const counts = { turns: 0, tokens: 0, cached_tokens: 0, cost_usd: 0 };
  return { name: "ada", pid: 1, start: "1", nonce: "", session: "", state: "working", task: "task-1", doing: text, since: at, ...counts };
}

function taskOf(text: string): Task {
  return {
    id: "task-1",
    title: text,
    description: text,
    status: "blocked",
    assigned_to: "ada",
    dependencies: [],
    created_at: at,
    blocked_reason: text,
  };
}

function reportOf(text: string): TeamReport {
  const task = {
    id: "task-1",
    title: text,
    assigned_to: "ada",
    dependencies: [],
    evidence: { kind: "test" as const, command: text, result: "failed" as const, summary: text, at: "2026-01-02T03:04:05.000Z" },
    files: [text],
    changes: [{ path: text, added: 1, removed: 0 }],
  };
  return {
    team: "atlas",
    tasks: [
      { ...task, status: "completed", summary: text },
      { ...task, status: "blocked", blocked_reason: text },
    ],
    completed: 1,
    members: ["ada"],
    ms: 1,
    tokens: 1,
    cached_tokens: 0,
    cost_usd: 0,
    blocks: [{ task: "task-1", ms: 1, reason: text, answered_by: text }],
    ends: [{ member: "ada", how: text }],
    permission_denials: [{ agent: text, tool: text, subject: text, reason: text }],
    failures: [{ item: text, error: text, agent: text }],
  };
}
