// Opens hostile repositories with the built program, before they are trusted: with a person who answers nothing, and headless. Watches from
// outside which programs it starts, where it connects and which files it changes.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { type HostileRepository, hostileRepositories, makeHostile } from "../hostile-repositories.ts";
import { startMessagesApi, text } from "../messages-api.ts";
import { random } from "./random.ts";

/** A session that a person types into, or a single prompt. */
const ways = ["interactive", "headless"] as const;
type Way = (typeof ways)[number];

/** `opened`: runs that reached a question, a prompt or a request; the others refused the settings. */
export type HostileRuns = { repositories: number; opened: number; asked: number; problems: string[] };

/** Draws `count` repositories by the seed, and opens each in both ways. */
export async function openHostile({ seed, count }: { seed: number; count: number }): Promise<HostileRuns> {
  const chance = random(seed);
  const all = hostileRepositories(seed);
  const drawn = Array.from({ length: Math.min(count, all.length) }, () => all.splice(chance.below(all.length), 1)[0]!);
  const waiting = drawn.flatMap((repository) => ways.map((way) => ({ repository, way })));
  const runs: Run[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) runs.push(await opened(next.repository, next.way));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return {
    repositories: drawn.length,
    opened: runs.filter(({ how }) => how !== "refused").length,
    asked: runs.filter(({ how }) => how === "asked").length,
    problems: runs.flatMap(({ problems }) => problems),
  };
}

const atOnce = 4;

type Run = { how: "refused" | "asked" | "open"; problems: string[] };

async function opened(repository: HostileRepository, way: Way): Promise<Run> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-hostile-")));
  const api = await startMessagesApi({ reply: () => text("Hello.") });
  const trap = await trapServer();
  try {
    const place = makePlace(repository, { folder, trapPort: trap.port });
    const before = treeOf(folder);
    const env = { ...place.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "sk-own" };
    const watch = watchProcess();
    const how = way === "interactive" ? await sitDown(place.repository, { env, watch }) : await print(place.repository, { env, watch });
    const seen = watch.end();
    const problems = [
      ...logged(folder),
      ...seen.children.map((command) => `started ${command}`),
      ...seen.peers.filter((peer) => peer !== new URL(api.url).port).map((peer) => `connected to port ${peer}`),
      ...(trap.connections() > 0 ? [`reached an address of the repository's ${trap.connections()} times`] : []),
      ...api.requests.filter(({ headers }) => headers.authorization !== "Bearer sk-own").map(() => "sent another key"),
      ...changes(before, treeOf(folder)),
    ];
    return { how, problems: problems.map((problem) => `${repository.name}, ${way}: ${problem}`) };
  } finally {
    await Promise.all([api.close(), trap.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Place = { repository: string; env: Record<string, string> };

/** Everything that a trap could touch is in the folder, and every program that it could start by name is a stub that logs. */
function makePlace(repository: HostileRepository, { folder, trapPort }: { folder: string; trapPort: number }): Place {
  for (const name of ["repo", "home/.tool", "home/.ssh", "tmp", "bin", "elsewhere"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "home/.tool/settings.json"), "{}");
  const own = (written: string) => written.replaceAll("127.0.0.1:9/", `127.0.0.1:${trapPort}/`);
  makeHostile(
    {
      name: repository.name,
      files: Object.fromEntries(Object.entries(repository.files).map(([path, content]) => [path, own(content)])),
      links: Object.fromEntries(
        Object.entries(repository.links).map(([path, target]) => [path, target === "/tmp" ? join(folder, "elsewhere") : target]),
      ),
    },
    join(folder, "repo"),
  );
  for (const name of stubs) {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\necho "$0 $*" >> "${join(folder, "started")}"\nexit 1\n`);
    chmodSync(join(folder, "bin", name), 0o755);
  }
  const env = {
    PATH: join(folder, "bin"),
    HOME: join(folder, "home"),
    TOOL_CONFIG_DIR: join(folder, "home/.tool"),
    TMPDIR: join(folder, "tmp"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    NO_COLOR: "1",
  };
  return { repository: join(folder, "repo"), env };
}

const stubs = "sh bash dash env git rg tmux node npm npx touch cat date curl wget python3 ssh gh make helper evil".split(" ");

/** Lines that the stubs have logged. */
function logged(folder: string): string[] {
  try {
    return readFileSync(join(folder, "started"), "utf8")
      .split("\n")
      .flatMap((line) => (line ? [`started ${line.replaceAll(folder, "")}`] : []));
  } catch {
    return []; // no stub has written to it
  }
}

type Opening = { env: Record<string, string>; watch: ProcessWatch };
const program = resolve("bin/tool.js");

/** A person who reads the screen for a moment and types nothing. */
async function sitDown(cwd: string, { env, watch }: Opening): Promise<Run["how"]> {
  const pty = spawnPty(process.execPath, [program], { name: "xterm-256color", cols: 100, rows: 40, cwd, env });
  let shown = "";
  let ended = false;
  pty.onData((bytes) => {
    shown += bytes;
  });
  const over = new Promise<void>((done) => {
    pty.onExit(() => {
      ended = true;
      done();
    });
  });
  watch.follow(pty.pid);
  const deadline = Date.now() + longestStartMs;
  const asks = () => shown.includes("Trust this repository");
  const stands = () => asks() || shown.includes("ready");
  while (!ended && !stands()) {
    if (Date.now() > deadline) throw new Error(`It did not start within ${longestStartMs} ms: ${shown.slice(-2000)}`);
    await pause(10);
  }
  if (!ended) await pause(lookMs);
  if (!ended) process.kill(pty.pid, "SIGTERM");
  await over;
  if (!stands()) return "refused";
  return asks() ? "asked" : "open";
}

/** `tool --print`, where nobody can answer. */
async function print(cwd: string, { env, watch }: Opening): Promise<Run["how"]> {
  const child = spawn(process.execPath, [program, "--print", "hello"], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  watch.follow(child.pid ?? 0);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), longestStartMs);
  await new Promise((done) => child.once("close", done));
  clearTimeout(deadline);
  return said === "Hello.\n" ? "open" : "refused";
}

const longestStartMs = 60_000;
/** Long enough for anything that starts by itself. */
const lookMs = 400;
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

type ProcessWatch = { follow(pid: number): void; end(): { children: string[]; peers: string[] } };

/** Polls the children of a process and the ports that it is connected to. */
function watchProcess(): ProcessWatch {
  const children = new Set<string>();
  const peers = new Set<string>();
  let pid = 0;
  const look = () => {
    // Between fork and exec it is still a copy of this program, with its sockets.
    if (!textOf(`/proc/${pid}/cmdline`)?.includes(program)) return;
    for (const thread of namesIn(`/proc/${pid}/task`))
      for (const child of (textOf(`/proc/${pid}/task/${thread}/children`) ?? "").split(" ").filter(Boolean)) {
        const command = (textOf(`/proc/${child}/cmdline`) ?? "").replaceAll("\0", " ").trim();
        // Between fork and exec a child still has its parent's name.
        if (command && !command.includes(program)) children.add(command);
      }
    const sockets = new Set(
      namesIn(`/proc/${pid}/fd`).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`) ?? "")?.[1] ?? []),
    );
    if (sockets.size === 0) return;
    for (const line of (textOf("/proc/net/tcp") ?? "").split("\n").slice(1)) {
      const [, , remote = "", , , , , , , inode = ""] = line.trim().split(/\s+/);
      const port = Number.parseInt(remote.split(":")[1] ?? "", 16);
      if (sockets.has(inode) && port > 0) peers.add(String(port));
    }
  };
  const looking = setInterval(look, 3);
  return {
    follow(at) {
      pid = at;
    },
    end() {
      clearInterval(looking);
      return { children: [...children], peers: [...peers] };
    },
  };
}

/** The server that the repository's addresses point to. */
async function trapServer(): Promise<{ port: number; connections: () => number; close: () => Promise<void> }> {
  let connections = 0;
  const server = createServer((_request, response) => void response.end());
  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => new Promise((done) => void server.close(() => done())),
  };
}

/** Every file, folder and link below, with its kind and content; without our own state folder and the stubs' log. */
function treeOf(folder: string, below = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of namesIn(join(folder, below))) {
    const path = join(below, name);
    if (path === "started" || (path.startsWith("home/.tool/") && path !== "home/.tool/settings.json")) continue;
    const at = join(folder, path);
    const kind = lstatSync(at);
    const { mode, mtimeMs } = kind;
    if (kind.isDirectory()) {
      found.set(path, `folder ${mode}`);
      for (const [inner, what] of treeOf(folder, path)) found.set(inner, what);
    } else if (kind.isSymbolicLink()) found.set(path, `link to ${linkOf(at)}`);
    else found.set(path, `file ${mode} ${mtimeMs} ${createHash("sha256").update(readFileSync(at)).digest("hex")}`);
  }
  return found;
}

function changes(before: Map<string, string>, after: Map<string, string>): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.filter((path) => before.get(path) !== after.get(path)).map((path) => `changed ${path}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the process has ended
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // the process has ended
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // the descriptor was closed
  }
}
