// A member's pane: its session on a screen, or as plain lines without a terminal. It owns the keyboard: typed lines, Esc, Ctrl-C, and questions.
import type { AgentEvent } from "../../agent/events.ts";
import type { Session } from "../../agent/session/session.ts";
import type { Ask } from "../../permissions/permit.ts";
import type { AgentsView } from "../agents/agents-view.ts";
import type { EditorPorts } from "../editor/editor.ts";
import { type Put, screenQuestions } from "../questions/screen-questions.ts";
import type { Step } from "../questions/step.ts";
import type { Style } from "../style.ts";
import { plainScreen } from "./plain-screen.ts";
import { createSessionScreen, type PaneScreen, type SessionScreen, type SessionScreenOptions } from "./session-screen.ts";
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
  /** Called before there is a session for Ctrl-C at a question, or pressed twice; and when the terminal is gone. */
  onLeave?: () => void;
};

export type Attached = Pick<
  SessionScreenOptions,
  "statusLine" | "onInterrupt" | "onEscapeTwice" | "onEmptyEnter" | "onNextPane" | "outputLines" | "rings" | "onExit" | "onMode" | "onKey"
> & {
  session: Pick<Session, "say" | "takeBack" | "listen">;
  /** The agents that it has started. */
  agents?: AgentsView | undefined;
  /** Called when a typed line was queued or Esc was pressed. */
  wake: () => void;
  /** Gets each typed line before the agent. True if it was handled, as a slash command is. */
  onLine?: (line: string) => boolean;
  /** Esc, beside what it does to the run of turns. */
  onEscape?: () => void;
  /** Which of the session's events are shown; by default all. */
  shows?: (event: AgentEvent) => boolean;
};

export interface Pane extends Omit<PaneScreen, "show"> {
  /** Undefined if nobody can be asked. */
  put: Put | undefined;
  /** The same for this pane's own agent. */
  ask: Ask | undefined;
  /** The same in the name of an agent that this one has started. `stopsAlone`: stops the agent itself; false if the run of turns is to be stopped. */
  askFor: ((asker: string, stopsAlone?: () => boolean) => Ask) | undefined;
  /** Whether a question of this pane's own agent, or of the program itself, is open. */
  isAsking(): boolean;
  /** A question of the program itself. Undefined if the signal aborts or there is no terminal. */
  question<Answer>(step: Step<Answer>, signal: AbortSignal): Promise<Answer | undefined>;
  /** Connects the pane to this session. Lines that were typed before become its first input. */
  attach(attached: Attached): void;
  /** A signal for one run of turns; Esc aborts it. */
  turnSignal(): AbortSignal;
  interruptTurn(): void;
  warn(reason: string): void;
}

export function openPane({ terminal, write, style, name, term, now, editor, onLeave }: PaneSetup): Pane {
  let attached: Attached | undefined;
  let stopListening = () => {};
  const typed = typedLines(() => attached);
  let turn = new AbortController();
  const live =
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
        // A question of the program itself, without which nothing begins.
        if (!again && !questions?.own()) return "Ctrl-C again ends it";
        onLeave?.();
        return undefined;
      },
      ...agentsPart(() => attached),
      onExit: () => attached?.onExit?.(),
      onTakeBack: (line) => attached?.session.takeBack(line) ?? false,
      onMode: () => attached?.onMode?.(),
      onKey: (key) => attached?.onKey?.(key) ?? false,
    });
  terminal?.onLost(() => onLeave?.());
  const { show, ...screen } = live ?? plainScreen(write, style);
  const { print } = screen;
  const clock = live && workClock(live, terminal);
  const questions = live && screenQuestions(live, { style, print });
  const put = questions?.put;
  const askFor = put && askWith(put, () => turn.abort());
  return {
    ...screen,
    put,
    ask: askFor?.(name),
    askFor,
    refresh() {
      screen.refresh();
      clock?.run();
    },
    isAsking: () => (questions?.own() ?? 0) > 0,
    question: async (step, signal) => questions?.ask(step, signal),
    attach(next) {
      attached = next;
      stopListening();
      stopListening = next.session.listen((event: AgentEvent) => {
        if (next.shows?.(event) === false) return;
        show(event);
        clock?.run();
      });
      typed.sendEarly();
      screen.refresh();
    },
    turnSignal() {
      turn = new AbortController();
      return turn.signal;
    },
    interruptTurn: () => turn.abort(),
    warn: (reason) => print(style.state("needs_you", `  ${style.symbol("needs_you")} ${reason}`), 4),
    showRunning(command) {
      const shown = screen.showRunning(command);
      clock?.run();
      return shown;
    },
    close() {
      clock?.rest();
      screen.close();
    },
  };
}

/** What the pane shows and does about the agents and commands of its session. */
function agentsPart(attached: () => Attached | undefined) {
  return {
    agents: () => attached()?.agents,
    onEmptyEnter: () => attached()?.onEmptyEnter?.() ?? false,
    onNextPane: () => attached()?.onNextPane?.() ?? false,
    outputLines: () => attached()?.outputLines?.(),
    rings: () => attached()?.rings?.() ?? true,
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

function askWith(put: Put, stopTurn: () => void): NonNullable<Pane["askFor"]> {
  return (asker, stopsAlone) => async (question, signal) => {
    const answer = await put({ question, asker, reach: "session" }, signal);
    if (answer?.kind === "no" && answer.stop && !stopsAlone?.()) stopTurn();
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
