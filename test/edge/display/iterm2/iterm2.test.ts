// What osascript receives, and how its answers are read. A stand-in on PATH records and answers; the scripts themselves have not been run
// on macOS.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { iterm2Display } from "../../../../src/edge/display/iterm2/iterm2.ts";
import { openTab, withSession } from "../../../../src/edge/display/iterm2/scripts.ts";
import { type Display, type DisplayHandle, isDisplayError } from "../../../../src/team/display/display.ts";
import { lastingHome } from "../../../scratch.ts";

let folder: string;
let display: Display;
const guid = "6E2A9C1D-0000-4000-8000-00000000ADA0";
const handle: DisplayHandle = { kind: "iterm2", session: guid };

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(lastingHome(), ".tool-test-iterm2-")));
  display = iterm2Display({ leadSession: "w0t0p0:LEAD", platform: "darwin", env: env() });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("opening", () => {
  it("gives a constant script two plain words: the launcher's path and the lead's session", async () => {
    answer(guid);
    const cwd = join(folder, `it's "a" $(dir)`);
    mkdirSync(cwd);
    const script = 'printf "%s\\n" "$PWD" "$TOOL_OWNER" "$@" > seen; exit 3';
    const argv = ["/bin/sh", "-c", script, "sh", "it's", '"$HOME" `id` \\', "two\nlines"];
    expect(await display.open({ name: "ada", argv, cwd, env: { TOOL_OWNER: "s:ada" } })).toEqual(handle);
    const [launcher = "", ...rest] = words();
    expect([rest, asked()]).toEqual([["LEAD"], openTab]);
    // iTerm2 runs the program at that path. After a failure the tab stays open until Enter.
    const shown = runs(launcher);
    expect(readFileSync(join(cwd, "seen"), "utf8")).toBe(`${cwd}\ns:ada\nit's\n"$HOME" \`id\` \\\ntwo\nlines\n`);
    expect([shown, existsSync(dirname(launcher))]).toEqual([{ code: 3, text: "\n(exit status 3) Enter closes this tab. " }, false]);
  });

  it("a program that ends with 0 closes its tab at once", async () => {
    answer(guid);
    await display.open({ name: "ada", argv: ["/bin/sh", "-c", "echo fine"], cwd: folder, env: {} });
    expect(runs(words()[0] ?? "")).toEqual({ code: 0, text: "fine\n" });
  });

  it.each([
    [
      "execution error: Not authorized to send Apple events to iTerm2. (-1743)",
      "macOS does not allow this program to control iTerm2 (error -1743). Allow it under System Settings, Privacy & Security, Automation. Otherwise: --display tmux or --display in-process.",
    ],
    [
      'execution error: Can’t get application "iTerm2". (-1728)',
      'iTerm2 is not installed, or cannot be started (execution error: Can’t get application "iTerm2". (-1728)). Use --display tmux or --display in-process.',
    ],
    [
      "execution error: iTerm2 got an error: AppleEvent handler failed. (-10000)",
      "iTerm2 cannot be asked for a tab: execution error: iTerm2 got an error: AppleEvent handler failed. (-10000). Use --display tmux or --display in-process.",
    ],
  ])("gives advice about: %s", async (complaint, message) => {
    refuse(complaint);
    const before = ourFolders();
    expect(await refusal(display.open({ name: "ada", argv: ["/bin/sh", "x"], cwd: folder, env: {} }))).toBe(message);
    expect(ourFolders()).toEqual(before);
  });

  it("is refused without macOS and osascript", async () => {
    const linux = iterm2Display({ leadSession: undefined, platform: "linux", env: env() });
    const request = { name: "ada", argv: ["/bin/sh", "x"], cwd: folder, env: {} };
    expect(await refusal(linux.open(request))).toBe(
      "iTerm2 runs on macOS only, and this is linux. Use --display tmux or --display in-process.",
    );
    expect(await refusal(display.open(request))).toBe(
      "iTerm2 cannot be asked for a tab: osascript was not found on PATH. Use --display tmux or --display in-process.",
    );
  });
});

describe("an open tab", () => {
  it.each([
    ["open", "open"],
    ["gone", "gone"],
    ["not running", "server_gone"],
  ])("osascript says %s: it is %s", async (said, state) => {
    answer(said);
    expect([await display.state(handle), words(), asked()]).toEqual([state, [guid], withSession('return "open"')]);
  });

  it("is closed, labelled and read by its id, with the text as an argument", async () => {
    answer("");
    await display.close(handle);
    const closed = [words(), asked()];
    await display.label(handle, 'ada ▶ "x" & (do shell script "id")\u001b[31m');
    const labelled = [words(), asked()];
    answer("open\nno such module\n\n(exit status 3) Enter closes this tab. ");
    const text = await display.lastWords(handle);
    expect([closed, labelled, text]).toEqual([
      [[guid], withSession("close s")],
      [[guid, 'ada ▶ "x" & (do shell script "id") [31m'], withSession("set name of s to item 2 of argv")],
      "no such module\n(exit status 3) Enter closes this tab.",
    ]);
  });

  it("belongs to a display that is gone if another kind of display opened it", async () => {
    const other: DisplayHandle = { kind: "pty", pid: 1, id: "x" };
    await display.close(other);
    expect([await display.state(other), await display.lastWords(other), existsSync(join(folder, "script"))]).toEqual([
      "server_gone",
      "",
      false,
    ]);
  });
});

function env(): Record<string, string> {
  return { PATH: `${folder}:/usr/bin:/bin`, HOME: folder };
}

/** An osascript that records its arguments and standard input, and prints `text`. */
function answer(text: string): void {
  writeFileSync(join(folder, "answer"), `${text}\n`);
  standIn('cat "$0.d/answer"');
}

function refuse(complaint: string): void {
  writeFileSync(join(folder, "answer"), `0:1: ${complaint}\n`);
  standIn('cat "$0.d/answer" >&2; exit 1');
}

function standIn(reply: string): void {
  const keep = 'shift; printf "%s\\0" "$@" > "$0.d/arguments"; cat > "$0.d/script"';
  writeFileSync(join(folder, "osascript"), `#!/bin/sh\n[ "$1" = - ] || exit 9\n${keep}\n${reply}\n`.replaceAll("$0.d", folder), {
    mode: 0o755,
  });
}

function words(): string[] {
  return readFileSync(join(folder, "arguments"), "utf8").split("\0").slice(0, -1);
}

function asked(): string {
  return readFileSync(join(folder, "script"), "utf8");
}

function runs(launcher: string): { code: number; text: string } {
  try {
    return { code: 0, text: execFileSync(launcher, { input: "\n", encoding: "utf8", stdio: "pipe" }) };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { code: status, text: stdout };
  }
}

function ourFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("tool-tab-"));
}

async function refusal(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isDisplayError(error) ? error.message : `no refusal but ${String(error)}`;
}
