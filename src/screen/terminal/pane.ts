// A member's pane: its session on a screen, or as plain lines without a terminal. It owns the keyboard: typed lines, Esc, Ctrl-C, and questions.
import type { AgentEvent } from "../../agent/events.ts";
import type { Session } from "../../agent/session.ts";
import type { Ask } from "../../permissions/permit.ts";
import type { Answer, Question } from "../../permissions/question.ts";
import type { EditorPorts } from "../editor/editor.ts";
import { agentLines } from "../events/agent-lines.ts";
import type { QuestionDialog } from "../questions/dialog.ts";
import { grantText } from "../questions/grant-text.ts";
import { questionDialog } from "../questions/question-dialog.ts";
import { type Asking, askedLess, planTitle } from "../questions/question-text.ts";
import type { Style } from "../style.ts";
import type { PickItem } from "./picker.ts";
import { createSessionScreen, type RunningCommand, type SessionScreen } from "./session-screen.ts";
import type { Terminal } from "./terminal.ts";

export type PaneSetup = {
  /** Null: there is no terminal, so lines go to `write` and nobody can be asked. */
  terminal: Terminal | null;
  write: (text: string) => void;
  style: Style;
  name: string;
  /** The variable TERM. */
  term?: string | undefined;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  /** History and completion of the input line. */
  editor?: EditorPorts;
  /** Called for two Ctrl-C before there is a session. */
  onLeave?: () => void;
};

export type Attached = {
  session: Pick<Session, "say" | "takeBack" | "listen">;
  statusLine: (width: number) => string;
  /** Called when a typed line was queued or Esc was pressed. */
  wake: () => void;
  /** Gets each typed line before the agent. True if it was handled, as a slash command is. */
  onLine?: (line: string) => boolean;
  /** Ctrl-C: once, and again within two seconds. Returns what another one would do. */
  onInterrupt: (again: boolean) => string | undefined;
  /** Esc, beside what it does to the run of turns. */
  onEscape?: () => void;
  /** Called for Esc twice with an empty editor. */
  onEscapeTwice?: () => void;
  /** Called for Ctrl-D on an empty line. Returns what ends the session, where Ctrl-D does not. */
  onExit?: () => string | undefined;
  /** Called for Shift-Tab. */
  onMode?: () => void;
  /** Gets each key first. True if it was handled. */
  onKey?: (key: string) => boolean;
  /** Which of the session's events are shown; by default all. */
  shows?: (event: AgentEvent) => boolean;
};

/** Puts a question to the person here, in any agent's name. Undefined if it was put aside, or if the signal aborts first. */
export type Put = (put: Asking & { question: Question }, signal: AbortSignal) => Promise<Answer | undefined>;

export interface Pane {
  /** Undefined if nobody can be asked. */
  put: Put | undefined;
  /** The same for this pane's own agent. */
  ask: Ask | undefined;
  /** The same in the name of an agent that this one has started. */
  askFor: ((asker: string) => Ask) | undefined;
  /** Whether a question of this pane's own agent, or of the program itself, is open. */
  isAsking(): boolean;
  /** Connects the pane to this session. Lines that were typed before become its first input. */
  attach(attached: Attached): void;
  /** A signal for one run of turns; Esc aborts it. */
  turnSignal(): AbortSignal;
  interruptTurn(): void;
  /** Shows earlier events as they were shown then. */
  replay(events: AgentEvent[]): void;
  /** `hang`: the indent of wrapped lines. */
  print(text: string, hang?: number): void;
  warn(reason: string): void;
  refresh(): void;
  /** The user's own command, with its newest output, until it ends. */
  showRunning(command: string): RunningCommand;
  /** A list to pick from. Undefined if the person leaves it, the signal aborts, or there is no terminal. */
  pick<Item extends PickItem>(items: Item[], options: { title: string; signal?: AbortSignal }): Promise<Item | undefined>;
  /** A question of the program itself. Undefined if the signal aborts or there is no terminal. */
  question<Answer>(dialog: QuestionDialog<Answer>, signal: AbortSignal): Promise<Answer | undefined>;
  /** Puts the text into the editor unless something is typed there. */
  typeIn(text: string): void;
  /** The title of the terminal's window. */
  title(text: string): void;
  /** Limits the width of printed text, because the pane is about to become narrower. */
  limitText(columns: number): void;
  /** Rings the bell if there is a terminal. */
  bell(): void;
  /** Rings the bell and shows a notification with this text. */
  notify(text: string): void;
  /** Removes the live part until the returned function is called: the terminal is about to change its size. */
  hold(): () => void;
  /** Gives screen and keyboard to another program during `work`. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Releases keyboard and screen. */
  close(): void;
}

export function openPane({ terminal, write, style, name, term, now, editor, onLeave }: PaneSetup): Pane {
  let attached: Attached | undefined;
  let stopListening = () => {};
  const typed = typedLines(() => attached);
  let turn = new AbortController();
  const screen =
    terminal &&
    createSessionScreen({
      terminal,
      style,
      term,
      now,
      statusLine: (width) => attached?.statusLine(width) ?? "",
      editor,
      onLine: typed.onLine,
      onEscape: () => {
        turn.abort();
        attached?.onEscape?.();
        attached?.wake();
      },
      onEscapeTwice: () => attached?.onEscapeTwice?.(),
      onInterrupt(again) {
        if (attached) return attached.onInterrupt(again);
        if (again) onLeave?.();
        return undefined;
      },
      onExit: () => attached?.onExit?.(),
      onTakeBack: (line) => attached?.session.takeBack(line) ?? false,
      onMode: () => attached?.onMode?.(),
      onKey: (key) => attached?.onKey?.(key) ?? false,
    });
  const print = (text: string, hang?: number) => (screen ? screen.print(text, hang) : write(`${text}\n`));
  const printEvent = (event: AgentEvent) => {
    const lines = agentLines(event, style);
    if (lines !== undefined) print(lines);
  };
  const clock = screen && workClock(screen, terminal);
  const show = (event: AgentEvent) => {
    if (!screen) return printEvent(event);
    screen.show(event);
    clock?.run();
  };
  const questions = screen && questionsOn(screen, { style, print });
  const put = questions?.put;
  const askFor = put && ((asker: string) => askWith(put, { asker, stop: () => turn.abort() }));
  return {
    put,
    ask: askFor?.(name),
    askFor,
    isAsking: () => (questions?.own() ?? 0) > 0,
    question: async (dialog, signal) => questions?.ask(dialog, signal),
    attach(next) {
      attached = next;
      stopListening();
      stopListening = next.session.listen((event: AgentEvent) => {
        if (next.shows?.(event) !== false) show(event);
      });
      typed.sendEarly();
      screen?.refresh();
    },
    replay: (events) => (screen ? screen.replay(events) : events.forEach(printEvent)),
    turnSignal() {
      turn = new AbortController();
      return turn.signal;
    },
    interruptTurn: () => turn.abort(),
    print,
    warn: (reason) => print(style.state("needs_you", `  ${style.symbol("needs_you")} ${reason}`), 4),
    refresh: () => screen?.refresh(),
    ...passedOn(screen, clock),
    close() {
      clock?.rest();
      screen?.close();
    },
  };
}

/** The screen's own methods, if there is a screen. */
function passedOn(
  screen: SessionScreen | null,
  clock: { run(): void } | null,
): Pick<Pane, "showRunning" | "pick" | "typeIn" | "title" | "limitText" | "bell" | "notify" | "hold" | "lend"> {
  return {
    showRunning(command) {
      const shown = screen?.showRunning(command) ?? { write() {}, end() {} };
      clock?.run();
      return shown;
    },
    pick: async (items, options) => screen?.pick(items, options),
    typeIn: (text) => screen?.typeIn(text),
    title: (text) => screen?.title(text),
    limitText: (columns) => screen?.limitText(columns),
    bell: () => screen?.bell(),
    notify: (text) => screen?.notify(text),
    hold: () => screen?.hold() ?? (() => {}),
    lend: (work) => (screen ? screen.lend(work) : work()),
  };
}

/** Lines typed before there is a session wait for it. */
function typedLines(attached: () => Attached | undefined) {
  const early: string[] = [];
  /** True if the line waits for the agent. */
  const onLine = (line: string) => {
    const now = attached();
    if (!now) return early.push(line) > 0 && !/^[/!]/.test(line);
    const taken = now.onLine?.(line) ?? false;
    if (!taken) now.session.say({ source: { kind: "user" }, text: line });
    now.wake();
    return !taken;
  };
  return {
    onLine,
    sendEarly() {
      for (const line of early.splice(0)) onLine(line);
    },
  };
}

function askWith(put: Put, { asker, stop }: { asker: string; stop: () => void }): Ask {
  return async (question, signal) => {
    const answer = (await put({ question, asker, reach: "session" }, signal)) ?? { kind: "no", reason: "interrupted" };
    if (answer.kind === "no" && answer.stop) stop();
    return answer;
  };
}

/** A clock that redraws while the agent works, and once more when it stops. Nothing ticks while nothing moves. */
function workClock(screen: SessionScreen, terminal: Terminal | null) {
  let ticking: (() => void) | undefined;
  const rest = () => {
    ticking?.();
    ticking = undefined;
  };
  const tick = () => {
    screen.refresh();
    if (!screen.isBusy()) rest();
  };
  return {
    rest,
    run() {
      if (screen.isBusy()) ticking ??= terminal?.every(1_000, tick);
    },
  };
}

type Printing = { style: Style; print: (text: string, hang?: number) => void };

/** Questions on this screen. `own`: how many questions of its own agent and of the program are open. */
function questionsOn(screen: SessionScreen, { style, print }: Printing): { put: Put; ask: Pane["question"]; own: () => number } {
  let own = 0;
  const open = () => {
    own++;
    return () => {
      own--;
      screen.refresh();
    };
  };
  const begin = () => {
    const goOn = screen.waitForPerson();
    const close = open();
    return () => {
      goOn();
      close();
    };
  };
  let toldAskedLess = false;
  const introduce = (question: Question, asking: Asking) => {
    if (question.kind === "plan") {
      print(planTitle({ ...asking, style }));
      screen.printMarkdown(question.plan);
    }
    if (question.kind === "permission" && asking.reach && !toldAskedLess) {
      toldAskedLess = true;
      print(askedLess(question, { ...asking, style }), 2);
    }
  };
  return {
    own: () => own,
    /** The agent continues working meanwhile. */
    async ask(dialog, signal) {
      const close = open();
      try {
        return await screen.ask(dialog, signal);
      } finally {
        close();
      }
    },
    async put({ question, ...asking }, signal) {
      introduce(question, asking);
      const answered = asking.canWait ? () => {} : begin();
      try {
        const given = await screen.ask(questionDialog(question, { ...asking, style, print }), signal);
        if (!given || given.kind === "later") return undefined;
        const told = question.kind === "permission" ? grantText(question, given, { ...asking, style }) : undefined;
        if (told !== undefined) print(told, 2);
        return given;
      } finally {
        answered();
      }
    },
  };
}
