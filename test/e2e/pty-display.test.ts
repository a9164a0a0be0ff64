// Teammates on pseudo-terminals of the lead, and as plain children: real processes, no tmux.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logDisplay } from "../../src/edge/display/log-display.ts";
import { ptyAvailable, ptyDisplay } from "../../src/edge/display/pty.ts";
import { type Display, type DisplayHandle, type Focusable, isDisplayError, type OpenRequest } from "../../src/team/display/display.ts";
import { isAlive, until } from "./persons-tmux.ts";

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-test-pty-")));
  env = { PATH: process.env["PATH"] ?? "", HOME: folder, LANG: "C.UTF-8", ANTHROPIC_API_KEY: "sk-1" };
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("in-process", () => {
  let display: Display & Focusable;

  beforeEach(() => {
    display = ptyDisplay({ size: { columns: 100, rows: 30 }, env });
  });

  afterEach(async () => {
    await display.dispose();
  });

  it("is available here", async () => {
    expect(await ptyAvailable()).toBe(true);
  });

  it("a teammate has a terminal of its own, of the given size, and sees no keys", async () => {
    const script = 'stty size > seen; printf "%s\\n" "$TERM" "$TOOL_OWNER" "[$ANTHROPIC_API_KEY]" "$1" >> seen';
    await display.open({ ...ask("ada", script), argv: ["/bin/sh", "-c", script, "sh", "two; words"], env: { TOOL_OWNER: "s:ada" } });
    const seen = ["30 100", "xterm-256color", "s:ada", "[]", "two; words", ""];
    expect(await until(() => read("seen").split("\n"), seen)).toEqual(seen);
  });

  it("a program that exits with 0 closes its place, and one that fails leaves its last output", async () => {
    const good = await display.open(ask("ada", "exit 0"));
    const bad = await display.open(ask("bo", 'printf "\\033]2;title\\007one\\r\\n\\033[31mred\\033[0m 10%%\\r20%%\\r\\n"; exit 3'));
    const killed = await display.open(ask("cy", "kill -9 $$"));
    const states = () => Promise.all([good, bad, killed].map((handle) => display.state(handle)));
    expect(await until(states, ["gone", "open", "open"])).toEqual(["gone", "open", "open"]);
    const words = ["one\n20%\n(exit status 3)", "(killed by SIGKILL)"];
    expect(await until(() => Promise.all([bad, killed].map((handle) => display.lastWords(handle))), words)).toEqual(words);
    await display.close(bad);
    expect([await display.state(bad), await display.lastWords(bad)]).toEqual(["gone", ""]);
  });

  it("is read although nobody watches: megabytes of output do not block a teammate, and little of it is kept", async () => {
    const handle = await display.open(ask("ada", "head -c 8000000 /dev/zero | tr '\\0' x | fold -w 90; echo; echo written > done; exit 1"));
    expect(await until(() => read("done"), "written\n")).toBe("written\n");
    await until(async () => (await display.lastWords(handle)).endsWith("(exit status 1)"), true);
    const kept: Buffer[] = [];
    expect((await display.lastWords(handle)).split("\n").length).toBe(31);
    expect([display.attach(handle, { onBytes: (bytes) => kept.push(bytes), columns: 80, rows: 24 }), kept]).toEqual([undefined, []]);
  });

  it("the focused teammate gets the keys and the view's size, and the view gets earlier and new output", async () => {
    const script = 'trap "stty size" WINCH; echo before; while :; do read -r line && echo "got $line"; done';
    const handle = await display.open(ask("ada", script));
    await until(async () => (await display.lastWords(handle)).includes("before"), true);
    const seen: Buffer[] = [];
    const text = () => Buffer.concat(seen).toString().replaceAll("\r", "");
    const focus = display.attach(handle, { onBytes: (bytes) => seen.push(bytes), columns: 70, rows: 20 });
    expect(text()).toBe("before\n");
    await until(() => text().endsWith("20 70\n"), true);
    focus?.write("hello\n");
    await until(() => text().endsWith("got hello\n"), true);
    focus?.resize({ columns: 71, rows: 21 });
    await until(() => text().endsWith("21 71\n"), true);
    expect(text()).toBe("before\n20 70\nhello\ngot hello\n21 71\n");
    focus?.detach();
    focus?.write("not mine any more\n");
    const again: Buffer[] = [];
    const second = display.attach(handle, { onBytes: (bytes) => again.push(bytes), columns: 71, rows: 21 });
    await until(() => Buffer.concat(again).toString().endsWith("21 71\r\n21 71\r\n"), true);
    second?.write("back\n");
    await until(() => Buffer.concat(again).toString().endsWith("got back\r\n"), true);
    expect([text(), Buffer.concat(again).toString().includes("not mine")]).toEqual(["before\n20 70\nhello\ngot hello\n21 71\n", false]);
  });

  it("closing hangs up on the program and what it started, and on nothing else", async () => {
    const ada = await display.open(ask("ada", "sleep 1000 & echo $! > pid; wait"));
    const bo = await display.open(ask("bo", "sleep 1000"));
    await until(() => read("pid") !== "", true);
    await display.close(ada);
    expect(await until(() => [isAlive(pidOf(ada)), isAlive(Number(read("pid")))], [false, false])).toEqual([false, false]);
    expect([await display.state(ada), await display.state(bo), isAlive(pidOf(bo))]).toEqual(["gone", "open", true]);
  });

  it("a teammate holds no other teammate's terminal open", async () => {
    await display.open(ask("ada", "sleep 1000"));
    const bo = await display.open(ask("bo", "exec sleep 1000"));
    await until(() => readFileSync(`/proc/${pidOf(bo)}/cmdline`, "utf8"), "sleep\u00001000\u0000");
    const folder = `/proc/${pidOf(bo)}/fd`;
    // More than these for a moment: a starting program opens its libraries.
    await until(() => readdirSync(folder), ["0", "1", "2"]);
    const open = readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
    expect(open).toEqual(Array(3).fill(expect.stringMatching(/^\/dev\/pts\/\d+$/)));
    expect(new Set(open).size).toBe(1);
  });

  it("dispose ends every teammate, and a later lead finds their display gone", async () => {
    const handles = await Promise.all(["ada", "bo"].map((name) => display.open(ask(name, "sleep 1000"))));
    await display.dispose();
    expect(await until(() => handles.map(pidOf).filter(isAlive), [])).toEqual([]);
    const later = ptyDisplay({ size: { columns: 80, rows: 24 }, env });
    expect(await Promise.all(handles.map((handle) => later.state(handle)))).toEqual(["server_gone", "server_gone"]);
  });

  it("the death of the lead closes every terminal", async () => {
    const lead = spawn(process.execPath, ["dist/test/pty-lead.js"], { env, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(lead.stdout, "data");
    const pids = String(line).trim().split(" ").map(Number);
    const before = pids.map(isAlive);
    lead.kill("SIGKILL");
    expect([before, await until(() => pids.map(isAlive), [false, false, false])]).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  it("a missing program or directory is reported before anything starts", async () => {
    expect(await refusal(display.open({ ...ask("ada", ""), argv: ["/no/such"] }))).toBe(
      "Cannot start ada: /no/such is not there or cannot be executed.",
    );
    expect(await refusal(display.open({ ...ask("ada", ""), cwd: "/no/such" }))).toBe(
      "Cannot start ada in /no/such: there is no such directory. Create it, or start the team elsewhere.",
    );
  });

  it("without a build of node-pty it says what to install", () => {
    // The same code in a folder without node_modules above it.
    cpSync(join(process.cwd(), "dist/test"), join(folder, "program"), { recursive: true });
    const said = execFileSync(process.execPath, [join(folder, "program/open-pty.js")], { env, encoding: "utf8" });
    expect(said.replace(/\(.*\)/, "(why)")).toBe(
      "The in-process display needs the package node-pty, and no build of it can be loaded (why). Install this program again without --omit=optional, or use --display tmux.\n",
    );
  });
});

describe("plain", () => {
  let display: Display;

  beforeEach(() => {
    display = logDisplay({ logOf: (name) => join(folder, `${name}.log`), env });
  });

  it("writes what a teammate says to its log, and keeps the end of it after a failure", async () => {
    const good = await display.open(ask("ada", "echo fine"));
    const bad = await display.open(ask("bo", "echo $TOOL_OWNER; echo no >&2; exit 2"));
    const states = () => Promise.all([good, bad].map((handle) => display.state(handle)));
    expect(await until(states, ["gone", "open"])).toEqual(["gone", "open"]);
    expect([read("ada.log"), await display.lastWords(bad)]).toEqual(["fine\n", "s:bo\nno\n(exit status 2)"]);
    await display.close(bad);
    expect([await display.state(bad), await display.lastWords(bad), read("bo.log")]).toEqual(["gone", "", "s:bo\nno\n"]);
  });

  it("a later lead finds a teammate that still runs, and closes it with what it started", async () => {
    const handle = await display.open(ask("ada", "sleep 1000 & wait"));
    const later = logDisplay({ logOf: () => "", env });
    const before = await later.state(handle);
    await later.close(handle);
    expect([before, await until(() => isAlive(pidOf(handle)), false), await later.state(handle)]).toEqual(["open", false, "gone"]);
  });

  it("a process that only has the same pid is not closed", async () => {
    const handle = await display.open(ask("ada", "exec sleep 1000"));
    const other = handle.kind === "plain" ? { ...handle, process: { ...handle.process, start: "1" } } : handle;
    const state = await display.state(other);
    await display.close(other);
    expect([state, isAlive(pidOf(handle))]).toEqual(["server_gone", true]);
    await display.close(handle);
    expect(await until(() => isAlive(pidOf(handle)), false)).toBe(false);
  });

  it("a log that cannot be written is reported", async () => {
    const nowhere = logDisplay({ logOf: () => join(folder, "no/such.log"), env });
    expect(await refusal(nowhere.open(ask("ada", "exit 0")))).toMatch(
      /^Cannot write the log file .*no\/such\.log: Error: ENOENT.* Make its folder writable\.$/,
    );
  });
});

function ask(name: string, script: string): OpenRequest {
  return { name, argv: ["/bin/sh", "-c", script], cwd: folder, env: { TOOL_OWNER: `s:${name}` } };
}

function read(name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch {
    // Not written yet.
    return "";
  }
}

function pidOf(handle: DisplayHandle): number {
  if (handle.kind === "pty") return handle.pid;
  if (handle.kind === "plain") return handle.process.pid;
  throw new Error("a display gave a handle of another kind");
}

async function refusal(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isDisplayError(error) ? error.message : `no refusal but ${String(error)}`;
}
