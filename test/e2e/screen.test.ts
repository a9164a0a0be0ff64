// The screen of a session in a real pseudo-terminal, and started from a real shell: streamed replies, running calls, pastes, Ctrl-Z, a
// crash.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { call, gate, newest, type Part, provider } from "../cast.ts";
import { streamed, text } from "../messages-api.ts";
import { type PersonsTerminal, personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { personsShell } from "./persons-shell.ts";

const [enter, ctrlD, ctrlR] = ["\r", "\x04", "\x12"];

async function place(parts: Part) {
  const api = await provider({ tool: parts });
  const there = teamPlace();
  const env = { ...there.env, ...api.env };
  const sit = (args: string[] = [], { columns = 80, rows = 24 } = {}): PersonsTerminal =>
    personsTerminal([...tool, ...args], { env, cwd: there.repository, columns, rows });
  return { there, env, sit, requests: () => api.requests("tool") };
}

const reply = [
  "# Plan",
  "",
  "Some **bold** words and a list:",
  "",
  "- one that is long enough to be wrapped where the terminal is narrow",
  "- two, see [the manual](https://example.org/manual)",
  "",
  "```js",
  "const answer = 42; // of everything, and a line that is longer than forty columns",
  "```",
  "",
  "| key | value |",
  "|-----|-------|",
  "| a   | 1     |",
  "",
  "That is all.",
].join("\n");

describe.each([
  [40, ["• one that is long enough to be wrapped", "  where the terminal is narrow"]],
  [200, ["• one that is long enough to be wrapped where the terminal is narrow"]],
])("in %i columns", (columns, item) => {
  it("a reply that comes in pieces is rendered, each line once", async () => {
    const { sit } = await place([streamed([text(reply)], { wire: { pieceEveryMs: 20 } })]);
    const seat = sit([], { columns });
    await seat.shows("ready");
    seat.type(`go${enter}`);
    await seat.shows("That is all.");
    await seat.shows("ready");
    const all = seat.everything().map((line) => line.trimEnd());
    const from = all.indexOf("Plan");
    const code = all.slice(all.findIndex((line) => line.includes("const answer"))).join("\n");
    expect(all.slice(from, from + 4 + item.length)).toEqual(["Plan", "", "Some bold words and a list:", "", ...item]);
    expect(code.replaceAll("\n", "")).toContain("    const answer = 42; // of everything, and a line that is longer than forty columns");
    expect(all.filter((line) => /^(?:Plan|That is all\.|a {4}1|key {2}value)$/.test(line))).toEqual([
      "Plan",
      "key  value",
      "a    1",
      "That is all.",
    ]);
    seat.type(ctrlD);
    expect(await seat.ended).toBe(0);
  });
});

it("a call has a clock while it runs; an edit shows what it changed, and Ctrl-R all of it", async () => {
  const { there, sit } = await place([
    [call("Read", { path: "a.txt" }), call("Bash", { command: "sleep 2.5" })],
    call("Edit", { path: "a.txt", old_string: "two", new_string: "2" }),
    text("Changed."),
  ]);
  writeFileSync(join(there.repository, "a.txt"), "one\ntwo\nthree\n");
  const seat = sit(["--permission-mode", "acceptEdits", "--allow", "Bash(sleep 2.5)"]);
  await seat.shows("ready");
  seat.type(`go${enter}`);
  await seat.shows("▶ Bash sleep 2.5 1s");
  await seat.shows("Changed.");
  expect(seat.everything().filter((line) => /^ {6} +\d/.test(line))).toEqual(["       2   -  two", "       2   +  2"]);
  seat.type(ctrlR);
  await seat.shows("       3      three");
  await seat.shows("ready");
  seat.type(ctrlD);
  expect(await seat.ended).toBe(0);
});

it("10,000 pasted lines are one mark on the screen and complete in the request", async () => {
  const { sit, requests } = await place([text("Read.")]);
  const seat = sit();
  await seat.shows("ready");
  const pasted = Array.from({ length: 10_000 }, (_, index) => `line ${index}`).join("\n");
  seat.type(`\x1b[200~${pasted}\x1b[201~`);
  await seat.shows("> [pasted 10,000 lines]");
  seat.type(enter);
  await seat.shows("Read.");
  expect(newest(requests()[0]).includes(JSON.stringify(pasted))).toBe(true);
  expect(seat.everything().filter((line) => /^(?:> )?line \d/.test(line)).length).toBeLessThan(20);
  expect(await seat.leave()).toBe(0);
});

it.each([
  [10, 3],
  [20, 6],
])("a terminal of %i × %i shows the line that is typed", async (columns, rows) => {
  const { sit, requests } = await place([text("A reply of several words.")]);
  const seat = sit([], { columns, rows });
  await seat.shows(">");
  seat.type("hi you");
  await seat.shows("> hi you");
  seat.type(enter);
  await eventually(() => requests().length >= 1);
  await eventually(() => seat.everything().join(" ").includes("words."));
  expect(await seat.leave()).toBe(0);
});

it("Ctrl-Z gives the shell its terminal back, and fg the session its screen", async () => {
  const slow = gate(text("Here I am."));
  const { there, env } = await place([slow.answer]);
  const shell = personsShell(there, { env });
  shell.type("tool");
  await shell.sees(/^ready/);
  shell.type("wait for me");
  await shell.sees(/thinking/);
  shell.press("C-z");
  await shell.sees(/Stopped/);
  shell.type("echo in the $((40 + 2)) shell; stty -a | grep -o -- ' icanon'");
  await shell.sees(/^ icanon/);
  expect(shell.screen().filter((line) => line === "in the 42 shell")).toHaveLength(1);
  slow.open();
  shell.type("fg");
  await shell.sees(/^Here I am\.$/);
  await shell.sees(/^ready/);
  shell.press("C-d");
  await shell.misses(/^ready/);
  shell.type("echo and $((6 * 7)) again");
  await shell.sees(/^and 42 again$/);
});

it("a process that is stopped and continued by others redraws and erases nothing", async () => {
  const { sit } = await place([text("First."), text("Second.")]);
  const seat = sit();
  await seat.shows("ready");
  seat.type(`one${enter}`);
  await seat.shows("First.");
  process.kill(seat.pid, "SIGSTOP");
  await eventually(() => /^State:\s+T/m.test(readFileSync(`/proc/${seat.pid}/status`, "utf8")));
  const before = seat.written();
  process.kill(seat.pid, "SIGCONT");
  await eventually(() => seat.written() > before); // until it draws again, keys may reach a terminal that is not in raw mode
  seat.type(`two${enter}`);
  await seat.shows("Second.");
  expect(seat.everything().filter((line) => /^(?:First|Second)\.$/.test(line))).toEqual(["First.", "Second."]);
  await seat.leave();
});

it("a program that fails gives the terminal back as it was", async () => {
  const there = teamPlace();
  const program = `${process.execPath} ${resolve("dist/test/crashing-screen.js")} 2>&1; stty -a | grep -o -- ' icanon'; echo again`;
  const seat = personsTerminal(["/bin/sh", "-c", program], { env: there.env, cwd: there.repository, columns: 80, rows: 40 });
  await seat.shows("press a key");
  expect(seat.modes()).toEqual({ bracketedPaste: true, wraparound: true, mouse: "none", alternate: false });
  seat.type("x");
  await seat.shows("again");
  expect(seat.everything()).toContain(" icanon");
  expect(seat.everything().join("\n")).toContain("a fault that nobody caught");
  expect(seat.modes()).toEqual({ bracketedPaste: false, wraparound: true, mouse: "none", alternate: false });
  await seat.ended;
});
