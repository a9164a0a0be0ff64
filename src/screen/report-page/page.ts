// The report of a team as one self-contained HTML page: no other files and no network.
import { createHash } from "node:crypto";
import type { ReportFacts } from "../../team/report/report-facts.ts";
import { headLine } from "../team/team-report.ts";
import { chart } from "./chart.ts";
import { Html, html } from "./html.ts";
import { pageScript } from "./page-script.ts";
import { pageStyle } from "./page-style.ts";
import { type Detail, type Parts, partsOf } from "./parts.ts";
import { costTable, eventsList, filesTable, questionsTable, tasksTable } from "./tables.ts";

/** A larger page is slow to send and to open, so texts are shortened until the page is below this size. */
const mostBytes = 2_000_000;

const details: Detail[] = [
  { text: 2_000, titles: true },
  { text: 300, titles: true },
  { text: 100, titles: true },
  { text: 50, titles: false },
  { text: 25, titles: false },
];

export function reportPage(facts: ReportFacts): string {
  let page = "";
  for (const detail of details) {
    page = pageWith(partsOf(facts, detail)).text;
    if (Buffer.byteLength(page) <= mostBytes) break;
  }
  return page;
}

/** Whatever a text contains, the page runs only its own script and loads nothing. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash("sha256").update(pageScript).digest("base64")}'; base-uri 'none'; form-action 'none'`;

const generator = html`<meta name="generator" content="tool team report">`;

/** Whether this program wrote the page, for any team. */
export function isReportPage(text: string): boolean {
  return text.slice(0, 300).includes(generator.text);
}

function pageWith(parts: Parts): Html {
  const { report, running, stalled, from } = parts.facts;
  const head = headLine(report, running);
  const cut = parts.detail === details[0] ? "" : `Texts are cut at ${parts.detail.text} characters, because this report is long.`;
  const sections = sectionsOf(parts).filter(({ part }) => part.text !== "");
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${generator}<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>Team ${report.team}: report</title><style>${new Html(pageStyle)}</style></head><body>
<header><h1>Team ${report.team}</h1><p>${head}</p><p class="key">Began ${new Date(from).toISOString().slice(0, 16).replace("T", " ")} UTC.${cut}</p>${stalled.map((why) => html`<p class="needs_you">! Stalled: ${parts.words(why)}</p>`)}
<nav aria-label="Parts">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav></header>
<main>
${sections.map(({ part }) => part)}</main>
<footer>Keys: a agent, t task, x all, d light or dark, j and k through the events.</footer>
<script>${new Html(pageScript)}</script></body></html>
`;
}

/** A part without rows is empty. */
function sectionsOf(parts: Parts): { id: string; title: string; part: Html }[] {
  return [
    { id: "timeline", title: "Timeline", part: chart(parts) },
    { id: "tasks", title: "Tasks", part: tasksTable(parts) },
    { id: "cost", title: "Cost", part: costTable(parts) },
    { id: "questions", title: "Questions", part: questionsTable(parts) },
    { id: "files", title: "Files", part: filesTable(parts) },
    { id: "events", title: "Events", part: eventsList(parts) },
  ];
}
