import { expect, it } from "vitest";
import { createDialogKeys } from "../../../src/screen/keys/dialog-keys.ts";
import { choiceStep } from "../../../src/screen/questions/choice-step.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";

const style = createStyle({ LANG: "C.UTF-8", NO_COLOR: "1" });
const keys = { enter: "\r", escape: "\x1b", ctrlC: "\x03" };

/** The keys of a pane with a line in its editor. */
function pane() {
  let line = "";
  const dialogs = createDialogKeys({
    editor: {
      isEmpty: () => line === "",
      put: (text) => {
        line = text;
      },
    },
    terminal: emulatedTerminal(80, 24).terminal,
    style,
    changed: () => {},
  });
  const draw = () => dialogs.lines(80, 20);
  return {
    dialogs,
    draw,
    line: () => line,
    write: (text: string) => {
      line = text;
    },
    ask: (title: string, signal?: AbortSignal) => dialogs.open(question(title), signal),
    /** Presses each key after a drawing, and returns those that no question takes. */
    press: (...pressed: string[]) =>
      pressed.flatMap(eachKey).filter((key) => {
        draw();
        return !dialogs.onKey(key);
      }),
  };
}

const question = (title: string) =>
  choiceStep({
    title,
    choices: [
      { words: ["y"], label: "go", value: "yes" },
      { words: ["n"], label: "stay", value: "no" },
    ],
    atEscape: "left",
    escapeHint: "Esc leaves",
    typing: "type why",
    read: (text) => `why: ${text}`,
    style,
  });

it("answers at once, the oldest question first", async () => {
  const { ask, press, draw } = pane();
  const [one, two] = [ask("One?"), ask("Two?")];
  expect(draw()[1]).toBe("! One?");
  expect([press("2"), await one, draw()[1]]).toEqual([[], "no", "! Two?"]);
  expect([press(keys.enter), await two, draw()]).toEqual([[], "yes", []]);
});

it("takes no choice in a question that has not been drawn, but a line and Esc", async () => {
  const { ask, dialogs, draw } = pane();
  const [first, second] = [ask("One?"), ask("Two?")];
  draw();
  for (const key of ["1", "1", keys.enter]) dialogs.onKey(key);
  expect([await first, draw()[1]]).toEqual(["yes", "! Two?"]);
  dialogs.onKey(keys.escape);
  expect(await second).toBe("left");
});

it("leaves the keys to a line that was being written until it is sent or empty", async () => {
  const { ask, press, write, draw } = pane();
  write("half a li");
  const asked = ask("One?");
  expect(draw().at(-1)).toBe("    send or clear your line to answer");
  expect(press("1", "y", keys.enter, keys.escape, keys.ctrlC)).toEqual(["1", "y", keys.enter, keys.escape, keys.ctrlC]);
  write("");
  expect([press("1"), await asked]).toEqual([[], "yes"]);
});

it("puts what was being typed as an answer into the editor if the question is settled elsewhere", async () => {
  const { ask, press, line } = pane();
  const closing = new AbortController();
  const first = ask("One?", closing.signal);
  void ask("Two?");
  press("wait for me");
  closing.abort();
  expect([await first, line()]).toEqual([undefined, "wait for me"]);
  expect(press("1")).toEqual(["1"]);
});

/** Typed text is a key for each character. */
const eachKey = (keys: string) => (keys >= " " ? keys.split("") : [keys]);
