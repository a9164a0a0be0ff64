// Keys from the terminal, one by one. What is typed or pasted is text that others may have written, so it is made harmless here.
import { StdinBuffer } from "@earendil-works/pi-tui";
import { visibleText } from "../visible-text.ts";
import type { Terminal } from "./terminal.ts";

/** Ctrl-B: what runs in the foreground continues in the background. */
export const toBackgroundKey = "\x02";

const paste = { on: "\x1b[?2004h", off: "\x1b[?2004l", begin: "\x1b[200~", end: "\x1b[201~" };

export interface Keys {
  /** Gives the keyboard back for a while. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** A read from the terminal may hold many keys, or half of one: each is passed on by itself, a paste as a whole. */
export function listenToKeys(terminal: Terminal, onKey: (key: string) => void): Keys {
  const buffer = new StdinBuffer();
  // The buffer passes on halves of characters, and the parts of an emoji, one by one.
  let text = "";
  const flush = () => {
    const whole = text;
    text = "";
    if (whole) onKey(visibleText(whole));
  };
  buffer.on("data", (key) => {
    if (!isText(key) || !belongs(text, key)) flush();
    if (isText(key)) text += key;
    else onKey(key);
  });
  buffer.on("paste", (pasted) => {
    flush();
    // The end of the last line is no line of its own.
    const lines = pasted.replaceAll(/\r\n?/g, "\n").replace(/(?<=.)\n$/s, "");
    onKey(`${paste.begin}${visibleText(lines)}${paste.end}`);
  });
  let stop = () => {};
  const resume = () => {
    stop();
    terminal.write(paste.on);
    stop = terminal.listen((bytes) => {
      buffer.process(bytes);
      flush();
    });
  };
  const pause = () => {
    stop();
    stop = () => {};
    terminal.write(paste.off);
  };
  resume();
  return {
    pause,
    resume,
    stop() {
      pause();
      buffer.destroy();
    },
  };
}

/** The text of a key that is a paste. */
export function pasteIn(key: string): string | undefined {
  return key.startsWith(paste.begin) ? key.slice(paste.begin.length, -paste.end.length) : undefined;
}

/** Text that is typed or pasted. Keys below the blank, and other sequences, are commands. */
export function isText(key: string): boolean {
  return (key >= " " && key !== "\x7f") || key.startsWith(paste.begin);
}

/** Whether a character continues with the one before it: the second half of a surrogate pair, a joiner, a selector, a mark. */
function belongs(before: string, key: string): boolean {
  return /[\ud800-\udbff]$|\u200d$/.test(before) || /^(?:\u200c|\u200d|\p{Variation_Selector}|\p{Emoji_Modifier}|\p{M})/u.test(key);
}
