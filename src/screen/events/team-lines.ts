// One line for each event of a team: on the lead's screen, and in print mode after the time.
import type { TeamEvent } from "../../board/event.ts";
import { evidenceWords } from "../../wording/evidence.ts";
import { clockTime, duration } from "../../wording/figures.ts";
import { doneState, evidenceAside } from "../evidence-text.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";

const longestPreview = 200;

/** The column at which the text of a line begins; wrapped lines are indented to it. */
export const teamLineHang = 11;

/** `tookMs`: how long a completed task took. `way`: the keys that show a teammate that is not in view. */
type Known = { tookMs?: number | undefined; way?: string | undefined };

/** The line for the lead's screen; undefined if the event is not worth one. */
export function teamLine(event: TeamEvent, style: Style, { tookMs, way }: Known = {}): string | undefined {
  const name = (who: string) => style.member(who, visibleLine(who).padEnd(6));
  const row = (who: string, state: Parameters<Style["symbol"]>[0], text: string) =>
    `  ${name(who)} ${style.state(state, style.symbol(state))} ${visibleLine(text)}`;
  switch (event.kind) {
    case "task_claimed":
      return row(event.by, "working", `${event.task}  ${event.title}${overlapping(event)}`);
    case "task_completed":
      return `${row(event.by, doneState(event), `${event.task}  ${event.summary}`)}${event.evidence ? evidenceAside(event.evidence, style) : ""}${tookMs === undefined ? "" : style.dim(`  ${duration(tookMs)}`)}`;
    case "task_sent_back":
      return row(event.by, "working", `${event.task}  not completed yet: ${event.reason}`);
    case "task_blocked":
      return row(event.assigned_to ?? event.by, "needs_you", `${event.task}  blocked: ${event.reason ?? "no reason given"}`);
    case "task_resumed":
      return row(event.by, "working", `${event.task}  resumed${overlapping(event)}`);
    case "task_released":
      return row(event.by, "waiting", `${event.task}  released${event.assigned_to ? ` to ${event.assigned_to}` : ""}`);
    case "task_changed":
      return row(event.by, "waiting", `${event.task}  ${change(event)}`);
    case "file_taken":
      return event.overlaps && row(event.by, "needs_you", `${event.task}  ${overlap(event)}`);
    case "task_created":
      return row(
        event.by,
        "waiting",
        `${event.task}  ${event.title}${event.dependencies?.length ? `  (after ${event.dependencies.join(", ")})` : ""}`,
      );
    case "message_sent":
      if (event.mail !== "message") return undefined;
      return `  ${name(event.by)} ${style.arrow} ${style.member(event.to, visibleLine(event.to))}  ${visibleLine(event.text).slice(0, longestPreview)}`;
    case "message_unreadable":
      return row(event.by, "failed", `cannot read the message ${event.file}: ${event.reason}`);
    case "member_started":
      return way && row(event.member, "waiting", `started: ${way} shows its window, since no pane fits here`);
    case "hands_started":
      return row(event.member, "waiting", handsStarted(event));
    case "hands_gone":
      return row(event.member, "needs_you", handsGone(event));
    case "member_restarted":
      return row(event.member, "needs_you", restart(event));
    case "member_waits":
      return event.again_ms === undefined
        ? row(event.member, "needs_you", `waits for you: ${wait(event)}`)
        : row(event.member, "waiting", `waits for its model: ${wait(event)}`);
    case "member_hung":
      return row(event.member, "needs_you", hung(event));
    case "member_ended":
      return row(event.member, "waiting", `ended: ${event.how}`);
    case "list_restored":
      return row(event.by, "needs_you", `restored the task list${event.damaged ? `; the damaged one is ${event.damaged}` : ""}`);
    case "team_created":
    case "team_resumed":
      return undefined;
  }
}

/** The outcome of a teammate's question. */
export function memberLine(name: string, text: string, style: Style): string {
  return `  ${style.member(name, name.padEnd(6))} ${style.symbol("waiting")} ${visibleLine(text)}`;
}

/** Shown if a teammate ended while it was in the foreground. */
export function endedInForegroundLine(name: string, style: Style): string {
  return `  ${style.member(name, name.padEnd(6))} ${style.symbol("waiting")} ended while it was shown; back at the lead`;
}

/** Tools whose calls the team's events report already. */
export const saidByTeamEvents = new Set([
  "TaskCreate",
  "TaskUpdate",
  "TaskGet",
  "TaskList",
  "SendMessage",
  "SpawnTeammate",
  "StopTeammate",
]);

/** The line for print mode: one fact, without cursor movement or colour. */
export function printLine(event: TeamEvent, startedAt: Date): string | undefined {
  const fact = eventFact(event);
  if (fact === undefined) return undefined;
  return `${clockTime(Date.parse(event.at) - startedAt.getTime())} ${visibleLine(fact)}`;
}

/** The event as a sentence that quotes others' text unchanged; undefined if it is not worth one. */
export function eventFact(event: TeamEvent): string | undefined {
  switch (event.kind) {
    case "task_created":
      return `${event.by} created ${event.task} ${event.title}${event.dependencies?.length ? ` (after ${event.dependencies.join(", ")})` : ""}`;
    case "task_claimed":
      return `${event.by} claimed ${event.task} ${event.title}${overlapping(event)}`;
    case "task_completed":
      return `${event.by} completed ${event.task}: ${event.summary}${event.evidence ? ` (${evidenceWords(event.evidence)})` : ""}`;
    case "task_sent_back":
      return `${event.by} keeps ${event.task}: ${event.reason}`;
    case "task_blocked":
      return `${event.task} blocked (${event.assigned_to ?? event.by}): ${event.reason ?? "no reason given"}`;
    case "task_resumed":
      return `${event.by} resumed ${event.task}${overlapping(event)}`;
    case "file_taken":
      return event.overlaps && `${event.task} (${event.by}): ${overlap(event)}`;
    case "task_released":
      return `${event.by} released ${event.task}${event.assigned_to ? ` to ${event.assigned_to}` : ""}`;
    case "task_changed":
      return `${event.by} changed ${event.task}: ${change(event)}`;
    case "message_sent":
      return event.mail === "message" ? `${event.by} to ${event.to}: ${event.text.slice(0, longestPreview)}` : undefined;
    case "message_unreadable":
      return `${event.by} cannot read the message ${event.file}: ${event.reason}`;
    case "member_started":
      return `${event.member} started`;
    case "hands_started":
      return `${event.member}: ${handsStarted(event)}`;
    case "hands_gone":
      return `${event.member}: ${handsGone(event)}`;
    case "member_restarted":
      return `${event.member}: ${restart(event)}`;
    case "member_waits":
      return `${event.member} waits for ${event.again_ms === undefined ? "a person" : "its model"}: ${wait(event)}`;
    case "member_hung":
      return `${event.member} ${hung(event)}`;
    case "member_ended":
      return `${event.member} ended: ${event.how}`;
    case "list_restored":
      return `${event.by} restored the task list`;
    case "team_resumed":
      return `${event.by} resumed the team`;
    case "team_created":
      return undefined;
  }
}

function wait({ reason, holds }: Extract<TeamEvent, { kind: "member_waits" }>): string {
  return holds ? `${reason.replace(/\.$/, "")}, with ${holds} in progress` : reason;
}

function hung({ interrupted, reason }: Extract<TeamEvent, { kind: "member_hung" }>): string {
  return `${interrupted ? "interrupted" : "may hang"}: ${reason}`;
}

function handsStarted({ place, after_ms: ms }: Extract<TeamEvent, { kind: "hands_started" }>): string {
  return `its hands are at ${place}, after ${duration(ms)}`;
}

function handsGone({ place, how }: Extract<TeamEvent, { kind: "hands_gone" }>): string {
  return `its hands at ${place} are gone: ${how}`;
}

function restart({ how, after_ms }: Extract<TeamEvent, { kind: "member_restarted" }>): string {
  return `${how}. Starting it again${after_ms > 0 ? ` in ${after_ms / 1000} s` : ""}; it keeps its task.`;
}

function change(event: Extract<TeamEvent, { kind: "task_changed" }>): string {
  if (event.files) return `files: ${event.files.join(", ") || "none named"}`;
  return event.dependencies ? `depends on ${event.dependencies.join(", ") || "nothing"}` : `assigned to ${event.assigned_to ?? "nobody"}`;
}

function overlap({ path, overlaps = [] }: Extract<TeamEvent, { kind: "file_taken" }>): string {
  return `${overlaps.join(", ")} has ${path} first`;
}

function overlapping({ overlaps }: { overlaps?: string[] | undefined }): string {
  return overlaps ? `  (${overlaps.join(", ")} has a file of it first)` : "";
}
