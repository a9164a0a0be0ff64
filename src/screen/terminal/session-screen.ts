// The screen of a session: finished text above, then the live part with the model's open text, its activity, an open question, the editor and the
// status line. The lead's pane, a teammate's pane and a solo session all use it.
import type { AgentEvent } from "../../agent/events.ts";
import type { AgentsView } from "../agents/agents-view.ts";
import { createEditor, type EditorPorts } from "../editor/editor.ts";
import { createDialogKeys } from "../keys/dialog-keys.ts";
import { screenKeys } from "../keys/screen-keys.ts";
import { widestText } from "../line-widths.ts";
import type { Dialog } from "../questions/dialog.ts";
import { type PickItem, pickStep } from "../questions/pick-step.ts";
import type { Step } from "../questions/step.ts";
import { createTodoLine } from "../status/todo-line.ts";
import type { Style } from "../style.ts";
import { createActivity } from "./activity.ts";
import { finishedText } from "./finished-text.ts";
import { createFrames } from "./frames.ts";
import { liveLines } from "./live-part.ts";
import { notification } from "./notification.ts";
import { createPassingHint } from "./passing-hint.ts";
import { createQueuedLines } from "./queued-lines.ts";
import { createScreen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";
import { leadTitle } from "./title.ts";

export type SessionScreenOptions = {
  terminal: Terminal;
  style: Style;
  /** The last line: states, tokens, cost. */
  statusLine: (width: number) => string;
  /** Called with a typed line. False if it is not input for the agent and does not wait for it. */
  onLine: (line: string) => boolean;
  /** Called when a waiting line is taken back. False if the agent has read it already. */
  onTakeBack?: (line: string) => boolean;
  onEscape: () => void;
  /** Called for Esc twice within half a second with an empty editor. */
  onEscapeTwice?: () => void;
  /** Ctrl-C while the editor is empty; the second one within two seconds is `again`. Returns what another one would do. */
  onInterrupt: (again: boolean) => string | undefined;
  /** Called for Ctrl-D on an empty line. Returns what ends the session, where Ctrl-D does not. */
  onExit?: () => string | undefined;
  /** Called for Shift-Tab, even while a question is open. */
  onMode?: () => void;
  /** Gets each key first, and a paste as one key. True if it was handled. */
  onKey?: (key: string) => boolean;
  now: () => number;
  editor?: EditorPorts;
  /** The agents that the session has started. */
  agents?: () => AgentsView | undefined;
  /** How many of the last lines of a successful command are shown; without it a few. */
  outputLines?: () => number | undefined;
  /** Whether the terminal tells the person that they are needed; without it, it does. */
  rings?: () => boolean;
  /** Called for Ctrl-O where no agent and no report is left to show here: goes on to another pane. */
  onNextPane?: () => boolean;
  /** Called for Enter on an empty line. True if it meant something. */
  onEmptyEnter?: () => boolean;
  /** The variable TERM. */
  term?: string | undefined;
};

/** What a pane passes on to those who write into it. Without a terminal, plain-screen.ts stands in for it. */
export interface PaneScreen {
  show(event: AgentEvent): void;
  /** Shows earlier events again; none of them is still in progress. */
  replay(events: AgentEvent[]): void;
  /** `hang`: the indent of wrapped lines. */
  print(text: string, hang?: number): void;
  refresh(): void;
  /** The user's own command, with its newest output, until it ends. */
  showRunning(command: string): RunningCommand;
  /** Removes the live part until the returned function is called: the terminal is about to change its size. */
  hold(): () => void;
  /** Gives screen and keyboard to another program during `work`. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** A list to pick from. Undefined if the person leaves it, the signal aborts, or there is no terminal. */
  pick<Item extends PickItem>(items: Item[], options: { title: string; signal?: AbortSignal }): Promise<Item | undefined>;
  /** A form to fill in. Undefined if the signal aborts. */
  fill<Answer>(form: Dialog<Answer>, signal: AbortSignal): Promise<Answer | undefined>;
  /** Puts the text into the editor unless something is typed there. */
  typeIn(text: string): void;
  /** The title of the terminal's window. */
  title(text: string): void;
  /** Limits the width of printed text from now on, because the terminal is about to become narrower. */
  limitText(columns: number): void;
  /** Rings the bell if there is a terminal. */
  bell(): void;
  /** Rings the bell and shows a notification with this text. */
  notify(text: string): void;
  /** The program ends with this session: from now on nothing that is printed may rely on a key. */
  leaving(): void;
  /** Releases keyboard and screen. */
  close(): void;
}

export interface SessionScreen extends PaneScreen {
  /** Like `print`, for Markdown. */
  printMarkdown(text: string): void;
  /** Whether the agent waits for its model or runs calls, so that a clock is shown. */
  isBusy(): boolean;
  /** Opens a question and rings the bell. Undefined if the signal aborts. */
  ask<Answer>(step: Step<Answer>, signal: AbortSignal): Promise<Answer | undefined>;
  /** Marks that the agent waits for the person until the returned function is called; this time does not count for its calls. */
  waitForPerson(): () => void;
}

/** `end` may be called more than once. */
export type RunningCommand = { write(text: string): void; end(): void };

const bell = "\x07";

function ringer({ terminal, rings, term }: SessionScreenOptions): Pick<PaneScreen, "bell" | "notify"> {
  const ring = (bytes: string) => {
    if (rings?.() !== false) terminal.write(bytes);
  };
  return { bell: () => ring(bell), notify: (text) => ring(notification(text, term)) };
}

export function createSessionScreen(options: SessionScreenOptions): SessionScreen {
  const { terminal, style, now } = options;
  let openRows = terminal.rows;
  let limit = Number.POSITIVE_INFINITY;

  const frames = createFrames(terminal, { draw: () => screen.refresh(), now });
  const activity = createActivity({ style, now });
  const own = ownCommands({ style, now, changed: frames.streamed });
  const typed = typedPart(options, frames.typed);
  const { dialogs, editor, queued } = typed;
  const todo = createTodoLine(style);
  const hint = createPassingHint(terminal, frames.typed);
  const title = windowTitle(terminal);
  const rings = ringer(options);
  const screen = createScreen(terminal, (width) => {
    const parts = {
      open(rows: number) {
        openRows = rows;
        return text.openLines(Math.min(width, limit, widestText));
      },
      activity: (rows: number) => [...activity.lines(rows), ...own.lines(rows)],
      agents: (rows: number) => options.agents?.()?.lines(width, rows) ?? [],
      queued: queued.lines(),
      dialog: (rows: number) => dialogs.lines(width, rows),
      editor: editor.render(width),
      todo: todo.lines(width),
      status: hintLine(hint.text(), style) ?? options.statusLine(width),
    };
    return liveLines(parts, { style, width, height: terminal.rows });
  });
  const outputLines = () => options.outputLines?.() ?? usualOutput;
  const text = finishedText({ ...options, screen, limit: () => limit, room: () => openRows, frames, outputLines });
  const keys = screenKeys(options, { ...typed, screen, hint, text, changed: frames.typed });

  return {
    show(event) {
      activity.apply(event);
      queued.apply(event);
      todo.apply(event);
      text.show(event);
      frames[isAwaited(event) ? "typed" : "streamed"]();
    },
    replay(events) {
      const release = screen.hold();
      for (const event of events) {
        todo.apply(event);
        text.show(event);
      }
      release();
    },
    print: text.print,
    printMarkdown: text.printMarkdown,
    refresh: frames.streamed,
    showRunning: own.show,
    isBusy: () => activity.isBusy() || own.isBusy() || options.agents?.()?.isBusy() === true,
    hold: () => screen.hold(),
    lend: keys.lend,
    ask(step, signal) {
      if (!signal.aborted) rings.bell();
      return dialogs.open(step, signal);
    },
    waitForPerson: activity.pause,
    pick: (items, { title, signal }) => dialogs.open(pickStep(items, { title, style }), signal),
    ...typed.asked,
    title: title.set,
    limitText(columns) {
      limit = columns;
      screen.limitText(columns);
    },
    ...rings,
    leaving: text.leaving,
    close() {
      keys.stop();
      frames.stop();
      text.finish();
      screen.close();
      title.reset();
    },
  };
}

/** It may be what comes of an answer. */
const isAwaited = ({ type }: AgentEvent) => type === "tool_started" || type === "tool_ended";

const hintLine = (text: string | undefined, style: Style) => text && style.state("needs_you", `${style.symbol("needs_you")} ${text}`);

/** The line that is typed, what waits behind it, and the questions that take its keys. */
function typedPart({ terminal, style, ...options }: SessionScreenOptions, changed: () => void) {
  const queued = createQueuedLines(style);
  const editor = createEditor({
    terminal,
    style,
    ports: options.editor ?? {},
    changed,
    onLine: (line) => {
      if (options.onLine(line)) queued.add(line);
    },
  });
  const typeIn = (text: string) => {
    if (editor.isEmpty()) editor.put(text);
    changed();
  };
  const dialogs = createDialogKeys({ editor, terminal, style, changed });
  return { editor, queued, dialogs, asked: { typeIn, fill: dialogs.fill } };
}

/** Commands of the user, which are no calls of the agent and run beside them. */
function ownCommands({ style, now, changed }: { style: Style; now: () => number; changed: () => void }) {
  const activity = createActivity({ style, now });
  let begun = 0;
  const apply = (event: AgentEvent) => {
    activity.apply(event);
    changed();
  };
  return {
    lines: activity.lines,
    isBusy: activity.isBusy,
    show(command: string): RunningCommand {
      const id = String(begun++);
      apply({ type: "tool_started", id, name: "!", subject: command, at: "" });
      return {
        write: (text) => apply({ type: "tool_output", id, text }),
        end: () =>
          apply({ type: "tool_ended", id, name: "!", subject: command, text: "", isError: false, summary: "", touched: [], ms: 0, at: "" }),
      };
    },
  };
}

function windowTitle(terminal: Terminal) {
  let written = "";
  return {
    set(text: string) {
      const bytes = leadTitle(text);
      if (bytes !== written) terminal.write(bytes);
      written = bytes;
    },
    reset() {
      if (written !== "") terminal.write(leadTitle(""));
    },
  };
}

/** Enough to see that a command did what it should. */
const usualOutput = 5;
