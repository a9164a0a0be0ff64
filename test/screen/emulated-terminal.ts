// A terminal emulator as the screen's terminal: a test types keys, decides when frames are drawn, and reads the visible text.
import xterm from "@xterm/headless";
import type { Terminal } from "../../src/screen/terminal/terminal.ts";

export type EmulatedTerminal = {
  terminal: Terminal;
  type(keys: string): void;
  /** The program has nothing to do: runs what waits for that. Keys, ticks and looks come only then. */
  rest(): void;
  /** Runs everything that waits for a timer. */
  tick(): void;
  resize(columns: number, rows: number): Promise<void>;
  /** The terminal is gone. */
  lose(): void;
  /** All lines including those scrolled away, without empty lines at the end. */
  lines(): Promise<string[]>;
  /** The visible lines. */
  shown(): Promise<string[]>;
  /** Everything written, unchanged. */
  written(): string;
  /** Terminal actions other than showing text. */
  surprises: string[];
};

export function emulatedTerminal(columns: number, rows: number): EmulatedTerminal {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 20_000 });
  const surprises: string[] = [];
  emulator.onBell(() => surprises.push("bell"));
  emulator.onTitleChange((title) => surprises.push(`title ${title}`));
  emulator.onData((answer) => surprises.push(`answer ${JSON.stringify(answer)}`));
  emulator.buffer.onBufferChange(() => surprises.push("another buffer"));
  const drawn = () => new Promise<void>((resolve) => emulator.write("", resolve));
  let bytes = "";
  let onKeys = (_keys: string) => {};
  let onResize = () => {};
  let onLost = () => {};
  const clocks = new Set<() => void>();
  const afterwards = new Set<() => void>();
  const rest = () => {
    for (const draw of Array.from(afterwards)) if (afterwards.delete(draw)) draw();
  };
  const terminal: Terminal = {
    get columns() {
      return emulator.cols;
    },
    get rows() {
      return emulator.rows;
    },
    measure: () => {},
    write(text) {
      bytes += text.toString();
      emulator.write(text);
    },
    listen(listener) {
      onKeys = listener;
      return () => {};
    },
    onResize(listener) {
      onResize = listener;
      return () => {};
    },
    onLost(listener) {
      onLost = listener;
    },
    afterwards(draw) {
      afterwards.add(draw);
      return () => void afterwards.delete(draw);
    },
    every(_ms, listener) {
      clocks.add(listener);
      return () => void clocks.delete(listener);
    },
  };
  const linesFrom = (from: number) => {
    const { active } = emulator.buffer;
    const all = Array.from(
      { length: active.length - from },
      (_, index) =>
        active
          .getLine(from + index)
          ?.translateToString(true)
          .trimEnd() ?? "",
    );
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  };
  return {
    terminal,
    rest,
    type(keys) {
      rest();
      onKeys(keys);
      rest();
    },
    tick: () => {
      rest();
      for (const clock of Array.from(clocks)) clock();
    },
    async resize(width, height) {
      rest();
      await drawn();
      emulator.resize(width, height);
      onResize();
    },
    lose: () => onLost(),
    async lines() {
      rest();
      await drawn();
      return linesFrom(0);
    },
    async shown() {
      rest();
      await drawn();
      return linesFrom(emulator.buffer.active.baseY);
    },
    written() {
      rest();
      return bytes;
    },
    surprises,
  };
}
