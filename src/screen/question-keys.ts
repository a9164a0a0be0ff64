// What a key means while a question is open: a table, so that no order of keys and pauses is left to chance. Typing never answers.

/** `choice`: a letter of the question. `control`: a key of the pane itself, such as Ctrl-C. */
export type KeyKind = "choice" | "text" | "arrow" | "enter" | "escape" | "other" | "control";

/** The question's own part: choosing, a rule shown before it is written, a reason being typed. */
export type Step = "choose" | "confirm" | "reason";

type Situation = "line" | "early" | "open" | "pointed" | "marked" | "earlyConfirm" | "confirm" | "reason";

/**
 * `editor`: the key is not the question's. `letterToo`: nor was the letter before it, which goes to the editor first.
 * `turn`: from a half-typed line to the question. `leave`: what Esc means at this step.
 */
export type Act = "editor" | "letterToo" | "turn" | "mark" | "move" | "choose" | "leave" | "reason" | "nothing";

const acts: Record<Situation, Record<KeyKind, Act>> = {
  // A line is being written: it continues until it is sent, emptied or left.
  line: row("editor", { escape: "turn" }),
  // A key was pressed a moment ago: its writer has not read this question.
  early: row("editor"),
  open: row("editor", { choice: "mark", arrow: "move", enter: "nothing", escape: "leave" }),
  // An arrow was pressed: it is about the question, so the next key may follow at once.
  pointed: row("editor", { choice: "mark", arrow: "move", enter: "choose", escape: "leave" }),
  // A letter waits for Enter or for silence. Any other text shows that it began a line.
  marked: row("letterToo", { arrow: "move", enter: "choose", escape: "leave" }),
  earlyConfirm: row("letterToo", { arrow: "move", enter: "nothing", escape: "leave" }),
  confirm: row("letterToo", { arrow: "move", enter: "choose", escape: "leave" }),
  reason: row("reason", { enter: "choose", escape: "leave", control: "editor" }),
};

function row(most: Act, others: Partial<Record<KeyKind, Act>> = {}): Record<KeyKind, Act> {
  return { choice: most, text: most, arrow: most, enter: most, escape: most, other: most, control: most, ...others };
}

/** In the editor they change the line, and so its writer is back at it. */
const lineKeys: KeyKind[] = ["choice", "text", "enter", "other"];

type Mark = { kind: "none" } | { kind: "pointed" } | { kind: "letter"; letter: string; ticks: number };

export type QuestionKeys = {
  mark: Mark;
  /** Silence has made this letter count; should a line follow after all, it begins with it. */
  counted: string;
  /** The person turned to the question with a line in the editor. */
  turned: boolean;
  /** The last key anywhere in the pane, or the moment when the question took another one's place. */
  lastMs: number;
};

export const noKeys: QuestionKeys = { mark: { kind: "none" }, counted: "", turned: false, lastMs: Number.NEGATIVE_INFINITY };

export type Key = { kind: KeyKind; text: string; atMs: number; step: Step; editorEmpty: boolean };

/** Between two keys, this long is silence. */
const silenceMs = 500;
/** How often `silent` is called while a letter is marked. */
export const tickMs = 50;
/** One tick more than the silence lasts: a key that was pressed in time, and is read late, comes before it. */
const ticksToCount = silenceMs / tickMs + 1;

/** One key: what is done with it, and the letter that goes to the editor before it, if any. */
export function press(keys: QuestionKeys, key: Key): { keys: QuestionKeys; act: Act; letter: string } {
  const act = acts[situationOf(keys, key)][key.kind];
  const letter = act === "letterToo" ? waitingLetter(keys) : "";
  const isLine = (act === "editor" || act === "letterToo") && lineKeys.includes(key.kind);
  return {
    act,
    letter,
    keys: {
      mark: markAfter(act, keys, key),
      counted: "",
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

/** The letter that no key has followed yet: should the question go away, it is the beginning of a line. */
export function waitingLetter({ mark, counted }: QuestionKeys): string {
  return mark.kind === "letter" ? mark.letter : counted;
}

/** Called every `tickMs` while a letter is marked. True when it counts now: nothing else was pressed. */
export function silent(keys: QuestionKeys): { keys: QuestionKeys; counts: boolean } {
  const { mark } = keys;
  if (mark.kind !== "letter") return { keys, counts: false };
  const ticks = mark.ticks + 1;
  if (ticks < ticksToCount) return { keys: { ...keys, mark: { ...mark, ticks } }, counts: false };
  return { keys: { ...keys, mark: { kind: "none" }, counted: mark.letter }, counts: true };
}

/** Another question is shown now. `instead`: it took the place of one that was being read. */
export function shown({ lastMs }: QuestionKeys, { atMs, instead }: { atMs: number; instead: boolean }): QuestionKeys {
  return { ...noKeys, lastMs: instead ? Math.max(lastMs, atMs) : lastMs };
}
