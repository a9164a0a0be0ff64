// The report page: its content, that no text from others becomes markup, and that it stays small.
import { expect, it } from "vitest";
import type { TeamEvent } from "../../../src/board/event.ts";
import { reportPage } from "../../../src/screen/report-page/page.ts";
import { aReport, aTask, at, factsOf, largeTeam, of } from "./facts.ts";

const rowsOf = (page: string, section: string) => {
  const [, found = ""] = new RegExp(`<section id="${section}"[^>]*>(.*?)</section>`, "s").exec(page) ?? [];
  const body = found.slice(found.indexOf("<tbody>"));
  return body
    .split(/<tr|<li/)
    .slice(1)
    .map((row) =>
      row
        .replace(/^[^>]*>/, "")
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
};

const events: TeamEvent[] = [
  { kind: "member_started", at: at(1), by: "lead", member: "ada" },
  { kind: "task_claimed", ...of("task-1", "ada", 10) },
  { kind: "task_blocked", ...of("task-1", "ada", 30), reason: "which format?" },
  { kind: "message_sent", at: at(35), by: "bo", message: "m", mail: "message", to: "ada", text: "ISO" },
  { kind: "task_resumed", ...of("task-1", "ada", 40) },
  { kind: "member_restarted", at: at(50), by: "lead", member: "ada", how: "killed by signal 9", after_ms: 0 },
  { kind: "task_completed", ...of("task-1", "ada", 100), summary: "Parsed." },
];

const tasks = [
  aTask({ id: "task-1", summary: "Parsed.", changes: [{ path: "src/dates.ts", added: 4, removed: 1 }], dependencies: ["task-2"] }),
  aTask({ id: "task-2", title: "Print them", status: "open", assigned_to: null }),
];

const spent = [
  { task: "task-1", tokens: 5000, costUsd: 0.2 },
  { task: null, tokens: 200, costUsd: null },
];

it("shows tasks with times and cost, answers, files, and all events", () => {
  const page = reportPage(
    factsOf(aReport(tasks, { blocks: [{ task: "task-1", ms: 10_000, reason: "which format?", answered_by: "bo" }] }), events, {
      agents: [
        { name: "lead", role: "", duty: "", model: "", spent: [] },
        { name: "ada", role: "tester", duty: "dates", model: "m-1", spent },
        { name: "bo", role: "", duty: "", model: "", spent: [] },
      ],
      questions: [{ agent: "bo", at: Date.parse(at(60)), asked: "Bash git push", answer: "answered at the lead: allowed once" }],
    }),
  );
  expect(rowsOf(page, "tasks")).toEqual([
    "task-1 ✓ done ada Parse dates after task-2 Parsed. no test was run 1m20s 10s $0.20",
    "task-2 · open nobody Print them",
  ]);
  expect(rowsOf(page, "cost")).toEqual([
    "lead 0",
    "ada tester, dates, m-1 5.2k cost unknown",
    "task-1 5.0k $0.20",
    "beside its tasks 200 cost unknown",
    "bo 0",
  ]);
  expect(rowsOf(page, "questions")).toEqual([
    "01:00 bo Bash git push answered at the lead: allowed once",
    "10s ada task-1 was blocked: which format? answered by bo",
  ]);
  expect(rowsOf(page, "files")).toEqual(["src/dates.ts +4 −1 task-1 ada"]);
  expect(page.match(/<time>.*/g)?.map((line) => line.replaceAll(/<[^>]*>/g, ""))).toEqual([
    "00:01 ada started",
    "00:10 ada claimed task-1 T",
    "00:30 task-1 blocked (ada): which format?",
    "00:35 bo to ada: ISO",
    "00:40 ada resumed task-1",
    "00:50 ada: killed by signal 9. Starting it again; it keeps its task.",
    "01:40 ada completed task-1: Parsed.",
  ]);
});

it("draws a lane for each agent with its bars and events, and messages as arrows", () => {
  const page = reportPage(factsOf(aReport(tasks), events));
  expect(page.match(/<div class="lane[^>]*><b>[^<]*/g)?.map((lane) => lane.replace(/.*>/, ""))).toEqual(["lead", "ada", "bo"]);
  expect(page.match(/<a class="A [^>]*style="[^"]*"/g)?.map((bar) => /(w|b)" .*style="(.*)"/.exec(bar)?.slice(1))).toEqual([
    ["w", "left:1.67%;width:3.33%"],
    ["b", "left:5%;width:1.67%"],
    ["w", "left:6.67%;width:10%"],
  ]);
  expect(page.match(/<em [^>]*>./g)?.map((mark) => mark.slice(-1))).toEqual(["▸", "↻"]);
  expect(page.match(/<path [^>]*/g)).toEqual(['<path class="A a2 a1 T" d="M58 75V63l-3 5m3 -5l3 5"/']);
});

const nasty = [
  "</script><script>alert(1)</script>",
  '" onmouseover="alert(1)" x="',
  "'><img src=x onerror=alert(1)>",
  "</style></title><!--",
  "a\u202eb\u0007",
];

it("escapes all text from outside, wherever it is", () => {
  const text = nasty.join(" ");
  const tasks = [aTask({ id: "task-1", title: text, summary: text, assigned_to: text, dependencies: [text], changes: [{ path: text }] })];
  const page = reportPage(
    factsOf(
      aReport(tasks, { team: text, members: [text], blocks: [{ task: text, ms: 1, reason: text, answered_by: text }] }),
      [
        { kind: "task_claimed", ...of("task-1", text, 1), title: text },
        { kind: "message_sent", at: at(2), by: text, message: "m", mail: "message", to: "lead", text },
        { kind: "member_ended", at: at(3), by: "lead", member: text, how: text },
      ],
      {
        stalled: [text],
        questions: [{ agent: text, at: Date.parse(at(4)), asked: text, answer: text }],
        agents: [{ name: text, role: text, duty: text, model: text, spent: [{ task: text, tokens: 1, costUsd: 1 }] }],
      },
    ),
  );
  expect(page.match(/<\/?(?:script|img|style|title|!--)[^>]*>/g)).toEqual([
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
  ]);
  expect(page).not.toMatch(/<[^>"]*(?:"[^"]*"[^>"]*)*\son\w+=/);
  expect([page.includes("\u202e"), page.includes("\u0007")]).toEqual([false, false]);
});

it("loads nothing, and runs only its own script", () => {
  const page = reportPage(factsOf(aReport(tasks), events));
  expect(/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]).toMatch(
    /^default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;sha256-[\w+/=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;$/,
  );
  expect(page.match(/\b(?:src|href|action|url)\s*[=(]\s*["']?(?!#)[^"'\s>]+/g)).toBeNull();
});

it("shows ten thousand events in less than two megabytes, and says that texts are cut", () => {
  const page = reportPage(largeTeam(10_000));
  expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
  expect(page.match(/<li /g)?.length).toBeGreaterThanOrEqual(10_000);
  expect(page).toMatch(/Texts are cut at \d+ characters/);
});

it("says of each table how many rows it has, so that a browser leaves room for it without laying it out", () => {
  const page = reportPage(largeTeam(300));
  const told = [...page.matchAll(/<section id="(\w+)" class="table" style="--rows:(\d+)">/g)].map(([, id = "", rows]) => [
    id,
    Number(rows),
  ]);
  expect(told.map(([id]) => id)).toContain("tasks");
  expect(told).toEqual(told.map(([id]) => [id, rowsOf(page, String(id)).length]));
});

it("works for a team that has done nothing yet", () => {
  expect(reportPage(factsOf(aReport([], { ms: 0 }), []))).toContain("0 of 0 tasks");
});

it("links to the parts that it has, each of which exists", () => {
  const links = (page: string) => [...page.matchAll(/<a href="#(\w+)">/g)].map(([, id]) => id);
  const empty = reportPage(factsOf(aReport([], { ms: 0 }), []));
  expect(links(empty)).toEqual(["timeline", "cost", "events"]);
  const page = reportPage(factsOf(aReport(tasks), events));
  expect(links(page)).toEqual(["timeline", "tasks", "cost", "files", "events"]);
  expect(links(page).filter((id) => !page.includes(`<section id="${id}"`))).toEqual([]);
});

it("writes the time of a tick at the end on its left, where there is room", () => {
  const page = reportPage(factsOf(aReport(tasks), events));
  expect(page).toContain('<i style="left:0%">00:00</i>');
  expect(page).toContain('<i class="last" style="right:0%">10:00</i></div>');
});
