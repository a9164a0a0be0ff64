// The events of a goal as lines: what it is, how each look at it came out, and at its end what was tried and what it cost.
import type { AgentEvent } from "../../agent/events.ts";
import { conditionText, type Goal, type GoalCheck, type GoalCondition, type GoalEnding } from "../../agent/goal/goal.ts";
import { dollars, duration, plural } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";

type GoalEvent = Extract<AgentEvent, { type: "goal_set" | "goal_checked" | "goal_ended" }>;

const mostOutputLines = 5;
const longestLine = 200;

export function goalLines(event: GoalEvent, style: Style): string {
  switch (event.type) {
    case "goal_set":
      return style.dim(`  ${goalName(event.condition)}. At most ${plural(event.maxTurns, "turn")}; Esc or /goal off ends it.`);
    case "goal_checked": {
      const state = event.holds ? "done" : "failed";
      const took = event.ms >= 1_000 ? style.dim(`  ${duration(event.ms)}`) : "";
      const output = event.output.split("\n").filter((line) => line.trim() !== "");
      const last = output
        .slice(-mostOutputLines)
        .map((line) => `\n${style.dim(`      ${style.separator} ${clamp(visibleLine(line), longestLine)}`)}`);
      return `  ${style.state(state, `${style.symbol(state)} goal: ${visibleLine(event.how)}`)}${took}${last.join("")}`;
    }
    case "goal_ended":
      return goalReport(event, style).join("\n");
  }
}

export function goalName(condition: GoalCondition): string {
  const text = clamp(visibleLine(conditionText(condition)), longestLine);
  return condition.kind === "command"
    ? `Goal: until \`${text}\` succeeds`
    : `Goal: ${text} (judged from the results of its calls; a command is written /goal !command)`;
}

type Ended = Pick<Extract<AgentEvent, { type: "goal_ended" }>, "condition" | "ending" | "checks" | "turns" | "costUsd">;

/** The first line says how it ended, each further one how one look came out and what had been changed before it. */
function goalReport({ condition, ending, checks, turns, costUsd }: Ended, style: Style): string[] {
  const reached = ending.kind === "done";
  const state = reached ? "done" : ending.kind === "aborted" ? "waiting" : "failed";
  const facts = style.dim([plural(checks.length, "check"), plural(turns, "turn"), dollars(costUsd)].join("  "));
  const head = style.state(state, `${style.symbol(state)} ${endWords(ending, clamp(visibleLine(conditionText(condition)), longestLine))}`);
  return [`  ${head}  ${facts}`, ...checks.map((check, index) => checkLine(check, index + 1, style))];
}

function endWords(ending: GoalEnding, condition: string): string {
  switch (ending.kind) {
    case "done":
      return `goal reached: ${condition}`;
    case "aborted":
      return `goal ended by you: ${condition}`;
    case "max_turns":
      return `goal not reached: ${condition}. The limit of ${plural(ending.limit, "turn")} was reached.`;
    case "budget":
      return `goal not reached: ${condition}. The budget of $${ending.limitUsd.toFixed(2)} is spent.`;
    case "not_reached":
    case "repeats_itself":
    case "stopped_by_hook":
    case "fault":
      return `goal not reached: ${condition}. ${visibleLine(ending.reason)}`;
  }
}

const mostFiles = 4;

function checkLine({ holds, how, files, said }: GoalCheck, number: number, style: Style): string {
  const state = holds ? "done" : "failed";
  const more = files.length > mostFiles ? [`${files.length - mostFiles} more`] : [];
  const changed = files.length > 0 ? [...files.slice(0, mostFiles), ...more].map(visibleLine).join(", ") : "no file changed";
  const words = said ? `  ${clamp(visibleLine(said), 80)}` : "";
  return `    ${String(number).padStart(2)}  ${style.state(state, `${style.symbol(state)} ${visibleLine(how)}`)}  ${style.dim(`${changed}${words}`)}`;
}

/** `goal 2 ✗ npm test`, for the status line. */
export function goalStatus({ condition, checks }: Goal, style: Style): string {
  const last = checks.at(-1);
  const looked = last ? ` ${checks.length} ${style.symbol(last.holds ? "done" : "failed")}` : "";
  return `goal${looked} ${clamp(visibleLine(conditionText(condition)), 30)}`;
}
