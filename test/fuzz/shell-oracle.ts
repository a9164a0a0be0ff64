// Bash as the oracle: generated commands run in the real shell, where only stubs can be reached, and every stub that ran must be a command
// that the analysis named, with the same words.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseBashPattern } from "../../src/shell/judge/bash-pattern.ts";
import { judgeShell } from "../../src/shell/judge/judge-shell.ts";
import { analyseCommand } from "../../src/shell/walk/analyse-command.ts";
import type { Analysis, Word } from "../../src/shell/words/analysis.ts";
import { random } from "./random.ts";
import { shellCommand, stubs } from "./shell-commands.ts";

export type OracleResult = {
  commands: number;
  /** Commands that the analysis claims to know completely. */
  clear: number;
  /** Commands that a rule with a wildcard for each stub allows. */
  allowed: number;
  /** Stubs that ran. */
  ran: number;
  /** Ran without having been named, though the analysis claimed to know all commands. */
  unnamed: { command: string; ran: string[] }[];
  crashes: { command: string; error: string }[];
};

const perShell = 400;

/** `from` and `count` choose a range of the seed's commands, so that part of a run can be repeated. */
export async function compareWithBash({
  seed,
  count,
  shells = 2,
}: {
  seed: number;
  count: number;
  shells?: number;
}): Promise<OracleResult> {
  const result: OracleResult = { commands: 0, clear: 0, allowed: 0, ran: 0, unnamed: [], crashes: [] };
  const folder = mkdtempSync(join(tmpdir(), "tool-oracle-"));
  try {
    makeStubs(folder);
    const batches = Math.ceil(count / perShell);
    let next = 0;
    const work = async () => {
      for (let batch = next++; batch < batches && result.unnamed.length < 10; batch = next++) {
        await compareBatch({ seed: seed + batch, count: Math.min(perShell, count - batch * perShell), folder, batch }, result);
      }
    };
    await Promise.all(Array.from({ length: shells }, work));
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeStubs(folder: string): void {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const stub = join(folder, "stub");
  writeFileSync(stub, `#!/bin/sh\nprintf '%s\\0' "$ORACLE_ID" "$#" "\${0##*/}" "$@" >> "$ORACLE_LOG"\n`);
  chmodSync(stub, 0o755);
  for (const name of stubs) symlinkSync(stub, join(bin, name));
  // These only run the program that they are given, and find it on the same PATH.
  for (const name of ["env", "timeout", "nice", "nohup", "stdbuf", "xargs", "bash", "sh", "find"]) {
    const real = ["/usr/bin", "/bin"].map((place) => join(place, name)).find(existsSync);
    if (real) symlinkSync(real, join(bin, name));
  }
}

type Batch = { seed: number; count: number; folder: string; batch: number };

async function compareBatch({ seed, count, folder, batch }: Batch, result: OracleResult): Promise<void> {
  const chance = random(seed);
  const commands = Array.from({ length: count }, () => shellCommand(chance, 1 + chance.below(4)));
  const ran = await runAll(commands, join(folder, `batch-${batch}`), join(folder, "bin"));
  for (const [index, command] of commands.entries()) {
    result.commands++;
    const analysis = analysed(command, result);
    if (!analysis) continue;
    const calls = ran.get(index) ?? [];
    result.ran += calls.length;
    const isAllowed = allowed(analysis);
    if (isAllowed) result.allowed++;
    if (!isAllowed && !isClear(analysis)) continue;
    result.clear++;
    for (const call of calls) if (!isNamed(call, analysis)) result.unnamed.push({ command, ran: call });
  }
}

function analysed(command: string, { crashes }: OracleResult): Analysis | undefined {
  try {
    const analysis = analyseCommand(command);
    if (/cannot be parsed/.test(analysis.unclear ?? "")) crashes.push({ command, error: analysis.unclear! });
    return analysis;
  } catch (error) {
    crashes.push({ command, error: String(error) });
    return undefined;
  }
}

const isClear = ({ unclear, commands }: Analysis) => unclear === undefined && commands.every((command) => command.unclear === undefined);

/** Under rules for all stubs and for all programs that may run them. */
function allowed(analysis: Analysis): boolean {
  const judgeFile = () => ({ decision: "allow" as const, by: "default" as const, reason: "" });
  return judgeShell({ analysis, rules: { deny: [], ask: [], allow: rules, grants: [] }, mode: "default", judgeFile }).decision === "allow";
}

const rules = [...stubs, "bash", "sh", "env", "eval", "trap", "find", "nohup", "command", "exec", "export", "coproc"].map((name) => {
  const parsed = parseBashPattern(`${name}:*`);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { text: `Bash(${name}:*)`, pattern: parsed.pattern };
});

function isNamed(call: string[], { commands }: Analysis): boolean {
  return commands.some(({ words, possibleCommands }) => [words, ...possibleCommands].some((each) => mayBecome(call, each)));
}

/** Whether the words may become this call: an unknown word may be any, and an unknown list any number of words. */
function mayBecome([first, ...others]: string[], [word, ...words]: Word[]): boolean {
  if (word === undefined) return first === undefined;
  if (word.many || word.value === undefined) {
    const one =
      first !== undefined &&
      (word.choices ? word.choices.includes(first) : word.many === true || first.startsWith(word.start.replace("\uFFFF", ""))) &&
      mayBecome(others, words);
    return (
      one ||
      (word.many === true &&
        (mayBecome(first === undefined ? [] : [first, ...others], words) || (first !== undefined && mayBecome(others, [word, ...words]))))
    );
  }
  if (first === undefined) return false;
  const value = word.home ? first.replace(/^.*?\/home-of-nobody/, "~") : first;
  return value === word.value && mayBecome(others, words);
}

/** The calls of each command by its index. */
async function runAll(commands: string[], folder: string, bin: string): Promise<Map<number, string[][]>> {
  mkdirSync(join(folder, "work"), { recursive: true });
  const log = join(folder, "log");
  writeFileSync(log, "");
  writeFileSync(join(folder, "work", "a"), "line\n");
  for (const [index, command] of commands.entries()) writeFileSync(join(folder, String(index)), command);
  const driver = `ulimit -t 3; for i in "$@"; do c=; IFS= read -r -d "" c <"../$i"; ORACLE_ID=$i bash -c "$c" </dev/null; done`;
  const env = { PATH: bin, HOME: "/home-of-nobody", ORACLE_LOG: log, FUNCNEST: "30", LC_ALL: "C.UTF-8" };
  const child = spawn("/bin/bash", ["-c", driver, "oracle", ...[...commands.keys()].map(String)], {
    cwd: join(folder, "work"),
    env,
    stdio: "ignore",
    detached: true,
  });
  // A command may wait for itself: `coproc sh; wait`. The commands after it in this shell are then not compared.
  const timeout = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 60_000);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timeout);
  await settled(log);
  const calls = callsIn(readFileSync(log, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  return calls;
}

/** Background processes may still write; the log is complete when it has stopped growing. */
async function settled(log: string): Promise<void> {
  for (let size = -1; size !== readFileSync(log).length; await new Promise((resolve) => setTimeout(resolve, 20)))
    size = readFileSync(log).length;
}

function callsIn(text: string): Map<number, string[][]> {
  const fields = text.split("\0");
  const calls = new Map<number, string[][]>();
  for (let at = 0; at + 2 < fields.length; ) {
    const id = Number(fields[at]);
    const size = Number(fields[at + 1]);
    calls.set(id, [...(calls.get(id) ?? []), fields.slice(at + 2, at + 3 + size)]);
    at += 3 + size;
  }
  return calls;
}
