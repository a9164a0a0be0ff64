// A user's terminal: the program runs in a real pseudo-terminal, keys are typed into it, and an emulator gives the visible text.

import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { eventually } from "./scratch.ts";

export type PersonsTerminal = {
  pid: number;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Presses Ctrl-C twice in one write, so that they count together however slow the program is. The editor must be empty. */
  leave(): Promise<number>;
  /** Closes the window: the terminal is gone. */
  hangUp(): void;
  /** The visible lines, without empty ones at the end. Rows that the terminal itself has wrapped are one line. */
  screen(): string[];
  /** The same, including lines that were scrolled away. */
  everything(): string[];
  /** How many characters the program has written so far. */
  written(): number;
  title(): string;
  bells(): number;
  /** Terminal modes that a program may have left on. */
  modes(): { bracketedPaste: boolean; wraparound: boolean; mouse: string; alternate: boolean };
  /** Waits until the text is visible, wherever its lines break: its paths are as long as the folder of temporary files. */
  shows(text: string, withinMs?: number): Promise<string[]>;
  ended: Promise<number>;
};

export type TerminalOptions = { env: Record<string, string>; cwd: string; columns: number; rows: number };

export function personsTerminal([program = "", ...args]: string[], { env, cwd, columns, rows }: TerminalOptions): PersonsTerminal {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 10_000 });
  const pty = spawn(program, args, { name: "xterm-256color", cols: columns, rows, cwd, env });
  let title = "";
  let bells = 0;
  emulator.onTitleChange((text) => {
    title = text;
  });
  emulator.onBell(() => {
    bells++;
  });
  const screenful = wholeFrames((bytes, parsed) => emulator.write(bytes, parsed));
  let written = 0;
  pty.onData((data) => {
    written += data.length;
    screenful.write(data);
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => screenful.end(() => resolve(exitCode)));
  });
  let alive = true;
  void ended.then(() => {
    alive = false;
  });
  onTestFinished(() => {
    try {
      if (alive) process.kill(pty.pid, "SIGKILL");
    } catch {
      // it has just ended, and the exit event is still to come
    }
  });
  const lines = (from: number) => {
    const { active } = emulator.buffer;
    const all: string[] = [];
    for (let row = from; row < active.length; row++) {
      const goesOn = active.getLine(row + 1)?.isWrapped === true;
      const shown = active.getLine(row)?.translateToString(!goesOn) ?? "";
      if (row > from && active.getLine(row)?.isWrapped) all.push(`${all.pop()}${shown}`);
      else all.push(shown);
    }
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  };
  const screen = () => lines(emulator.buffer.active.baseY);
  return {
    pid: pty.pid,
    type: (keys) => pty.write(keys),
    resize(width, height) {
      emulator.resize(width, height);
      pty.resize(width, height);
    },
    leave() {
      pty.write("\x03\x03");
      return ended;
    },
    hangUp: () => (pty as typeof pty & { destroy(): void }).destroy(),
    screen,
    everything: () => lines(0),
    written: () => written,
    title: () => title,
    bells: () => bells,
    modes: () => ({
      bracketedPaste: emulator.modes.bracketedPasteMode,
      wraparound: emulator.modes.wraparoundMode,
      mouse: emulator.modes.mouseTrackingMode,
      alternate: emulator.buffer.active.type === "alternate",
    }),
    shows(text, withinMs) {
      const wanted = wrapped(text);
      return eventually(() => wanted.test(screen().join("\n")) && screen(), withinMs).catch(() => {
        throw new Error(`"${text}" was not to be seen. The screen:\n${lines(0).join("\n")}`);
      });
    },
    ended,
  };
}

const frame = { begin: "\x1b[?2026h", end: "\x1b[?2026l" };

/** Passes bytes on up to the end of the last complete frame, so that a test never sees a half-drawn one, however the bytes arrive. */
function wholeFrames(write: (bytes: string, parsed?: () => void) => void): { write(bytes: string): void; end(parsed: () => void): void } {
  let held = "";
  return {
    write(bytes) {
      held += bytes;
      const begun = held.lastIndexOf(frame.begin);
      const whole = begun > held.lastIndexOf(frame.end) ? begun : held.length;
      write(held.slice(0, whole));
      held = held.slice(whole);
    },
    end: (parsed) => write(held, parsed),
  };
}

function wrapped(text: string): RegExp {
  const escaped = Array.from(text, (character) =>
    character === " " ? "(?: |\\s*\\n *)" : character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"),
  );
  return new RegExp(escaped.join("(?:\\n *)?"));
}
