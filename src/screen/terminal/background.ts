// Asks the terminal for the colour of its background (OSC 11), so that the theme `auto` fits it. Nothing waits for the answer, which many terminals
// never give: the screen is drawn as before, and once more when it comes.
import type { Terminal } from "./terminal.ts";

const question = "\x1b]11;?\x07";
/** An answer ends with BEL or with ESC and a backslash. */
const answer = /\p{Cc}\]11;(\P{Cc}*)(\p{Cc}\\?)?/u;

type Environment = Record<string, string | undefined>;

/** Whether it is worth asking: not if the environment tells it, and not a terminal that would show the question. */
export function canTell({ COLORFGBG: told, TERM: term = "", COLORTERM: more }: Environment): boolean {
  return !/;\d+$/.test(told ?? "") && (Boolean(more) || /256color|kitty|direct/.test(term));
}

/** The same terminal, which asks when it begins to listen and keeps the answer from those that listen for keys. */
export function askingBackground(terminal: Terminal, onTold: (theme: "light" | "dark") => void): Terminal {
  let hasAsked = false;
  return Object.create(terminal, {
    listen: {
      value(onKeys: (keys: string) => void) {
        let held = "";
        const stop = terminal.listen((bytes) => {
          const read = answerIn(held + bytes);
          held = read.held;
          const theme = themeFor(read.colour);
          if (theme) onTold(theme);
          if (read.keys !== "") onKeys(read.keys);
        });
        if (!hasAsked) terminal.write(question);
        hasAsked = true;
        return stop;
      },
    },
  }) as Terminal;
}

/** `held`: the beginning of an answer whose rest is still to come. */
function answerIn(text: string): { keys: string; colour: string; held: string } {
  const found = answer.exec(text);
  if (!found) return { keys: text, colour: "", held: "" };
  const [whole, colour = "", end = ""] = found;
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + whole.length)];
  if (end.startsWith("\x07")) return { keys: before + end.slice(1) + after, colour, held: "" };
  if (end === "\x1b\\") return { keys: before + after, colour, held: "" };
  return after === "" ? { keys: before, colour: "", held: whole } : { keys: before + end + after, colour: "", held: "" };
}

/** `rgb:ffff/ffff/dddd`, with one to four digits each (XParseColor). */
export function themeFor(colour: string): "light" | "dark" | undefined {
  const [, ...digits] = /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(colour) ?? [];
  if (digits.length < 3) return undefined;
  const [red = 0, green = 0, blue = 0] = digits.map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark"; // as bright as an eye finds it (ITU-R BT.601)
}
