// An open question: its marked choice, the line that is typed as its answer, and the full view of what it is about.
import { matchesKey } from "@earendil-works/pi-tui";
import { createEditor, type LineEditor } from "../editor/editor.ts";
import { actOf, type Situation } from "../keys/question-keys.ts";
import type { Style } from "../style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type FullView, fullView } from "./full-view.ts";
import { footOf, meaningOf, mostDigits } from "./question-foot.ts";
import { type Drawn, layout } from "./question-layout.ts";
import type { Step, Taken } from "./step.ts";

/** `pane`: the key is for the screen around it. */
export type Outcome<Answer> = { kind: "open" } | { kind: "pane" } | { kind: "given"; given: Answer };

/** `more`: how many others wait. `line`: keys go to a line in the editor. */
export type QuestionRoom = { width: number; rows: number; more: number; line: boolean };

export interface OpenQuestion<Answer> {
  lines(room: QuestionRoom): string[];
  onKey(key: string): Outcome<Answer>;
  /** What is being typed as an answer. */
  typed(): string;
}

export type QuestionPorts = { terminal: Terminal; style: Style; changed: () => void };

const open = { kind: "open" } as const;

/** What of it is shown, marked and typed. */
type State<Answer> = {
  steps: Step<Answer>[];
  at: number;
  drawn: Drawn<Answer> | undefined;
  view: FullView | undefined;
  /** The line that Enter has just sent. */
  sent: string | undefined;
  /** What was sent is no answer. */
  isUnknown: boolean;
  style: Style;
  editor: LineEditor;
};

export function openQuestion<Answer>(first: Step<Answer>, { terminal, style, changed }: QuestionPorts): OpenQuestion<Answer> {
  const onLine = (line: string) => {
    state.sent = line.trim();
  };
  const editor = createEditor({ terminal, style, ports: {}, changed, onLine });
  const state: State<Answer> = {
    steps: [first],
    at: first.marked ?? 0,
    drawn: undefined,
    view: undefined,
    sent: undefined,
    isUnknown: false,
    style,
    editor,
  };
  return {
    lines: (room) => state.view?.lines(room.width, room.rows) ?? drawnLines(state, room),
    onKey: (key) => carryOut(state, key),
    typed: () => (stepOf(state).read ? editor.text() : ""),
  };
}

const stepOf = <Answer>({ steps }: State<Answer>): Step<Answer> => steps.at(-1)!;

/** What filters a list. */
const filterOf = <Answer>(state: State<Answer>) => (stepOf(state).read ? "" : state.editor.text());

/** The choices of a list as it is filtered now: keys may come faster than drawings. */
const listed = <Answer>(state: State<Answer>) => stepOf(state).choices({ hides: false, typed: filterOf(state) });

function drawnLines<Answer>(state: State<Answer>, room: QuestionRoom): string[] {
  const draw = (at: number) => {
    state.at = at;
    const { style, editor, isUnknown } = state;
    const step = stepOf(state);
    const foot = footOf({ step, at, editor, isUnknown, style, ...room });
    state.drawn = layout(step, { ...room, at, style, typed: filterOf(state), typing: !editor.isEmpty(), foot });
    return state.drawn;
  };
  const drawn = draw(Math.max(0, Math.min(state.at, listed(state).length - 1)));
  // What is hidden cannot be granted, so fewer choices may be offered.
  return state.at < drawn.choices.length ? drawn.lines : draw(0).lines;
}

function situationOf<Answer>(state: State<Answer>): Situation {
  if (state.view) return "viewing";
  const isList = !stepOf(state).read;
  if (!state.editor.isEmpty()) return isList ? "filtering" : "typing";
  if (isList) return "listing";
  return state.drawn ? "choosing" : "unseen";
}

function carryOut<Answer>(state: State<Answer>, key: string): Outcome<Answer> {
  const { drawn, editor } = state;
  const choices = drawn?.choices ?? [];
  const asked = { situation: situationOf(state), choices: drawn ? choices.length : mostDigits, canShow: drawn?.canShow ?? false };
  switch (actOf(key, asked)) {
    case "pane":
      return { kind: "pane" };
    case "nothing":
      return open;
    case "pick":
      state.at = Number(key) - 1;
      return take(state, seenTaken(state));
    case "move": {
      const { length: count } = stepOf(state).read ? choices : listed(state);
      state.at = moved(key, { at: state.at, count, column: drawn?.column ?? 1 });
      return open;
    }
    case "take":
      return editor.isEmpty() ? take(state, seenTaken(state)) : send(state);
    case "leave":
      return take(state, stepOf(state).escape);
    case "clear":
      editor.clear();
      state.isUnknown = false;
      return open;
    case "type":
      type(state, key);
      return open;
    case "view":
      if (!state.view) return take(state, { kind: "view" });
      if (state.view.onKey(key)) state.view = undefined;
      return open;
  }
}

/** What the marked choice does. One that is not on the screen does nothing yet, as marking it shows it. */
function seenTaken<Answer>({ at, drawn }: State<Answer>): Taken<Answer> | undefined {
  const choice = drawn?.choices[at];
  switch (drawn?.seen[at]) {
    case "all":
      return choice?.take;
    case "some":
      return choice?.unread ?? choice?.take;
    case "none":
    case undefined:
      return undefined;
  }
}

function take<Answer>(state: State<Answer>, taken: Taken<Answer> | undefined): Outcome<Answer> {
  switch (taken?.kind) {
    case "given":
      return taken;
    case "step":
      enter(state, [...state.steps, taken.step]);
      return open;
    case "back":
      enter(state, state.steps.slice(0, -1));
      return open;
    case "view":
      state.view = fullView(wholeOf(state), state.style);
      return open;
    case undefined:
      return open;
  }
}

/** All of the question, and where its choices may not all be shown, they too. */
function wholeOf<Answer>(state: State<Answer>): string[] {
  const { whole, head } = stepOf(state);
  const text = whole?.() ?? head({ width: Number.POSITIVE_INFINITY, more: 0, brief: false });
  if (!state.drawn?.brief) return text;
  return [...text, "  Choices:", ...state.drawn.choices.map(({ label }, index) => `    ${index + 1}  ${label}`)];
}

function enter<Answer>(state: State<Answer>, steps: Step<Answer>[]): void {
  state.steps = steps;
  state.at = stepOf(state).marked ?? 0;
  state.editor.clear();
  state.drawn = undefined;
}

function send<Answer>(state: State<Answer>): Outcome<Answer> {
  const { read, choices } = stepOf(state);
  if (!read) return take(state, listed(state)[state.at]?.take);
  state.editor.onKey("\r");
  const text = state.sent;
  state.sent = undefined;
  if (text === undefined) return open;
  const offered = state.drawn?.choices ?? choices({ hides: true, typed: "" });
  const meant = meaningOf(text, offered);
  const isSeen = meant && state.drawn?.seen[offered.indexOf(meant)] === "all";
  const taken = (isSeen ? undefined : meant?.unread) ?? meant?.take ?? read(text);
  state.isUnknown = taken === undefined;
  if (state.isUnknown) state.editor.put(text.slice(0, longestKept));
  return take(state, taken);
}

function type<Answer>(state: State<Answer>, key: string): void {
  state.editor.onKey(key);
  state.isUnknown = false;
  if (!stepOf(state).read) state.at = 0;
}

/** Of a line that is no answer: it stays to be changed. */
const longestKept = 1_000;

type Position = { at: number; count: number; column: number };

/** Up and Down go round; Left and Right go to the next column, where there is one. */
function moved(key: string, { at, count, column }: Position): number {
  if (count === 0) return 0;
  const forward = matchesKey(key, "down") || matchesKey(key, "right");
  const isSideways = matchesKey(key, "left") || matchesKey(key, "right");
  if (!isSideways || column === 1) return (at + (forward ? 1 : -1) + count) % count;
  const beside = at + (forward ? column : -column);
  return beside >= 0 && beside < count ? beside : at;
}
