// The finished text of a session's screen: each event's lines go into the scrollback in order, even while highlighting is still loading.
import type { AgentEvent } from "../../agent/events.ts";
import { reportBeginning, reportLines } from "../agents/report-lines.ts";
import { agentLines } from "../events/agent-lines.ts";
import { createCallDetails } from "../events/call-details.ts";
import { isDiff } from "../events/diff-lines.ts";
import { createThoughtLine } from "../events/thought-line.ts";
import { widestText } from "../line-widths.ts";
import { lazyHighlight } from "../markdown/lazy-highlight.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";
import type { Frames } from "./frames.ts";
import { createReplyView, type ReplyView } from "./reply-view.ts";
import type { Screen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

/** `room`: the rows for the open text of a reply. */
type FinishedTextSetup = {
  terminal: Terminal;
  style: Style;
  screen: Screen;
  limit: () => number;
  room: () => number;
  now: () => number;
  frames: Frames;
  /** How many of the last lines of a successful command are shown. */
  outputLines: () => number;
};

export function finishedText({ terminal, style, screen, limit, room, now, frames, outputLines }: FinishedTextSetup) {
  const highlight = lazyHighlight();
  const details = createCallDetails(style);
  const thought = createThoughtLine({ style, now });
  const print = (text: string, hang?: number) => highlight.after(() => screen.print(text, hang));
  const put = (text: string, hang?: number) => {
    screen.put(text, hang);
    frames.finished();
  };
  const markdown = () =>
    createReplyView({
      style,
      add: (lines) => highlight.after(() => screen.add(lines)),
      isAfterGap: screen.endsWithGap,
      room,
      highlight: highlight.get,
    });
  const reply = markdown();
  const columns = () => Math.min(terminal.columns, limit());
  let leaving = false;
  const below = belowReply(reply, (text) => print(text, detailHang));
  const reports: { title: string; text: string }[] = [];
  const addReport = ({ name, state, report: text = "" }: Extract<AgentEvent, { type: "agent_ended" }>) => {
    if (text.trim() === "" || state === "needs_permission") return;
    const look = { style, leaving };
    const isCut = reportBeginning(text, { ...look, width: columns() }).length < reportLines(text, { style, width: columns() }).length;
    if (isCut) reports.push({ title: visibleLine(name), text });
    highlight.after(() => screen.add((width) => reportBeginning(text, { ...look, width })));
  };
  return {
    print(text: string, hang?: number) {
      reply.makeRoom(Math.min(columns(), widestText));
      print(text, hang);
    },
    printMarkdown(text: string) {
      markdown().whole([text]);
      frames.streamed();
    },
    openLines: (width: number) => reply.openLines(width),
    showDetail() {
      const lines = details.next({ columns: columns(), highlight: highlight.loaded() });
      below.print((lines ?? [style.dim("  no more calls or thoughts to show")]).join("\n"));
    },
    /** Whether something that the person wants to see waits for the end of the reply. */
    isLater: below.waits,
    /** Shows the whole of the newest report of which only the beginning was shown. False if there is none. */
    showReport(): boolean {
      const hidden = reports.pop();
      if (!hidden) return false;
      const lines = reportLines(hidden.text, { style, width: Math.min(columns(), widestText) });
      below.print(["", style.bold(`  ${hidden.title}`), ...lines, ""].join("\n"));
      return true;
    },
    leaving: () => {
      leaving = true;
    },
    /** Prints everything that waits for highlighting. */
    finish: () => highlight.now(),
    show(event: AgentEvent): void {
      details.apply(event);
      const folded = thought.apply(event);
      if (folded !== undefined) highlight.after(() => put(folded));
      if (event.type === "text") reply.text(event.text);
      else if (event.type === "reply") reply.whole(event.message.content.flatMap((block) => (block.type === "text" ? block.text : [])));
      // The live part shows a wait while it lasts; of several waits in a row only the result is printed.
      else if (event.type === "retry") reply.broke();
      else {
        if (event.type === "ended") reply.stop();
        if (event.type === "tool_ended" && style.colour && isDiff(event.detail ?? "")) highlight.get();
        highlight.after(() => {
          const look = { columns: columns(), ofSuccess: outputLines(), highlight: highlight.loaded() };
          const lines = agentLines(event, style, look);
          if (lines !== undefined) put(lines, hangs[event.type]);
        });
        if (event.type === "agent_ended") addReport(event);
      }
      below.catchUp();
    },
  };
}

/** Prints below the reply that streams, which it would tear apart. */
function belowReply({ isStreaming }: Pick<ReplyView, "isStreaming">, print: (text: string) => void) {
  const later: string[] = [];
  const catchUp = () => {
    if (!isStreaming()) for (const text of later.splice(0)) print(text);
  };
  return {
    print(text: string) {
      later.push(text);
      catchUp();
    },
    waits: () => later.length > 0,
    /** Once the reply is complete. */
    catchUp,
  };
}

export type FinishedText = ReturnType<typeof finishedText>;

/** The indent of wrapped lines: below a call's subject, and below a message. */
const hangs: Partial<Record<AgentEvent["type"], number>> = {
  tool_ended: 9,
  agent_ended: 9,
  notice: 4,
  compacted: 4,
  compaction_failed: 4,
  thoughts_dropped: 4,
  media_dropped: 4,
  ended: 4,
};
/** The indent of wrapped lines of a call's text. */
const detailHang = 4;
