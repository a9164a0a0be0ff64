// The tables of the report page: tasks, cost, questions, files, and all events.
import type { TeamEvent } from "../../board/event.ts";
import type { Spent } from "../../team/report/spending.ts";
import { evidenceWords } from "../../wording/evidence.ts";
import { clockTime, dollars, duration, tokens } from "../../wording/figures.ts";
import { eventFact } from "../events/team-lines.ts";
import { handsText } from "../status/hands-text.ts";
import { stateOfReported } from "../team/team-report.ts";
import { type Html, html } from "./html.ts";
import { grouped, type Parts, statePlates } from "./parts.ts";

/** A table with its headings; empty if there are no rows. */
function section(id: string, { title, heads, rows }: { title: string; heads: readonly string[]; rows: readonly Html[] }): Html {
  if (rows.length === 0) return html``;
  return html`<section id="${id}" class="table" style="--rows:${rows.length}"><h2>${title}</h2><div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}`)}<tbody>
${rows}</table></div></section>
`;
}

export function tasksTable(parts: Parts): Html {
  const { report, timeline, agents } = parts.facts;
  const bars = grouped(timeline.bars, ({ task }) => task);
  const spentOn = grouped(
    agents.flatMap(({ spent }) => spent),
    ({ task }) => task,
  );
  const rows = report.tasks.map(({ id, title, status, assigned_to, summary, evidence, blocked_reason, dependencies }, number) => {
    const own = bars.get(id) ?? [];
    const total = (state: "working" | "blocked") =>
      own.filter((bar) => bar.state === state).reduce((ms, { from, to }) => ms + to - from, 0);
    const state = stateOfReported({ status, evidence });
    const { symbol, word } = statePlates[state];
    const who = [assigned_to, ...own.map(({ agent }) => agent)];
    const said = summary ?? (blocked_reason && `blocked: ${blocked_reason}`) ?? "";
    const tests = status === "completed" ? html`<br><small>${parts.words(evidenceWords(evidence ?? undefined))}</small>` : "";
    const after = dependencies.length > 0 ? html` <small>after ${dependencies.slice(0, 40).join(", ")}</small>` : "";
    return html`<tr id="t${number}" ${parts.about(who, id)}><th scope="row">${id}<td class="${state}">${symbol} ${word}<td>${assigned_to ?? "nobody"}<td><b>${parts.words(title)}</b>${after}<br>${parts.words(said)}${tests}<td>${time(total("working"))}<td>${time(total("blocked"))}<td>${money(spentOn.get(id) ?? [])}
`;
  });
  return section("tasks", { title: "Tasks", heads: ["task", "state", "agent", "what", "at work", "blocked", "cost"], rows });
}

const time = (ms: number) => (ms > 0 ? duration(ms) : "");

function money(spent: readonly Spent[]): string {
  if (spent.length === 0) return "";
  return dollars(spent.some(({ costUsd }) => costUsd === null) ? null : spent.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0));
}

export function costTable(parts: Parts): Html {
  const { agents } = parts.facts;
  const rows = agents.flatMap(({ name, role, duty, model, spent, hands }) => {
    const what = [role, duty, model, hands ? `hands ${handsText(hands)}` : ""].filter(Boolean).map(parts.words).join(", ");
    const all = spent.reduce((sum, one) => sum + one.tokens, 0);
    const each = spent.map(
      (
        one,
      ) => html`<tr ${parts.about([name], one.task)}><td><td>${one.task ?? "beside its tasks"}<td>${tokens(one.tokens)}<td>${money([one])}
`,
    );
    return [
      html`<tr ${parts.about([name])}><th scope="row">${name}<td>${what}<td><b>${tokens(all)}</b><td><b>${money(spent)}</b>
`,
      ...each,
    ];
  });
  return section("cost", { title: "Cost by agent and task", heads: ["agent", "task", "tokens", "cost"], rows });
}

export function questionsTable(parts: Parts): Html {
  const { questions, from, report } = parts.facts;
  const asked = questions.map(({ agent, at, asked: what, answer }) => ({
    at,
    row: html`<tr ${parts.about([agent])}><td>${clockTime(at - from)}<td>${agent}<td><code>${parts.words(what)}</code><td>${answer === "" ? "open" : parts.words(answer)}
`,
  }));
  const blocks = report.blocks.map(({ task, ms, reason, answered_by }) => {
    const holder = report.tasks.find(({ id }) => id === task)?.assigned_to ?? null;
    return html`<tr ${parts.about([holder, answered_by], task)}><td>${duration(ms)}<td>${holder ?? ""}<td>${task} was blocked: ${parts.words(reason)}<td>${answered_by === null ? "nobody answered" : `answered by ${parts.words(answered_by)}`}
`;
  });
  const rows = [...asked.toSorted((a, b) => a.at - b.at).map(({ row }) => row), ...blocks];
  return section("questions", { title: "Questions, and who answered", heads: ["when, how long", "agent", "what", "answer"], rows });
}

export function filesTable(parts: Parts): Html {
  const rows = parts.facts.files.map(({ path, tasks, agents, added, removed }) => {
    const lines = added === undefined || removed === undefined ? "" : `+${added} −${removed}`;
    // Shown only when this task is selected; other tasks show the file in their own rows.
    return tasks.map(
      (
        task,
      ) => html`<tr ${parts.about(agents, task)}><td><code>${parts.words(path)}</code><td>${task === tasks[0] ? lines : ""}<td>${task}<td>${agents.join(", ")}
`,
    );
  });
  return section("files", { title: "Files", heads: ["file", "lines", "task", "agent"], rows: rows.flat() });
}

/** Rows that are laid out together once they come into view. */
const rowsTogether = 200;

export function eventsList(parts: Parts): Html {
  const { events, from } = parts.facts;
  const rows = events.flatMap((event) => {
    const fact = eventFact(event);
    if (fact === undefined) return [];
    const about = parts.about(peopleOf(event), "task" in event ? event.task : null);
    return html`<li ${about}><time>${clockTime(Date.parse(event.at) - from)}</time> ${parts.words(fact)}
`;
  });
  const chunks = Array.from({ length: Math.ceil(rows.length / rowsTogether) }, (_, index) =>
    rows.slice(index * rowsTogether, (index + 1) * rowsTogether),
  );
  return html`<section id="events"><h2>All events</h2>
${chunks.map((chunk) => html`<ol>${chunk}</ol>`)}</section>
`;
}

/** Every member that an event concerns. */
function peopleOf(event: TeamEvent): (string | null)[] {
  const others = ["to" in event && event.to, "member" in event && event.member, "assigned_to" in event && event.assigned_to];
  return [event.by, ...others.filter((name) => typeof name === "string")];
}
