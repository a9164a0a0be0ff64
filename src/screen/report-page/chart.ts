// The timeline of the report page: a lane for each agent with its tasks and events, and messages as arrows between lanes.
import type { Arrow, Bar, Mark } from "../../team/report/timeline.ts";
import { clockTime, duration } from "../../wording/figures.ts";
import { Html, html, type Part } from "./html.ts";
import { grouped, type Parts, statePlates } from "./parts.ts";
import { createScale, type Scale } from "./scale.ts";

/** In pixels and in the units of the arrows: the height of a lane, and the top and bottom of its bars. */
const laneHeight = 32;
const barTop = 11;
const barBottom = 31;

export function chart(parts: Parts): Html {
  const { facts, agents } = parts;
  const { timeline, from, to, events } = facts;
  const scale = createScale(
    events.map(({ at }) => Date.parse(at)),
    { from, to },
  );
  const height = agents.length * laneHeight;
  const bars = grouped(timeline.bars, ({ agent }) => agent);
  const marks = grouped(timeline.marks, ({ agent }) => agent);
  const lanes = agents.map((name, number) => {
    const own = [
      ...(bars.get(name) ?? []).map((bar) => barOf(bar, scale, parts)),
      ...(marks.get(name) ?? []).map((mark) => markOf(mark, scale, parts)),
    ];
    return html`<div class="lane p${number % 6}"><b>${parts.words(name)}</b>${own}</div>\n`;
  });
  return html`<section id="timeline" aria-label="Timeline"><h2>Timeline</h2>
<p class="key">${key}</p>
<div class="chart" style="--n:${agents.length}"><div class="track">
<div class="axis">${scale.ticks.map(tickOf)}${scale.breaks.map(
    ({ at, width, ms }) =>
      html`<s style="left:${percent(at)};width:${percent(width)}" title="nothing happened for ${duration(ms)}">${duration(ms)}</s>`,
  )}</div>
${lanes}<svg viewBox="0 0 1000 ${height}" preserveAspectRatio="none" aria-hidden="true">${arrowsOf(timeline.arrows, scale, parts)}</svg>
</div></div></section>
`;
}

const key: Part = [
  html`<span class="w">${statePlates.working.symbol} at work</span> <span class="b">${statePlates.needs_you.symbol} blocked</span> `,
  html`▸ started, ↻ restarted, ✗ lost, ■ ended, ! waits for a person, ? may hang; an arrow is a message`,
];

function percent(value: number): string {
  return `${Number(value.toFixed(2))}%`;
}

/** The text is on the left of the tick where there is no room on its right. */
function tickOf({ at, ms }: Scale["ticks"][number]): Html {
  return at > lastWithRoom
    ? html`<i class="last" style="right:${percent(100 - at)}">${clockTime(ms)}</i>`
    : html`<i style="left:${percent(at)}">${clockTime(ms)}</i>`;
}

const lastWithRoom = 94;

/** Wide enough for a task's id. */
const widestUnnamed = 4;

function barOf({ agent, task, state, from, to }: Bar, scale: Scale, parts: Parts): Html {
  const left = scale.percent(from);
  const width = scale.percent(to) - left;
  const title = parts.facts.report.tasks[parts.numberOf(task)]?.title ?? "";
  const said = `${task} ${parts.words(title)}: ${state === "working" ? "at work" : "blocked"} for ${duration(to - from)}`;
  const about = parts.about([agent], task, state === "working" ? "w" : "b");
  const hint = parts.detail.titles ? html` title="${said}"` : html``;
  return html`<a ${about} href="#t${parts.numberOf(task)}" tabindex="-1" style="left:${percent(left)};width:${percent(width)}"${hint}>${width > widestUnnamed ? task : ""}</a>`;
}

const symbols: Record<Mark["kind"], string> = { started: "▸", restarted: "↻", ended: "■", lost: "✗", waits: "!", hung: "?" };

function markOf({ agent, at, kind, text }: Mark, scale: Scale, parts: Parts): Html {
  return html`<em ${parts.about([agent], undefined, kind)} style="left:${percent(scale.percent(at))}" title="${clockTime(at - parts.facts.from)} ${parts.words(text)}">${symbols[kind]}</em>`;
}

/** Arrows between the same two agents about the same task share one path, so that ten thousand of them can be drawn at once. */
function arrowsOf(arrows: readonly Arrow[], scale: Scale, parts: Parts): Html[] {
  const lane = (name: string) => parts.agents.indexOf(name) * laneHeight;
  const alike = grouped(arrows, ({ from, to, task }) => JSON.stringify([from, to, task ?? null]));
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (!first || first.from === first.to) return [];
    const [from, to] = [lane(first.from), lane(first.to)];
    const [start, end, back] = to > from ? [from + barBottom, to + barTop, -5] : [from + barTop, to + barBottom, 5];
    const path = same.map(({ at }) => `M${Math.round(scale.percent(at) * 10)} ${start}V${end}l-3 ${back}m3 ${-back}l3 ${back}`).join("");
    return html`<path ${parts.about([first.from, first.to], first.task ?? null)} d="${new Html(path)}"/>`;
  });
}
