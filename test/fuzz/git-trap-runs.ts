// Runs commands of the built program in the repositories of git-traps.ts under strace, and says what should not have happened: a program of
// theirs, a connection, a write elsewhere, a secret shown, a run that does not end.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type GitTrap, gitTraps, hasRun, ordinaryRepository, type TrapPlace } from "./git-traps.ts";

const secret = "BEGIN-SECRET-5f3a9c";
const program = resolve("bin/tool.js");

/** `before`: runs while the repository is still an ordinary one. */
type Command = { name: string; args: string[]; before?: string[]; calls?: object[]; from?: string };

const tools = [
  { Read: { path: "a.txt" } },
  { Grep: { pattern: "one" } },
  { Glob: { pattern: "**/*.txt" } },
  { Edit: { path: "c.txt", old_string: "three", new_string: "3" } },
  { Write: { path: "made.txt", content: "made\n" } },
];
/** With a limit, because a git that the agent starts itself may wait for a pipe. */
const bash = (...commands: string[]) => commands.map((command) => ({ Bash: { command, timeout: 3_000 } }));
const session = (name: string, mode: string, calls: object[], more: string[] = []): Command => ({
  name: `session, ${mode}: ${name}`,
  args: ["--print", "--permission-mode", mode, ...more, "Look."],
  calls,
});

/** What people and scripts start in a repository that they have just been given. */
const commands: Command[] = [
  session("file tools", "acceptEdits", tools),
  session("commands that only look", "default", bash("ls", "cd evil && ls", "git status", "git -C evil log", "git diff")),
  session("commands that only look", "plan", bash("ls", "cd evil && ls", "git -C evil log")),
  session("commands that only look", "dontAsk", bash("ls", "git -C evil log", "git log -1")),
  session("files of the inner repository", "acceptEdits", [
    ...bash("sed -i s/x/y/ evil/x.txt", "rm evil/x.txt", "rm a.txt"),
    { Edit: { path: "evil/x.txt", old_string: "x", new_string: "y" } },
  ]),
  session("with hidden files", "default", bash("ls", "git log -1", "cd evil && ls"), [
    "--deny",
    "Read(c.txt)",
    "--deny",
    "Read(evil/x.txt)",
  ]),
  session("what the sandbox shows", "default", bash("sh show.sh"), ["--allow", "Bash(sh show.sh)"]),
  session("an isolated agent", "acceptEdits", [{ Agent: { subagent_type: "apart", description: "Works apart", prompt: "Look." } }]),
  {
    name: "team in worktrees",
    args: ["team", "--print", "--display", "in-process", "--worktrees", "--allow", "Write", "Do it."],
    calls: [{ SpawnTeammate: { name: "ada" } }, { TaskCreate: { title: "One", description: "Write a file", assignee: "ada" } }],
  },
  {
    name: "resume",
    before: ["--print", "Look."],
    args: ["--print", "--permission-mode", "acceptEdits", "--continue", "Look on."],
    calls: [...tools, ...bash("git status", "cd evil && ls")],
  },
  {
    name: "resume of a team",
    before: ["team", "--print", "--display", "in-process", "--worktrees", "--allow", "Write", "Do it."],
    args: ["team", "--print", "--display", "in-process", "--resume"],
    calls: [{ SpawnTeammate: { name: "ada" } }, { TaskCreate: { title: "One", description: "Write a file", assignee: "ada" } }],
  },
  { name: "doctor", args: ["doctor"] },
  { name: "doctor in the inner repository", args: ["doctor"], from: "evil" },
  { name: "secrets scan", args: ["secrets", "scan", "."] },
  { name: "secrets scan of the inner repository", args: ["secrets", "scan", "evil"] },
  { name: "secrets scan --staged", args: ["secrets", "scan", "--staged"] },
  { name: "batch --plan-only", args: ["batch", "Change everything", "--plan-only"], calls: tools.slice(0, 1) },
  { name: "agents list", args: ["agents", "list"] },
  { name: "permissions check", args: ["permissions", "check", "Bash(git -C evil log)"] },
  { name: "ignore check", args: ["ignore", "check", "a.txt", "evil/x.txt"] },
  { name: "privacy", args: ["privacy"] },
];

export type TrapCase = { trap: GitTrap; command: Command; sandboxed: boolean; trusted: boolean };

/** Every repository with `each` of the commands in turns, and the first ones with all. */
export function trapCases(each: number): TrapCase[] {
  let next = 0;
  const all = gitTraps.flatMap((trap, at) =>
    Array.from({ length: at < thorough ? commands.length : each }, () => {
      next++;
      return { trap, command: commands[next % commands.length]!, sandboxed: next % 2 === 0, trusted: next % 3 === 0 };
    }),
  );
  return all
    .filter(({ trap, command }) => !command.from || /inner|bare|inside/.test(trap.name))
    .map((one) => (one.command.name.endsWith("what the sandbox shows") ? { ...one, sandboxed: true } : one));
}

const thorough = 8;

export type TrapResult = { name: string; processes: string[]; connections: string[]; writes: string[]; other: string[] };

export const hasStrace = () => spawnSync("strace", ["-V"]).status === 0;

export async function runTrap({ trap, command, sandboxed, trusted }: TrapCase): Promise<TrapResult> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-trap-")));
  const name = `${trap.name}; ${command.name}${sandboxed ? "" : ", no sandbox"}${trusted ? ", trusted" : ""}`;
  try {
    const place = makePlace(folder);
    writeFileSync(join(folder, "home/.tool/settings.json"), JSON.stringify({ sandbox: { enabled: sandboxed } }));
    const script = join(folder, "script.yaml");
    writeFileSync(script, scriptOf(command.calls ?? []));
    const trace = join(folder, "trace");
    const ofModel = command.calls ? ["--script", script, ...(trusted ? ["--trust"] : [])] : [];
    const own = [program, ...command.args, ...ofModel];
    const traced = hasStrace() ? ["strace", "-f", "-qq", "--seccomp-bpf", "-s", "600", "-e", `trace=${calls}`, "-o", trace] : [];
    const cwd = join(place.repository, command.from ?? "");
    const env = {
      PATH: trap.path === undefined ? process.env["PATH"] : `${join(place.repository, trap.path)}:${process.env["PATH"]}`,
      HOME: join(folder, "home"),
      TMPDIR: join(folder, "tmp"),
      LANG: "C.UTF-8",
      TOOL_EXPERIMENTAL_AGENT_TEAMS: "1",
    };
    if (command.before) await run([process.execPath, program, ...command.before, ...ofModel], { cwd: place.repository, env });
    trap.build(place);
    const racing = trap.meanwhile && spawn("sh", ["-c", trap.meanwhile(place)], { cwd: place.repository, stdio: "ignore", detached: true });
    const ended = await run([...traced, process.execPath, ...own], { cwd, env }).finally(
      () => racing && process.kill(-racing.pid!, "SIGKILL"),
    );
    const seen = existsSync(trace)
      ? judged(readFileSync(trace, "utf8"), { ...place, folder })
      : { processes: [], connections: [], writes: [] };
    const ran = hasRun(place.outside);
    return {
      name,
      ...seen,
      // What the agent's own git starts in the sandbox stays there, and leaves nothing outside.
      processes: [...(sandboxed && command.calls ? [] : seen.processes), ...(ran ? [`ran outside: ${ran}`] : [])],
      other: [
        ...(ended.output.includes(secret) ? ["showed the secret"] : []),
        ...(ended.late ? ["did not end"] : []),
        ...(/\n {4}at .*\.c?js:\d+/.test(ended.output) ? [`crashed: ${ended.output.slice(0, 400)}`] : []),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makePlace(folder: string): TrapPlace {
  for (const name of ["home/.tool/agents", "home/.ssh", "tmp", "outside"]) mkdirSync(join(folder, name), { recursive: true });
  const [repository, outside, trap] = [join(folder, "repo"), join(folder, "outside"), join(folder, "trap.sh")];
  ordinaryRepository(repository);
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${outside}/ran\nexit 0\n`, { mode: 0o755 });
  writeFileSync(
    join(repository, "show.sh"),
    'cat "$(git config core.attributesFile)" "$(git config core.excludesFile)"; git status; git log -1\n',
  );
  writeFileSync(join(folder, "home/.gitconfig"), "[user]\n\tname = Test\n\temail = test@localhost\n");
  writeFileSync(join(folder, "home/.ssh/id_rsa"), `${secret}\n`);
  writeFileSync(
    join(folder, "home/.tool/agents/apart.md"),
    "---\nname: apart\ndescription: Works apart\ntools: Read, Write, Bash\nisolation: worktree\n---\nWork.\n",
  );
  return { repository, outside, trap, secret: join(folder, "home/.ssh/id_rsa") };
}

/** JSON is YAML too. */
const scriptOf = (all: object[]) =>
  JSON.stringify({ version: 1, agents: ["tool", "lead", "ada", "apart"], scenes: [outer(all), ...inner] });

const outer = (all: object[]) => ({
  name: "look",
  agent: ["tool", "lead"],
  when: "^(?:Look|Do it|Change)|Change everything",
  replies: [...all.map((each) => ({ calls: [each] })), { say: "Done." }],
});

/** What the isolated agent and the teammate do. */
const write = { calls: [{ Write: { path: "apart.txt", content: "apart\n" } }] };
const inner = [
  { name: "otherwise", agent: ["tool", "lead"], when: ".", replies: [{ say: "Noted." }] },
  { name: "apart", agent: ["apart"], when: ".", replies: [write, { calls: bash("git add -A && git status") }, { say: "Done." }] },
  {
    name: "teammate",
    agent: ["ada"],
    when: "task-1",
    replies: [write, { calls: [{ TaskUpdate: { id: "task-1", status: "completed", summary: "Written." } }] }, { say: "Done." }],
  },
];

const calls = "execve,connect,openat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat";
const limitMs = 120_000;

async function run(argv: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<{ output: string; late: boolean }> {
  const [name = "", ...args] = argv;
  const child = spawn(name, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let [output, late] = ["", false];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const timer = setTimeout(() => {
    late = true;
    process.kill(-child.pid!, "SIGKILL");
  }, limitMs);
  await new Promise((done) => child.once("close", done));
  clearTimeout(timer);
  return { output, late };
}

type Where = TrapPlace & { folder: string };

/** What strace saw: a program of the repository started, a connection made, a file made or opened for writing elsewhere. */
function judged(trace: string, { repository, outside, trap, folder }: Where): Omit<TrapResult, "name" | "other"> {
  const [processes, connections, writes] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const mine = [repository, join(folder, "home/.tool"), join(folder, "tmp"), "/dev/", "/proc/", "/tmp/newroot", "/newroot", "/oldroot"];
  for (const written of trace.split("\n")) {
    const line = asText(written);
    const [, call = "", args = ""] = /^\d+ +(\w+)\((.*)\) += (?:0|\d+|-1 EINPROGRESS)/.exec(line) ?? [];
    if (call === "execve" && (args.includes(trap) || args.startsWith(`"${repository}`))) processes.add(args.slice(0, 200));
    if (call === "connect" && /AF_INET6?|AF_UNIX/.test(args) && !/nscd/.test(args)) connections.add(args.slice(0, 200));
    const isWrite = call !== "" && call !== "execve" && call !== "connect" && (call !== "openat" || /O_WRONLY|O_RDWR|O_CREAT/.test(args));
    const paths = isWrite ? [...args.matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path!) : [];
    for (const path of paths) if (!mine.some((place) => path.startsWith(place)) || path.startsWith(outside)) writes.add(`${call} ${path}`);
  }
  return { processes: [...processes], connections: [...connections], writes: [...writes] };
}

/** strace writes bytes that are not ASCII as `\\303`. */
const asText = (line: string) =>
  /\\\d{3}/.test(line)
    ? Buffer.from(
        line.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
        "latin1",
      ).toString()
    : line;
