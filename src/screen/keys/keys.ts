// Splits terminal input into keys. Typed or pasted text may come from others, so it is made harmless here.
import { StdinBuffer } from "@earendil-works/pi-tui";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleText } from "../visible-text.ts";

/** Ctrl-B: sends the foreground command or agent to the background. */
export const toBackgroundKey = "\x02";

const paste = { on: "\x1b[?2004h", off: "\x1b[?2004l", begin: "\x1b[200~", end: "\x1b[201~" };

export interface Keys {
  /** Releases the keyboard temporarily. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** A read from the terminal may hold many keys or half of one: each key is passed on separately, and a paste as a whole. */
export function listenToKeys(terminal: Terminal, onKey: (key: string) => void): Keys {
  const buffer = new StdinBuffer();
  // The buffer passes on surrogate halves and parts of an emoji one by one.
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
    // The newline at the end of the last line does not begin another line.
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

/** Whether two Esc came in one read, as a slow connection delivers them. */
export const isTwoEscapes = (key: string): boolean => key === "\x1b\x1b";

/** The text of a key that is a paste. */
export function pasteIn(key: string): string | undefined {
  return key.startsWith(paste.begin) ? key.slice(paste.begin.length, -paste.end.length) : undefined;
}

/** Whether the key is typed or pasted text. Control characters and other sequences are commands. */
export function isText(key: string): boolean {
  return (key >= " " && key !== "\x7f") || key.startsWith(paste.begin);
}

/** Whether a character continues the previous one: the second half of a surrogate pair, a joiner, a selector or a mark. */
function belongs(before: string, key: string): boolean {
  return /[\ud800-\udbff]$|\u200d$/.test(before) || /^(?:\u200c|\u200d|\p{Variation_Selector}|\p{Emoji_Modifier}|\p{M})/u.test(key);
}
