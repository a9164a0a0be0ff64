// The screen of a session: finished text above, then the live part with the open text of the model, what it does, a question if one is
// open, the editor and the status line. The lead's pane, a teammate's pane and a solo session are this same screen.
import { matchesKey } from "@earendil-works/pi-tui";
import type { AgentEvent } from "../../agent/events.ts";
import { agentLines } from "../agent-lines.ts";
import { createDialogKeys } from "../dialog-keys.ts";
import { lazyHighlight } from "../markdown/lazy-highlight.ts";
import { createQueuedLines } from "../queued-lines.ts";
import type { Style } from "../style.ts";
import { createActivity } from "./activity.ts";
import { createCallDetails, detailKey } from "./call-details.ts";
import type { QuestionDialog } from "./dialog.ts";
import { createEditor, type EditorPorts } from "./editor.ts";
import { createFrames } from "./frames.ts";
import { listenToKeys } from "./keys.ts";
import { liveLines } from "./live-part.ts";
import { notification } from "./notification.ts";
import { type PickItem, pickDialog } from "./picker.ts";
import { createReplyView } from "./reply-view.ts";
import { createScreen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";
import { leadTitle } from "./title.ts";

export type SessionScreenOptions = {
  terminal: Terminal;
  style: Style;
  /** The last line: states, tokens, cost. */
  statusLine: (width: number) => string;
  /** A typed line. False when it is not input for the agent, and so does not wait for it. */
  onLine: (line: string) => boolean;
  /** A line that waits is wanted back. False when the agent has it already. */
  onTakeBack?: (line: string) => boolean;
  onEscape: () => void;
  /** Ctrl-C while the editor is empty; the second one within two seconds is `again`. */
  onInterrupt: (again: boolean) => void;
  /** Ctrl-D while the editor is empty. */
  onExit?: () => void;
  /** Shift-Tab, also while a question is open. */
  onMode?: () => void;
  /** Gets each key before anything else does, a paste as one. True when it was taken. */
  onKey?: (key: string) => boolean;
  now: () => number;
  editor?: EditorPorts;
  /** The variable TERM. */
  term?: string | undefined;
};

export interface SessionScreen {
  show(event: AgentEvent): void;
  /** Shows again what happened before: nothing of it is going on. */
  replay(events: AgentEvent[]): void;
  print(text: string, hang?: number): void;
  /** The same for Markdown. */
  printMarkdown(text: string): void;
  refresh(): void;
  /** The agent asks its model or runs calls: what is shown has a clock. */
  isBusy(): boolean;
  hold(): () => void;
  /** Opens a question, with the bell. Undefined when the signal aborts it. */
  ask<Answer>(dialog: QuestionDialog<Answer>, signal: AbortSignal): Promise<Answer | undefined>;
  /** This agent waits for the person until the returned function is called; that time is not its calls'. */
  waitForPerson(): () => void;
  /** Undefined when the person leaves it, or the signal aborts it. */
  pick<Item extends PickItem>(items: Item[], options: { title: string; signal?: AbortSignal }): Promise<Item | undefined>;
  /** The title of the terminal's window. */
  title(text: string): void;
  /** Text is wrapped at that many columns at most from now on. */
  limitText(columns: number): void;
  /** Calls the person. */
  bell(): void;
  /** Calls the person who may look elsewhere, with these words. */
  notify(text: string): void;
  close(): void;
}

const interruptWindowMs = 2_000;
/** After its own Ctrl-Z the process is told that it goes on, too. */
const ownContinueMs = 1_000;
const bell = "\x07";

export function createSessionScreen(options: SessionScreenOptions): SessionScreen {
  const { terminal, style, now } = options;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let continuedAt = Number.NEGATIVE_INFINITY;
  let openRows = terminal.rows;
  let titled = "";
  let widest = widestText;

  const frames = createFrames(terminal, { draw: () => screen.refresh(), now });
  const highlight = lazyHighlight();
  const activity = createActivity({ style, now });
  const details = createCallDetails(style);
  const queued = createQueuedLines(style);
  const editor = createEditor({
    terminal,
    style,
    ports: options.editor ?? {},
    changed: frames.soon,
    onLine: (line) => {
      if (options.onLine(line)) queued.add(line);
    },
  });
  const dialogs = createDialogKeys({ editor, terminal, style, now, changed: frames.soon });
  const screen = createScreen(terminal, (width) => {
    const height = terminal.rows;
    const parts = {
      open(rows: number) {
        openRows = rows;
        return reply.openLines(Math.min(width, widest));
      },
      activity: activity.lines,
      queued: queued.lines(),
      dialog: dialogs.lines(width, Math.max(1, terminal.rows - rowsBelow)),
      editor: editor.render(width),
      status: options.statusLine(width),
    };
    return liveLines(parts, { style, width, height });
  });
  /** In order, though the colours of a piece of code may still be loading. */
  const put = (print: () => void) => highlight.after(print);
  const markdown = () =>
    createReplyView({ style, add: (lines) => put(() => screen.add(lines)), room: () => openRows, highlight: highlight.get });
  const reply = markdown();

  const keys = listenToKeys(terminal, (key) => {
    if (options.onKey?.(key)) return dialogs.onTakenKey();
    if (matchesKey(key, "ctrl+l")) return screen.redraw(); // nothing is written by it, and the lead sends it to whom it brings forward
    if (matchesKey(key, "shift+tab")) {
      dialogs.onTakenKey();
      options.onMode?.();
      return;
    }
    if (dialogs.onKey(key)) return;
    if (matchesKey(key, "ctrl+c")) return interrupt();
    if (matchesKey(key, "ctrl+z")) return suspend();
    if (matchesKey(key, detailKey.id)) return showDetail();
    if (matchesKey(key, "escape") && !editor.isCompleting()) return options.onEscape();
    if (matchesKey(key, "ctrl+d") && editor.isEmpty()) {
      options.onExit?.();
      return;
    }
    if (matchesKey(key, "up") && editor.isEmpty() && takeBack()) return;
    editor.onKey(key);
    frames.soon();
  });

  /** The line that was queued last goes back into the editor. */
  function takeBack(): boolean {
    const line = queued.last();
    if (line === undefined || !options.onTakeBack?.(line)) return false;
    queued.removeLast();
    editor.put(line);
    frames.soon();
    return true;
  }

  function interrupt(): void {
    if (!editor.isEmpty()) {
      editor.clear();
      frames.soon();
      return;
    }
    const again = now() - interruptedAt < interruptWindowMs;
    interruptedAt = now();
    options.onInterrupt(again);
  }

  function showDetail(): void {
    const lines = details.next() ?? [style.dim("  no more tool calls to show")];
    put(() => screen.print(lines.join("\n"), detailHang));
  }

  function suspend(): void {
    if (!terminal.suspend) return;
    const release = screen.hold();
    keys.pause();
    terminal.suspend();
    continuedAt = now();
    keys.resume();
    release();
  }

  // Stopped by somebody else: the shell has changed the terminal meanwhile.
  const stopContinuing = terminal.onContinue?.(() => {
    if (now() - continuedAt < ownContinueMs) return;
    keys.resume();
    screen.drawBelow();
  });

  function present(event: AgentEvent): void {
    details.apply(event);
    if (event.type === "text") reply.text(event.text);
    else if (event.type === "reply") reply.whole(event.message.content.flatMap((block) => (block.type === "text" ? block.text : [])));
    else {
      if (event.type === "retry") {
        // The live part says it while it lasts: of ten waits in a row only what came of them is worth a line.
        reply.broke();
        return;
      }
      if (event.type === "ended") reply.stop();
      const lines = agentLines(event, style, Math.min(terminal.columns, widest));
      if (lines !== undefined) put(() => screen.print(lines, event.type === "tool_ended" ? callHang : undefined));
    }
  }

  return {
    show(event) {
      activity.apply(event);
      queued.apply(event);
      present(event);
      frames.soon();
    },
    replay(events) {
      const release = screen.hold();
      for (const event of events) present(event);
      release();
    },
    print: (text, hang) => put(() => screen.print(text, hang)),
    printMarkdown(text) {
      markdown().whole([text]);
      frames.soon();
    },
    refresh: () => frames.soon(),
    isBusy: () => activity.lines().length > 0,
    hold: () => screen.hold(),
    ask(dialog, signal) {
      if (!signal.aborted) terminal.write(bell);
      return dialogs.open(dialog, signal);
    },
    waitForPerson: activity.pause,
    pick: (items, { title, signal }) => dialogs.open(pickDialog(items, { title, style }), signal),
    title(text) {
      const bytes = leadTitle(text);
      if (bytes !== titled) terminal.write(bytes);
      titled = bytes;
    },
    limitText(columns) {
      widest = Math.min(columns, widestText);
      screen.limitText(columns);
    },
    bell: () => terminal.write(bell),
    notify: (text) => terminal.write(notification(text, options.term)),
    close() {
      stopContinuing?.();
      keys.stop();
      dialogs.stop();
      frames.stop();
      highlight.now();
      screen.close();
      if (titled !== "") terminal.write(leadTitle(""));
    },
  };
}

/** Text is read at this width even where there is room for more. */
const widestText = 100;
/** The editor, its rules, the status line, and the row that stays free. */
const rowsBelow = 5;
/** Under what a call is about. */
const callHang = 9;
/** Under a line of a diff that is wrapped. */
const detailHang = 11;
