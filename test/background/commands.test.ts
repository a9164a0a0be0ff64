// Commands in the background, with a real shell and real files.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Input } from "../../src/agent/events.ts";
import { bashOutputTool, killBashTool } from "../../src/background/bash-output.ts";
import { openCommandRecords, readCommands } from "../../src/background/command-file.ts";
import { createCommands } from "../../src/background/commands.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { outputStore } from "../../src/edge/disk/output-store.ts";
import { matchingLines } from "../../src/edge/matching-lines.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { redactingOutputs } from "../../src/secrets/redaction/redacting-outputs.ts";
import { bashTool } from "../../src/tools/bash.ts";
import { eventually, scratchFolder } from "../scratch.ts";

const redacted = (text: string) => text.replaceAll("secret-word", "«placeholder»");

/** The tools of one agent in a folder of its own, with the records of an earlier process if the folder has any. */
function openCommands(sessionFolder = scratchFolder()) {
  const here = shell({ cwd: sessionFolder, env: { PATH: process.env["PATH"] ?? "" } });
  const records = openCommandRecords(disk, { sessionFolder, process: { pid: process.pid, start: "1" } });
  const all = createCommands({ records, now: () => new Date(), monotonicMs: () => performance.now() });
  const outputs = redactingOutputs(outputStore(join(sessionFolder, "outputs")), { now: redacted });
  const commands = all.forAgent({ agent: "s:ada", outputs, redacted });
  onTestFinished(() => commands.close());
  const bash = bashTool(here, { outputs, background: commands });
  const read = bashOutputTool({ commands, matchingLines, nowMs: () => Date.now() });
  const kill = killBashTool({ commands });
  const context = () => ({ signal: new AbortController().signal });
  return {
    sessionFolder,
    all,
    commands,
    bash: async (
      command: string,
      more: { background?: boolean; timeout_ms?: number } = { background: true },
      watch: { signal?: AbortSignal; onOutput?: (text: string) => void } = {},
    ) => bash.run({ command, ...more }, { ...context(), ...watch }),
    look: async (id: string, filter?: string) => (await read.run({ id, ...(filter !== undefined && { filter }) }, context())).text,
    kill: async (id: string) => (await kill.run({ id }, context())).text,
    state: (id: string) => all.find(id)?.state,
  };
}

const lines = (text: string) => text.split("\n").slice(1);

it("returns an id at once, then the new output at each call, redacted and in whole lines", async () => {
  const { sessionFolder, bash, look, all } = openCommands();
  const { text, summary } = await bash("echo one; echo secret-word; printf half; until [ -e go ]; do sleep 0.01; done; echo ' two'");
  const path = join(sessionFolder, "outputs/1.txt");
  expect({ text, summary }).toEqual({
    text: `Started in the background as bash-1. BashOutput shows what is new of its output, KillBash ends it. You are told when bash-1 ends; continue meanwhile. Its output goes to ${path}.`,
    summary: "in the background as bash-1",
  });
  await eventually(() => all.lastLine("bash-1") === "half");
  expect(lines(await look("bash-1"))).toEqual(["one", "«placeholder»"]);
  expect(lines(await look("bash-1"))).toEqual(["half"]);
  expect(readFileSync(path, "utf8")).toBe("one\n«placeholder»\n");
  disk.append(join(sessionFolder, "go"), "");
  await eventually(() => all.find("bash-1")?.state === "completed");
  expect(await look("bash-1")).toMatch(/^\[bash-1, exit 0, \d+ s: echo one; echo «placeholder»; .*\]\n two$/);
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["one\n«placeholder»\nhalf two\n", 0o600]);
});

it("filters the redacted lines, and keeps the output when a filter is refused", async () => {
  const { bash, look, state } = openCommands();
  await bash("printf 'a1\\nb2\\nsecret-word\\na3\\n%s\\n' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
  await eventually(() => state("bash-1") === "completed");
  expect(await look("bash-1", "(a+)+$")).toBe("Cannot filter the output: the pattern takes too long. Use a simpler one.");
  expect(await look("bash-1", "[")).toMatch(
    /^Cannot filter the output: Invalid regular expression: .*\. Give a JavaScript regular expression\.$/,
  );
  expect(lines(await look("bash-1", "^(a\\d|secret|«)"))).toEqual(["a1", "«placeholder»", "a3"]);
  expect(lines(await look("bash-1"))[0]).toMatch(/^\(nothing new; all of it is in \/.*\)$/);
});

it("ends a command with all its descendants, and reports that once", async () => {
  const { sessionFolder, bash, kill, state, commands } = openCommands();
  await bash("sleep 600 & echo $! > child; wait");
  const child = await eventually(
    () => existsSync(join(sessionFolder, "child")) && readFileSync(join(sessionFolder, "child"), "utf8").trim(),
  );
  expect(await kill("bash-1")).toBe("bash-1 was ended (stopped: KillBash).");
  expect([state("bash-1"), isAlive(Number(child))]).toEqual(["stopped", false]);
  expect(await kill("bash-1")).toBe("Cannot end bash-1: it has ended already (stopped: KillBash).");
  expect(await kill("bash-7")).toBe('There is no background command "bash-7". There are: bash-1 (stopped: KillBash).');
  expect(commands.ends.take()).toEqual([]);
});

it("reports each end once, and starts a turn for commands that ended by themselves", async () => {
  const { all, bash, commands, state } = openCommands();
  await bash("exit 3");
  await bash("kill -SEGV $$");
  await bash("sleep 600", { background: true, timeout_ms: 50 });
  await bash("sleep 600");
  await eventually(() => ["bash-1", "bash-2", "bash-3"].every((id) => state(id) !== "running"));
  expect(commands.ends.waits()).toBe(true);
  const told = commands.ends.take();
  expect(told.map(({ shown }) => shown)).toEqual([
    "background command bash-1, exit 3: exit 3",
    "background command bash-2, failed: ended by SIGSEGV: kill -SEGV $$",
    "background command bash-3, failed: it ran longer than its timeout_ms: sleep 600",
  ]);
  expect([commands.ends.waits(), commands.ends.take()]).toEqual([false, []]);
  commands.ends.recorded(told);
  all.stop("bash-4");
  await eventually(() => state("bash-4") === "stopped");
  expect(commands.ends.waits()).toBe(false);
  expect(commands.ends.take().map(({ shown }) => shown)).toEqual(["background command bash-4, stopped: the person stopped it: sleep 600"]);
});

it("continues from a killed process's records: nothing runs, numbers are not reused, missing ends are reported", async () => {
  const { sessionFolder, bash, commands, state } = openCommands();
  await bash("true");
  await bash("sleep 600");
  await eventually(() => state("bash-1") === "completed");
  commands.ends.recorded(commands.ends.take());
  const next = openCommands(sessionFolder);
  expect(readCommands(disk, sessionFolder).commands.map((record) => [record.id, record.state, record.told])).toEqual([
    ["bash-1", "completed", true],
    ["bash-2", "running", false],
  ]);
  expect(next.commands.ends.take().map(({ source, shown }: Input) => [source, shown])).toEqual([
    [{ kind: "background", command: "bash-2" }, "background command bash-2, stopped: the session ended: sleep 600"],
  ]);
  expect((await next.bash("true")).summary).toBe("in the background as bash-3");
});

it("moves a foreground command to the background, beyond its time limit and the end of the turn", async () => {
  const { all, bash, commands, look, state } = openCommands();
  const turn = new AbortController();
  expect(commands.toBackground()).toBe(false);
  let shown = "";
  const onOutput = (text: string) => {
    shown += text;
  };
  const running = bash("echo before; sleep 3.2; echo after", { timeout_ms: 3_000 }, { signal: turn.signal, onOutput });
  await eventually(() => shown === "before\n");
  const seenAt = new Date().toISOString();
  await eventually(() => new Date().toISOString() > seenAt);
  const sent = commands.toBackground();
  expect((all.find("bash-1")?.startedAt ?? "none") <= seenAt).toBe(true); // it began with the call, not with the key
  const { text, isError } = await running;
  expect([sent, isError, text.split("\n")[0]?.slice(0, 48), text.split("\n").slice(1)]).toEqual([
    true,
    false,
    "The person sent it to the background as bash-1. ",
    ["Its output so far:", "before"],
  ]);
  turn.abort();
  await eventually(() => state("bash-1") === "completed");
  expect(lines(await look("bash-1"))).toEqual(["after"]);
  expect(readFileSync(/Its output goes to (\S+)\.\n/.exec(text)?.[1] ?? "", "utf8")).toBe("before\nafter\n");
});

it("runs at most sixteen at once", async () => {
  const { bash } = openCommands();
  for (let n = 1; n <= 16; n++) await bash("sleep 600");
  expect(await bash("sleep 600")).toMatchObject({
    isError: true,
    text: expect.stringMatching(
      /^Cannot start it in the background: 16 commands run there already \(bash-1, .*, bash-16\)\. End one with KillBash first\.$/,
    ),
  });
});

it("gives each agent only its own commands", async () => {
  const { all, bash, look } = openCommands();
  await bash("sleep 600");
  const other = all.forAgent({ agent: "s:bo", outputs: undefined, redacted });
  expect([other.list(), other.read("bash-1"), await other.kill("bash-1")]).toEqual([[], undefined, undefined]);
  expect(await look("bash-1")).toContain("[bash-1, running, ");
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
