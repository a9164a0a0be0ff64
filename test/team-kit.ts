// A team as a person starts it: the built program with a home, a configuration and a git repository of its own. When the test has finished,
// everything must be gone: processes, tmux sockets, temporary folders, launch files.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { TranscriptEvent } from "../src/agent/events.ts";
import { parseTranscript } from "../src/agent/session/transcript.ts";
import type { TeamEvent } from "../src/board/event.ts";
import type { Task } from "../src/board/tasks/task.ts";
import type { TeamRecord } from "../src/board/team-record.ts";
import type { MemberExit, MemberStatus } from "../src/team/report/status.ts";
import { skipWithoutTmux } from "./needs.ts";
import { eventually, type PipedProgram, type Program, socketFolder, start, startPiped } from "./scratch.ts";
import { runWarm, type WarmRun } from "./warm-tool.ts";

export type Place = {
  folder: string;
  repository: string;
  configDir: string;
  env: Record<string, string>;
  /** Starts `tool` with these arguments. */
  tool(args: string[], options?: { env?: Record<string, string>; cwd?: string }): Program;
  /** The same with standard input, and with separate output streams. */
  piped(args: string[], options: { env?: Record<string, string>; input: string }): PipedProgram;
  /** The same in a process that has run others before: see warm-tool.ts. */
  warm(args: string[], options?: { env?: Record<string, string>; input?: string }): WarmRun;
  /** The files of the team, which need not exist yet. */
  team(name?: string): TeamFiles;
  /** Writes a file below the folder and returns its path. */
  write(path: string, text: string, options?: { mode?: number }): string;
};

export type TeamFiles = {
  folder: string;
  record(): TeamRecord | undefined;
  tasks(): Task[];
  events(): TeamEvent[];
  status(member: string): MemberStatus | undefined;
  exit(member: string): MemberExit | undefined;
  transcript(member: string): TranscriptEvent[];
};

/** Without a terminal, without a key, and with teams enabled. */
/** `asked`: the person is asked about every command that no rule allows, sandbox or not. */
export function teamPlace({ asked = false } = {}): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-test-")));
  for (const name of ["home", "repo", "tmp", "bin"]) mkdirSync(join(folder, name));
  const sockets = socketFolder();
  symlinkSync(sockets, join(folder, "tmux"));
  // As when installed, so that commands are printed as `tool …` wherever these tests are.
  symlinkSync(program, join(folder, "bin/tool"));
  const configDir = join(folder, "config");
  const repository = join(folder, "repo");
  execFileSync("git", ["init", "--quiet", repository]);
  if (asked) {
    mkdirSync(configDir, { mode: 0o700 });
    writeFileSync(join(configDir, "settings.json"), JSON.stringify({ sandbox: { autoAllow: false } }));
  }
  onTestFinished(async () => {
    const left = await leftovers(folder, configDir);
    for (const each of [folder, sockets]) rmSync(each, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`This was left behind:\n${left.join("\n")}`);
  });
  const env = {
    PATH: `${process.env["PATH"]}:${join(folder, "bin")}`,
    HOME: join(folder, "home"),
    TOOL_CONFIG_DIR: configDir,
    TMUX_TMPDIR: sockets,
    TMPDIR: join(folder, "tmp"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    TOOL_EXPERIMENTAL_AGENT_TEAMS: "1",
  };
  return {
    folder,
    repository,
    configDir,
    env,
    tool(args, options = {}) {
      skipWhereDisplayed(args, options.env);
      return start([...tool, ...args], { env: { ...env, ...options.env }, cwd: options.cwd ?? repository });
    },
    piped(args, { env: more, input }) {
      skipWhereDisplayed(args, more);
      return startPiped([...tool, ...args], { env: { ...env, ...more }, cwd: repository, input });
    },
    warm(args, { env: more, input } = {}) {
      skipWhereDisplayed(args, more);
      return runWarm(args, { env: { ...env, ...more }, cwd: repository, input });
    },
    team: (name = "atlas") => teamFiles(configDir, name),
    write(path, text, options) {
      const absolute = join(folder, path);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, text, options);
      return absolute;
    },
  };
}

/** A team in tmux needs tmux, unless the test provides programs of its own. */
function skipWhereDisplayed(args: string[], env: Record<string, string> = {}): void {
  if (args[args.indexOf("--display") + 1] === "tmux" && args.includes("--display") && !("PATH" in env)) skipWithoutTmux();
}

/** The output about the test's own work: on a machine without a sandbox each session first prints a line about that. */
export const aboutWork = (said: string) => said.replace(/^tool: Commands run without a sandbox: .*\n/m, "");

const program = resolve("bin/tool.js");

/** The command line that starts the built program. */
export const tool = [process.execPath, program];

function teamFiles(configDir: string, name: string): TeamFiles {
  const folder = join(configDir, "teams", name);
  const json = <T>(path: string): T | undefined => {
    const text = textOf(join(folder, path));
    return text === undefined ? undefined : JSON.parse(text);
  };
  const status = (member: string) => json<MemberStatus>(`members/${member}/status.json`);
  return {
    folder,
    record: () => json("team.json"),
    tasks: () => json<{ tasks: Task[] }>("tasks.json")?.tasks ?? [],
    events: () => (textOf(join(folder, "log/events.jsonl")) ?? "").split("\n").flatMap((line) => (line ? JSON.parse(line) : [])),
    status,
    exit: (member) => json(`members/${member}/exit.json`),
    transcript(member) {
      const projects = join(configDir, "projects");
      const session = status(member)?.session;
      const texts = namesIn(projects).flatMap((project) => textOf(join(projects, project, `${session}.jsonl`)) ?? []);
      return texts.flatMap(parseTranscript);
    },
  };
}

/** What is left shortly after the test: processes that use the folder, sockets, temporary files. Ends these processes. */
async function leftovers(folder: string, configDir: string): Promise<string[]> {
  let processes = processesOf(folder);
  const areGone = () => {
    processes = processesOf(folder);
    return processes.length === 0;
  };
  if (processes.length > 0) await eventually(areGone, 30_000).catch(() => {}); // the result lists what remains
  for (const { pid } of processes) process.kill(pid, "SIGKILL");
  const sockets = namesIn(join(folder, "tmux")).flatMap((name) => namesIn(join(folder, "tmux", name)));
  const launches = filesBelow(configDir).filter((file) => file.endsWith("launch.json"));
  return [
    ...processes.map(({ pid, command }) => `process ${pid} ${command}`),
    ...sockets.map((name) => `tmux socket ${name}`),
    ...namesIn(join(folder, "tmp")).map((name) => `temporary ${name}`),
    ...launches.map((file) => `launch file ${file}`),
  ];
}

/** Running processes that have the folder in their environment or on their command line. */
export function processesOf(folder: string): { pid: number; command: string }[] {
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), command: (textOf(`/proc/${pid}/cmdline`) ?? "").replaceAll("\0", " ") }))
    .filter(({ pid, command }) => command.includes(folder) || (textOf(`/proc/${pid}/environ`) ?? "").includes(folder));
}

/** SIGKILL to every process of the place. */
export function killAll(place: Place): void {
  for (const { pid } of processesOf(place.folder)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended together with another one.
    }
  }
}

function filesBelow(folder: string): string[] {
  return namesIn(folder, { recursive: true });
}

function namesIn(folder: string, options: { recursive?: boolean } = {}): string[] {
  try {
    return readdirSync(folder, { encoding: "utf8", ...options });
  } catch {
    // There is no such folder, so it has no entries.
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not written yet, or a process that has ended since it was listed.
    return undefined;
  }
}
