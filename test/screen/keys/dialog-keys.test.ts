import { describe, expect, it } from "vitest";
import { createDialogKeys } from "../../../src/screen/keys/dialog-keys.ts";
import { tickMs } from "../../../src/screen/keys/question-keys.ts";
import type { QuestionDialog } from "../../../src/screen/questions/dialog.ts";
import { createStyle } from "../../../src/screen/style.ts";

const keys = { enter: "\r", escape: "\x1b", down: "\x1b[B", ctrlC: "\x03" };

/** The keys of a pane with an edit line, a clock that only the test moves, and a record of what was done. */
function pane() {
  let nowMs = 10_000;
  let line = "";
  let tick: (() => void) | undefined;
  const drawn: number[] = [];
  const dialogs = createDialogKeys({
    editor: {
      onKey: (key) => {
        line += key;
      },
      isEmpty: () => line === "",
      isCompleting: () => false,
    },
    terminal: {
      every(_ms, listener) {
        tick = listener;
        return () => {
          tick = undefined;
        };
      },
    },
    style: createStyle({ LANG: "C.UTF-8", NO_COLOR: "1" }),
    now: () => nowMs,
    changed: () => drawn.push(nowMs),
  });
  return {
    dialogs,
    line: () => line,
    typeLine: (text: string) => {
      line = text;
    },
    isTicking: () => tick !== undefined,
    /** Lets time pass without a key. */
    wait(ms: number) {
      for (let passed = 0; passed < ms; passed += tickMs) {
        nowMs += tickMs;
        tick?.();
      }
    },
    /** As in the pane: a key that no dialog takes goes to the editor. */
    press(...pressed: string[]) {
      for (const key of pressed) if (!dialogs.onKey(key)) line += key;
    },
  };
}

/** A question with the choices `y` and `n`, and the answers it received. */
function question() {
  const told: string[] = [];
  let marked: string | undefined;
  const dialog: QuestionDialog<string> = {
    lines: (_width, _rows, { more, line }) => [`question, ${more} more${line ? ", line" : ""}`],
    step: () => "choose",
    isChoice: (key) => key === "y" || key === "n",
    mark(letter) {
      marked = letter;
      told.push(`mark ${letter ?? "nothing"}`);
    },
    move: () => told.push("move"),
    choose: () => (marked === undefined ? undefined : { given: marked }),
    leave: () => ({ given: "left" }),
    onReason: () => {},
  };
  return { dialog, told };
}

async function answerOf(opened: Promise<string | undefined>): Promise<string | undefined> {
  return Promise.race([opened, Promise.resolve("open")]);
}

describe("createDialogKeys() with a question", () => {
  it("answers with a letter and Enter", async () => {
    const { dialogs, press, line } = pane();
    const opened = dialogs.open(question().dialog);
    press("y", keys.enter);
    expect([await opened, line()]).toEqual(["y", ""]);
  });

  it("answers with a letter and silence, and not before", async () => {
    const { dialogs, press, wait, isTicking } = pane();
    const opened = dialogs.open(question().dialog);
    press("n");
    wait(400);
    expect([await answerOf(opened), isTicking()]).toEqual(["open", true]);
    wait(400);
    expect([await opened, isTicking()]).toEqual(["n", false]);
  });

  it("gives a letter that began a line to the editor, with the key behind it", async () => {
    const { dialogs, press, line, wait } = pane();
    const asked = question();
    const opened = dialogs.open(asked.dialog);
    press("y", "e", "s");
    wait(1_000);
    expect([await answerOf(opened), line(), asked.told]).toEqual(["open", "yes", ["mark y", "mark nothing", "mark nothing"]]);
  });

  it("leaves keys to the line that is being written, and turns to the question with Esc", async () => {
    const { dialogs, press, line, typeLine, wait } = pane();
    typeLine("half");
    const opened = dialogs.open(question().dialog);
    press("y");
    expect(line()).toBe("halfy");
    wait(1_000);
    press(keys.escape);
    wait(1_000);
    press("y", keys.enter);
    expect([await opened, line()]).toEqual(["y", "halfy"]);
  });

  it("takes no key of who was typing when another question took its place", async () => {
    const { dialogs, press, line, wait } = pane();
    const gone = new AbortController();
    void dialogs.open(question().dialog, gone.signal);
    const second = dialogs.open(question().dialog);
    gone.abort();
    press("y");
    expect(line()).toBe("y");
    wait(1_000);
    expect(await answerOf(second)).toBe("open");
  });

  it("gives the letter that waited to the editor when its question goes away", () => {
    const { dialogs, press, line, isTicking } = pane();
    const gone = new AbortController();
    void dialogs.open(question().dialog, gone.signal);
    press("y");
    expect(isTicking()).toBe(true);
    gone.abort();
    expect([line(), isTicking()]).toEqual(["y", false]);
  });

  it("moves with arrows and is left with Esc; Enter alone answers nothing", async () => {
    const { dialogs, press, wait } = pane();
    const asked = question();
    const opened = dialogs.open(asked.dialog);
    press(keys.enter);
    expect(await answerOf(opened)).toBe("open");
    wait(1_000);
    press(keys.down);
    expect(asked.told).toContain("move");
    press(keys.escape);
    expect(await opened).toBe("left");
  });

  it("takes a key that somebody else has taken for the end of the letter", () => {
    const { dialogs, press, line, isTicking } = pane();
    const asked = question();
    void dialogs.open(asked.dialog);
    press("y");
    dialogs.onTakenKey();
    expect([line(), isTicking(), asked.told.at(-1)]).toEqual(["y", false, "mark nothing"]);
  });

  it("says how many wait behind it, and whether keys go to a line", () => {
    const { dialogs, typeLine } = pane();
    expect(dialogs.lines(80, 24)).toEqual([]);
    void dialogs.open(question().dialog);
    void dialogs.open(question().dialog);
    expect(dialogs.lines(80, 24)).toEqual(["question, 1 more"]);
    typeLine("x");
    expect(dialogs.lines(80, 24)).toEqual(["question, 1 more, line"]);
  });

  it("stops its clock with the pane", () => {
    const { dialogs, press, isTicking } = pane();
    void dialogs.open(question().dialog);
    press("y");
    dialogs.stop();
    expect(isTicking()).toBe(false);
  });
});

describe("createDialogKeys() with a list to pick from", () => {
  const list = { lines: () => ["a list"], onKey: (key: string) => (key === "a" ? { given: "picked" } : undefined) };

  it("gives it every key but those of the pane, until it answers", async () => {
    const { dialogs } = pane();
    const opened = dialogs.open(list);
    expect([dialogs.onKey("x"), dialogs.onKey("\x1a")]).toEqual([true, false]);
    expect(await answerOf(opened)).toBe("open");
    expect(dialogs.onKey("a")).toBe(true);
    expect([await opened, dialogs.onKey("a")]).toEqual(["picked", false]);
  });

  it("counts below it what waits", () => {
    const { dialogs } = pane();
    void dialogs.open(list);
    void dialogs.open(list);
    expect(dialogs.lines(80, 24)).toEqual(["a list", "  1 more waiting"]);
  });

  it("is given up with its signal", async () => {
    const { dialogs } = pane();
    expect(await dialogs.open(list, AbortSignal.abort())).toBeUndefined();
    expect(dialogs.lines(80, 24)).toEqual([]);
  });
});
