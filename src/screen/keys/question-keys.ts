// The keys of an open question as a table, so that every order of keys and pauses is defined. A line that is typed never answers a question.

/** `choice`: a letter of the question. `control`: a key of the pane itself, such as Ctrl-C. */
export type KeyKind = "choice" | "text" | "arrow" | "enter" | "escape" | "other" | "control";

/** The part of the question that is active: choosing, confirming a rule before it is written, or typing a reason. */
export type Step = "choose" | "confirm" | "reason";

type Situation = "line" | "early" | "open" | "pointed" | "marked" | "earlyConfirm" | "confirm" | "reason";

/**
 * `editor`: the key goes to the editor. `letterToo`: so does the marked letter, before it. `turn`: from a half-typed line to the question. `leave`:
 * what Esc does at this step.
 */
export type Act = "editor" | "letterToo" | "turn" | "mark" | "move" | "choose" | "leave" | "reason" | "nothing";

const acts: Record<Situation, Record<KeyKind, Act>> = {
  // A line is being typed: its keys go to the editor until it is sent, emptied or left.
  line: row("editor", { escape: "turn" }),
  // A key was pressed a moment ago, so the person has not read this question yet.
  early: row("editor"),
  open: row("editor", { choice: "mark", arrow: "move", enter: "nothing", escape: "leave" }),
  // An arrow was pressed, so the person has seen the question and the next key may follow at once.
  pointed: row("editor", { choice: "mark", arrow: "move", enter: "choose", escape: "leave" }),
  // A letter waits for Enter or for a pause. Any other text shows that it was the beginning of a line.
  marked: row("letterToo", { arrow: "move", enter: "choose", escape: "leave" }),
  earlyConfirm: row("letterToo", { arrow: "move", enter: "nothing", escape: "leave" }),
  // Another letter is a change of mind, and no line yet.
  confirm: row("letterToo", { choice: "mark", arrow: "move", enter: "choose", escape: "leave" }),
  reason: row("reason", { enter: "choose", escape: "leave", control: "editor" }),
};

function row(most: Act, others: Partial<Record<KeyKind, Act>> = {}): Record<KeyKind, Act> {
  return { choice: most, text: most, arrow: most, enter: most, escape: most, other: most, control: most, ...others };
}

/** Keys that change the line in the editor and so show that the person is typing there. */
const lineKeys: KeyKind[] = ["choice", "text", "enter", "other"];

type Mark = { kind: "none" } | { kind: "pointed" } | { kind: "letter"; letter: string; ticks: number };

export type QuestionKeys = {
  mark: Mark;
  /** A pause confirmed this letter. If a line follows after all, the line begins with it. */
  counted: string;
  /** The person turned to the question while a line was in the editor. */
  turned: boolean;
  /** When the last key was pressed anywhere in the pane, or when the question replaced another one. */
  lastMs: number;
};

export const noKeys: QuestionKeys = { mark: { kind: "none" }, counted: "", turned: false, lastMs: Number.NEGATIVE_INFINITY };

export type Key = { kind: KeyKind; text: string; atMs: number; step: Step; editorEmpty: boolean };

/** The shortest time between two keys that counts as a pause. */
const silenceMs = 500;
/** How often `silent` is called while a letter is marked. */
export const tickMs = 50;
/** One tick more than the pause, so that a key that was pressed in time but read late is handled first. */
const ticksToCount = silenceMs / tickMs + 1;

/** Handles one key: returns what to do with it, and the letter that must go to the editor first, if any. */
export function press(keys: QuestionKeys, key: Key): { keys: QuestionKeys; act: Act; letter: string } {
  const act = acts[situationOf(keys, key)][key.kind];
  const letter = act === "letterToo" ? waitingLetter(keys) : "";
  const isLine = (act === "editor" || act === "letterToo") && lineKeys.includes(key.kind);
  return {
    act,
    letter,
    keys: {
      mark: markAfter(act, keys, key),
      counted: act === "mark" ? keys.counted : "",
      turned: act === "turn" || (keys.turned && !isLine),
      lastMs: key.atMs,
    },
  };
}

function situationOf({ mark, turned, lastMs }: QuestionKeys, { atMs, step, editorEmpty }: Key): Situation {
  if (step === "reason") return "reason";
  const early = atMs - lastMs < silenceMs;
  if (step === "confirm") return early ? "earlyConfirm" : "confirm";
  if (mark.kind === "letter") return "marked";
  if (mark.kind === "pointed") return "pointed";
  if (!editorEmpty && !turned) return "line";
  return early ? "early" : "open";
}

function markAfter(act: Act, { mark }: QuestionKeys, { text }: Key): Mark {
  if (act === "mark") return { kind: "letter", letter: text, ticks: 0 };
  if (act === "move") return { kind: "pointed" };
  return act === "nothing" ? mark : { kind: "none" };
}

/** The marked letter. If the question disappears, the letter is the beginning of a line. */
export function waitingLetter({ mark, counted }: QuestionKeys): string {
  return mark.kind === "letter" ? counted + mark.letter : counted;
}

/** Called every `tickMs` while a letter is marked. True if the letter is confirmed because no other key was pressed. */
export function silent(keys: QuestionKeys): { keys: QuestionKeys; counts: boolean } {
  const { mark } = keys;
  if (mark.kind !== "letter") return { keys, counts: false };
  const ticks = mark.ticks + 1;
  if (ticks < ticksToCount) return { keys: { ...keys, mark: { ...mark, ticks } }, counts: false };
  return { keys: { ...keys, mark: { kind: "none" }, counted: waitingLetter(keys) }, counts: true };
}

/** Another question is shown. `instead`: it replaced one that was being read. */
export function shown({ lastMs }: QuestionKeys, { atMs, instead }: { atMs: number; instead: boolean }): QuestionKeys {
  return { ...noKeys, lastMs: instead ? Math.max(lastMs, atMs) : lastMs };
}
