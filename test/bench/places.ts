// What a place costs over ssh on loopback: the first call beside a bare `ssh host true`, a call beside the same one at home, the memory of hands,
// and what comes home after a turn.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { ownGit } from "../../src/edge/git/own-git.ts";
import { travel } from "../../src/edge/places/travel.ts";
import { callHands } from "../../src/places/call-hands.ts";
import type { Place } from "../../src/places/place.ts";
import { startHands } from "../../src/places/start-hands.ts";
import { type RecordedRequest, startMessagesApi, text, toolUse } from "../messages-api.ts";
import { placePortsFor, sshdOnLoopback } from "../places/place-world.ts";
import { mib, pssMiB } from "./process-figures.ts";
import { median, ms, type Part, quantile } from "./row.ts";

const tool = resolve("bin/tool.js");

/** Needs `npm run build`, sshd, and Linux for the memory. */
export const placesBench: Part = async (report) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tool-bench-")));
  for (const name of ["ssh", "repo", "home", "config"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const sshd = await sshdOnLoopback(join(folder, "ssh"));
  const place: Place = { name: "far", command: sshd.command, folder: join(folder, "far") };
  try {
    const person = personIn(folder, place);
    await firstCalls(report, place, person);
    await calls(report, place, person);
    await snapshots(report, folder);
  } finally {
    sshd.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

type Person = { cwd: string; env: Record<string, string> };

function personIn(folder: string, { name, ...place }: Place): Person {
  const cwd = join(folder, "repo");
  repository(cwd, 20);
  writeFileSync(join(folder, "config/settings.json"), JSON.stringify({ places: { [name]: place } }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), TOOL_CONFIG_DIR: join(folder, "config"), LANG: "C.UTF-8" };
  return { cwd, env: { ...env, ANTHROPIC_API_KEY: "bench" } };
}

/** A commit with so many files. */
function repository(folder: string, files: number): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Bench", "-c", "user.email=bench@localhost", ...args]);
  mkdirSync(folder, { recursive: true });
  git("init", "-q");
  for (let at = 0; at < files; at++) {
    const within = join(folder, `part-${Math.floor(at / 50)}`);
    mkdirSync(within, { recursive: true });
    writeFileSync(join(within, `file-${at}.txt`), `${at}\n`.repeat(40));
  }
  git("add", ".");
  git("commit", "-qm", "first");
}

type Ran = { begin: number; requests: RecordedRequest[]; highest: number };

/** `--print` with so many calls of Read. */
async function session({ cwd, env }: Person, flags: string[], count: number): Promise<Ran> {
  let highest = 0;
  const api = await startMessagesApi({
    reply(_request, n) {
      if (n === count) highest = Math.max(0, ...handsOf().map(pssMiB));
      const input = { path: `part-0/file-${n % 20}.txt`, offset: 1 + Math.floor(n / 20), limit: 1 }; // no two alike
      return n < count ? toolUse("Read", input, `toolu_${n}`) : text("Done.");
    },
  });
  const begin = performance.now();
  const child = spawn(process.execPath, [tool, "--print", "go on", ...flags], {
    cwd,
    env: { ...env, ANTHROPIC_BASE_URL: api.url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  await new Promise((done) => child.once("close", done));
  await api.close();
  if (api.requests.length !== count + 1) throw new Error(`${api.requests.length} requests instead of ${count + 1}: ${said}`);
  return { begin, requests: api.requests, highest };
}

/** The processes at the place: node behind a loader. */
function handsOf(): number[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const [program = "", flag, code = ""] = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") : [];
      return basename(program) === "node" && flag === "-e" && code.startsWith("var p=process,") ? [Number(pid)] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

const pairs = 6;

const firstCalls: (...by: [Parameters<Part>[0], Place, Person]) => Promise<void> = async (report, { command, name }, person) => {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let pair = -1; pair < pairs; pair++) {
    const [ssh = "", ...rest] = command;
    const from = performance.now();
    spawnSync(ssh, [...rest, "true"]);
    const bare = performance.now() - from;
    const { begin, requests } = await session(person, ["--place", name], 1);
    if (pair < 0) continue; // the first sends the program and the repository
    times.bare.push(bare);
    times.ours.push(requests[1]!.at - begin);
  }
  const more = median(times.ours.map((time, pair) => time - times.bare[pair]!));
  report({
    name: "places: from the start of tool --place to the result of its first call, warm",
    ours: `${ms(median(times.ours))}, the median of ${pairs}`,
    beside: `${ms(median(times.bare))} of ssh host true`,
    ratio: `${ms(more)} more`,
    target: "≤ 1.2 s",
    met: median(times.ours) <= 1_200,
  });
};

const callsOfEach = 60;
const blocks = 4;

const calls: typeof firstCalls = async (report, place, person) => {
  const times = { far: [] as number[], home: [] as number[] };
  const memory: number[] = [];
  for (let block = -1; block < blocks; block++) {
    for (const way of block % 2 === 0 ? (["far", "home"] as const) : (["home", "far"] as const)) {
      const { requests, highest } = await session(person, way === "far" ? ["--place", place.name] : ["--worktree"], callsOfEach);
      if (block < 0) continue;
      times[way].push(...requests.slice(3).map(({ at }, n) => at - requests[n + 2]!.at));
      if (way === "far") memory.push(highest);
    }
  }
  const trip = await roundTripMs(place);
  for (const [what, share, most] of [["p50", 0.5, 2] as const, ["p95", 0.95, 8] as const]) {
    const more = quantile(times.far, share) - quantile(times.home, share) - trip;
    report({
      name: `places: a call of Read beside the same one at home, ${what}`,
      ours: ms(quantile(times.far, share)),
      beside: `${ms(quantile(times.home, share))} at home, round trip ${trip.toFixed(2)} ms`,
      ratio: `${more.toFixed(1)} ms more than both, ${times.far.length} calls of each`,
      target: `≤ ${most} ms`,
      met: more <= most,
    });
  }
  report({
    name: `places: Pss of hands after ${callsOfEach} calls`,
    ours: mib(Math.max(...memory)),
    target: "≤ 60 MiB",
    met: Math.max(...memory) <= 60,
  });
};

async function roundTripMs(place: Place): Promise<number> {
  const link = callHands({});
  const started = await startHands(place, placePortsFor(), { words: ["hands", "--link"], limitMs: 30_000, deliver: link.deliver });
  if (!started.ok) throw new Error(JSON.stringify(started.refusal));
  link.connect(started.hands.channel);
  const times: number[] = [];
  for (let turn = -5; turn < 200; turn++) {
    const from = performance.now();
    await link.call("echo", "");
    if (turn >= 0) times.push(performance.now() - from);
  }
  started.hands.link.closeInput();
  await started.hands.link.ended;
  return median(times);
}

const snapshots = async (report: Parameters<Part>[0], folder: string) => {
  const top = join(folder, "large");
  repository(top, 5_000);
  keepGitFilesIn(folder);
  const git = ownGit({ PATH: process.env["PATH"] ?? "", HOME: folder });
  const { packed } = travel(git);
  let sent = (await packed(top, [])).commit;
  const times: number[] = [];
  for (let turn = -2; turn < 20; turn++) {
    writeFileSync(join(top, "part-7/file-350.txt"), `turn ${turn}\n`);
    const from = performance.now();
    const { commit, bundle } = await packed(top, [sent]);
    if (turn >= 0) times.push(performance.now() - from);
    if (!bundle || commit === sent) throw new Error("nothing changed");
    sent = commit;
  }
  report({
    name: "places: a snapshot of one changed file among 5,000",
    ours: `${ms(median(times))}, the median of ${times.length}`,
    target: "≤ 60 ms",
    met: median(times) <= 60,
  });
};
