// The finished text of a session's screen: each event's lines go into the scrollback in order, even while highlighting is still loading.
import type { AgentEvent } from "../../agent/events.ts";
import { agentLines } from "../events/agent-lines.ts";
import { createCallDetails } from "../events/call-details.ts";
import { createThoughtLine } from "../events/thought-line.ts";
import { widestText } from "../line-widths.ts";
import { lazyHighlight } from "../markdown/lazy-highlight.ts";
import type { Style } from "../style.ts";
import { createReplyView } from "./reply-view.ts";
import type { Screen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

/** `room`: the rows for the open text of a reply. */
type FinishedText = {
  terminal: Terminal;
  style: Style;
  screen: Screen;
  limit: () => number;
  room: () => number;
  now: () => number;
  changed: () => void;
};

export function finishedText({ terminal, style, screen, limit, room, now, changed }: FinishedText) {
  const highlight = lazyHighlight();
  const details = createCallDetails(style);
  const thought = createThoughtLine({ style, now });
  const print = (text: string, hang?: number) => highlight.after(() => screen.print(text, hang));
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
  return {
    print(text: string, hang?: number) {
      reply.makeRoom(Math.min(columns(), widestText));
      print(text, hang);
    },
    printMarkdown(text: string) {
      markdown().whole([text]);
      changed();
    },
    openLines: (width: number) => reply.openLines(width),
    showDetail: () => print((details.next(columns()) ?? [style.dim("  no more calls or thoughts to show")]).join("\n"), detailHang),
    /** Prints everything that waits for highlighting. */
    finish: () => highlight.now(),
    show(event: AgentEvent): void {
      details.apply(event);
      const folded = thought.apply(event);
      if (folded !== undefined) print(folded);
      if (event.type === "text") reply.text(event.text);
      else if (event.type === "reply") reply.whole(event.message.content.flatMap((block) => (block.type === "text" ? block.text : [])));
      // The live part shows a wait while it lasts; of several waits in a row only the result is printed.
      else if (event.type === "retry") reply.broke();
      else {
        if (event.type === "ended") reply.stop();
        const lines = agentLines(event, style, columns());
        if (lines !== undefined) print(lines, hangs[event.type]);
      }
    },
  };
}

/** The indent of wrapped lines: below a call's subject, and below a message. */
const hangs: Partial<Record<AgentEvent["type"], number>> = {
  tool_ended: 9,
  notice: 4,
  compacted: 4,
  compaction_failed: 4,
  thoughts_dropped: 4,
  media_dropped: 4,
  ended: 4,
};
/** The indent of wrapped lines of a call's text. */
const detailHang = 4;
