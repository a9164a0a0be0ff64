// Which display a team gets, for every setting and every kind of terminal.
import { describe, expect, it } from "vitest";
import { chooseDisplay, type DisplayFacts } from "../../../src/team/display/choose-display.ts";

/** A Linux terminal where every display is available. */
const linux: DisplayFacts = { insideTmux: false, tmuxVersion: "3.3a", platform: "linux", iterm2: false, terminal: true, pty: true };
const mac: DisplayFacts = { ...linux, platform: "darwin", iterm2: true };
const pipe: DisplayFacts = { ...linux, terminal: false };

describe("precedence", () => {
  it.each([
    [{ flag: "in-process", env: "tmux", setting: "iterm2" }, "in-process", "--display says so"],
    [{ env: "in-process", setting: "tmux" }, "in-process", "TOOL_DISPLAY_MODE says so"],
    [{ setting: "in-process" }, "in-process", 'the setting "display" says so'],
    [{ flag: "auto", env: "in-process" }, "tmux", "tmux 3.3a is installed"],
    [{ env: "", setting: "in-process" }, "in-process", 'the setting "display" says so'],
  ])("%j gives %s", (wishes, mode, why) => {
    expect(chooseDisplay({ ...wishes, facts: linux })).toMatchObject({ ok: true, mode, why });
  });

  it.each([
    [{ flag: "screen" }, "--display"],
    [{ env: "screen" }, "TOOL_DISPLAY_MODE"],
    [{ setting: "screen" }, 'the setting "display"'],
  ])("%j is unknown, and the four are listed", (wishes, source) => {
    expect(chooseDisplay({ ...wishes, facts: linux })).toEqual({
      ok: false,
      reason: `unknown display "screen" (from ${source}). Use one of auto, tmux, iterm2, in-process. Nothing was started.`,
    });
  });

  it("a display of the person's own is taken by its name, and listed where another one is asked for", () => {
    const commands = { open: "o", state: "s", close: "c" };
    const driver = { name: "screen", commands };
    expect(chooseDisplay({ flag: "screen", drivers: { screen: commands }, facts: linux })).toEqual({
      ok: true,
      mode: "driver",
      where: "driver",
      driver,
      why: "--display says so",
    });
    expect(chooseDisplay({ flag: "kitty", drivers: { screen: commands }, facts: linux })).toMatchObject({
      reason: expect.stringContaining("Use one of auto, tmux, iterm2, in-process, screen."),
    });
    expect(chooseDisplay({ flag: "toString", drivers: {}, facts: linux })).toMatchObject({ ok: false });
  });

  it("plain cannot be asked for", () => {
    expect(chooseDisplay({ flag: "plain", facts: linux })).toMatchObject({ ok: false });
  });
});

describe("a named display works or fails", () => {
  it.each([
    ["tmux", { ...linux, insideTmux: true }, { mode: "tmux", where: "beside" }],
    ["tmux", linux, { mode: "tmux", where: "private" }],
    ["tmux", pipe, { mode: "tmux", where: "detached" }],
    ["tmux", { ...pipe, insideTmux: true }, { mode: "tmux", where: "detached" }],
    ["tmux", mac, { mode: "tmux", where: "private" }],
    ["iterm2", mac, { mode: "iterm2", where: "tabs" }],
    ["in-process", { ...linux, insideTmux: true }, { mode: "in-process", where: "lead" }],
    ["in-process", pipe, { mode: "in-process", where: "lead" }],
  ])("%s, given %j", (flag, facts, expected) => {
    expect(chooseDisplay({ flag, facts })).toEqual({ ok: true, ...expected, why: "--display says so" });
  });

  it.each([
    [
      "iterm2",
      linux,
      "cannot start the team in iterm2 mode: iTerm2 runs on macOS only, and this is Linux.\nUse --display tmux (tmux 3.3a is here) or --display in-process.",
    ],
    [
      "iterm2",
      { ...mac, iterm2: false, pty: false },
      "cannot start the team in iterm2 mode: this terminal is not iTerm2.\nUse --display tmux (tmux 3.3a is here).",
    ],
    [
      "tmux",
      { ...mac, tmuxVersion: undefined },
      "cannot start the team in tmux mode: tmux is not installed.\nUse --display iterm2 or --display in-process.",
    ],
    [
      "tmux",
      { ...linux, tmuxVersion: "3.1c" },
      "cannot start the team in tmux mode: tmux 3.1c is too old, 3.2 is needed.\nUse --display in-process.",
    ],
    [
      "in-process",
      { ...linux, tmuxVersion: "2.9", pty: false },
      "cannot start the team in in-process mode: no build of the package node-pty can be loaded.\nInstall tmux 3.2 or newer, or leave the choice to --display auto.",
    ],
  ])("%s, given %j", (flag, facts, reason) => {
    expect(chooseDisplay({ flag, facts })).toEqual({ ok: false, reason });
  });
});

describe("auto chooses and says why", () => {
  it.each([
    [{ ...linux, insideTmux: true }, "tmux", "beside", "this terminal is inside tmux"],
    [{ ...mac, insideTmux: true }, "tmux", "beside", "this terminal is inside tmux"],
    [mac, "iterm2", "tabs", "this terminal is iTerm2"],
    [{ ...mac, platform: "linux" }, "tmux", "private", "tmux 3.3a is installed"],
    [linux, "tmux", "private", "tmux 3.3a is installed"],
    [{ ...linux, tmuxVersion: "next-3.4" }, "tmux", "private", "tmux next-3.4 is installed"],
    [{ ...linux, insideTmux: true, tmuxVersion: "3.1c" }, "in-process", "lead", "tmux 3.1c is too old, 3.2 is needed"],
    [{ ...linux, tmuxVersion: undefined }, "in-process", "lead", "tmux is not installed"],
    [
      { ...linux, tmuxVersion: undefined, pty: false },
      "plain",
      "logs",
      "tmux is not installed, and no build of the package node-pty can be loaded",
    ],
    [pipe, "tmux", "detached", "there is no terminal, and tmux 3.3a is installed"],
    [{ ...pipe, insideTmux: true }, "tmux", "detached", "there is no terminal, and tmux 3.3a is installed"],
    [{ ...mac, terminal: false, tmuxVersion: undefined }, "in-process", "lead", "tmux is not installed"],
    [
      { ...pipe, tmuxVersion: undefined, pty: false },
      "plain",
      "logs",
      "tmux is not installed, and no build of the package node-pty can be loaded",
    ],
  ])("%j", (facts, mode, where, why) => {
    expect(chooseDisplay({ facts })).toEqual({ ok: true, mode, where, why });
  });
});
