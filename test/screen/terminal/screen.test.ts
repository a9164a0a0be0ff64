import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { createScreen, type Screen } from "../../../src/screen/terminal/screen.ts";

/** The screen on a real terminal emulator. */
function onTerminal(columns: number, rows: number, live: (width: number) => string[]) {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 10_000 });
  let resized = () => {};
  let written = Promise.resolve();
  const terminal = {
    get columns() {
      return emulator.cols;
    },
    get rows() {
      return emulator.rows;
    },
    write(bytes: string) {
      written = written.then(() => new Promise<void>((done) => emulator.write(bytes, done)));
    },
    measure: () => {},
    listen: () => () => {},
    every: () => () => {},
    afterwards: () => () => {},
    onLost: () => {},
    onResize(listener: () => void) {
      resized = listener;
      return () => {};
    },
  };
  const screen: Screen = createScreen(terminal, live);
  return {
    screen,
    async resize(cols: number, height: number) {
      await written;
      emulator.resize(cols, height);
      resized();
    },
    async lines() {
      await written;
      const buffer = emulator.buffer.active;
      const all = Array.from({ length: buffer.length }, (_, index) => buffer.getLine(index)?.translateToString(true) ?? "");
      return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
    },
  };
}

describe("createScreen()", () => {
  it("keeps finished text above the live part", async () => {
    const { screen, lines } = onTerminal(40, 10, () => ["> _", "status"]);
    screen.refresh();
    screen.print("one");
    screen.print("two\nthree");
    expect(await lines()).toEqual(["one", "two", "three", "> _", "status"]);
  });

  it("wraps text at 100 columns, and what hangs, which is a list of facts, where the terminal or the limit ends", async () => {
    const { screen, lines } = onTerminal(160, 20, () => ["status"]);
    const text = "word ".repeat(28).trim();
    screen.print(text);
    screen.print(text, 4);
    screen.limitText(80);
    screen.print(text, 4);
    expect((await lines()).map((line) => line.length)).toEqual([99, 39, 139, 79, 63, 6]);
  });

  it("scrolls finished text into the scrollback, every line of it once", async () => {
    const { screen, lines } = onTerminal(40, 6, () => ["> _", "status"]);
    for (let n = 1; n <= 50; n++) screen.print(`line ${n}`);
    expect(await lines()).toEqual([...Array.from({ length: 50 }, (_, n) => `line ${n + 1}`), "> _", "status"]);
  });

  it("never wraps the live part, wide characters included", async () => {
    const { screen, lines } = onTerminal(10, 6, () => ["日本語日本語日本語", "status that is far too long"]);
    screen.refresh();
    screen.refresh();
    expect((await lines()).length).toBe(2);
  });

  it("erases no finished text when the terminal gets narrower", async () => {
    const { screen, lines, resize } = onTerminal(60, 10, () => [
      "-".repeat(50),
      "> typed text that is rather long, forty and more",
      "status",
    ]);
    for (let n = 1; n <= 20; n++) screen.print(`line ${n}`);
    await resize(20, 10);
    screen.print("after");
    const shown = await lines();
    expect(Array.from({ length: 20 }, (_, n) => `line ${n + 1}`).filter((line) => !shown.includes(line))).toEqual([]);
    expect(shown).toContain("after");
  });

  it("shows at most height − 1 rows of live part, the last ones", async () => {
    const { screen, lines } = onTerminal(20, 4, () => ["1", "2", "3", "4", "5", "6"]);
    screen.refresh();
    expect(await lines()).toEqual(["4", "5", "6"]);
  });

  it("accepts a line of 200,000 characters", async () => {
    const { screen, lines } = onTerminal(80, 10, () => ["status"]);
    screen.print("é".repeat(200_000));
    const shown = await lines();
    expect(shown.slice(0, -1).join("").length).toBe(200_000);
    expect(shown.at(-1)).toBe("status");
  });

  it("shows nothing while it is held, and everything afterwards", async () => {
    const { screen, lines } = onTerminal(40, 10, () => ["> _", "status"]);
    screen.print("one");
    const release = screen.hold();
    screen.print("two");
    screen.refresh();
    expect(await lines()).toEqual(["one"]);
    release();
    expect(await lines()).toEqual(["one", "two", "> _", "status"]);
  });

  it("wraps held text for the width at release", async () => {
    const { screen, lines, resize } = onTerminal(60, 10, () => ["status"]);
    const release = screen.hold();
    screen.print("  ada    ✓ task-1  Quoted fields are parsed, escapes included", 11);
    await resize(40, 10);
    release();
    expect(await lines()).toEqual(["  ada    ✓ task-1  Quoted fields are", "           parsed, escapes included", "status"]);
  });

  it("leaves no second copy of a text in the scrollback when it redraws", async () => {
    const { screen, lines } = onTerminal(60, 6, () => ["> _", "status"]);
    for (let line = 0; line < 30; line++) screen.print(`line ${line}`);
    screen.redraw();
    expect((await lines()).filter((line) => line === "line 20")).toHaveLength(1);
  });

  it("redraws everything for a new width on request", async () => {
    const { screen, lines, resize } = onTerminal(60, 6, () => ["> _", "status"]);
    for (let n = 1; n <= 9; n++) screen.print(`line ${n}`);
    screen.print("  ada    ✓ task-1  Quoted fields are parsed, escapes included", 11);
    await resize(40, 6);
    screen.redraw();
    const shown = await lines();
    expect(shown.slice(-6)).toEqual([
      "line 8",
      "line 9",
      "  ada    ✓ task-1  Quoted fields are",
      "           parsed, escapes included",
      "> _",
      "status",
    ]);
  });

  it("indents continuation lines to the text's column", async () => {
    const { screen, lines } = onTerminal(40, 10, () => ["status"]);
    screen.print("  ada    ✓ task-1  Quoted fields are parsed, escapes included", 11);
    expect(await lines()).toEqual(["  ada    ✓ task-1  Quoted fields are", "           parsed, escapes included", "status"]);
  });

  it("leaves nothing of the live part behind", async () => {
    const { screen, lines } = onTerminal(40, 10, () => ["> _", "status"]);
    screen.print("done");
    screen.close();
    screen.refresh();
    expect(await lines()).toEqual(["done"]);
  });
});
