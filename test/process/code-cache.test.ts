// The code cache that V8 wrote when the program was built: every start uses it, and it does no harm when it is damaged or from another
// Node.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { scratchFolder } from "../scratch.ts";
import { type Home, temporaryHome } from "./tool.ts";

/** Preloaded: prints at exit of which chunks the cache was used. */
const watch = `
const vm = require("node:vm");
const { basename } = require("node:path");
const seen = { used: [], rejected: [], without: [] };
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const chunk = basename(options.filename).slice(0, -"-12345678.cjs".length);
    seen[this.cachedDataRejected === undefined ? "without" : this.cachedDataRejected ? "rejected" : "used"].push(chunk);
  }
};
process.on("exit", () => process.stderr.write(JSON.stringify(seen)));
`;

type Start = { said: string; used: string[]; rejected: string[]; without: string[] };

/** A copy of the package, and the command that starts it through a link. */
function installed() {
  const folder = scratchFolder();
  const chunks = join(folder, "package/dist/chunks");
  for (const part of ["bin", "dist/main.cjs", "dist/chunks"]) cpSync(resolve(part), join(folder, "package", part), { recursive: true });
  symlinkSync(join(folder, "package/bin/tool.js"), join(folder, "tool"));
  writeFileSync(join(folder, "watch.cjs"), watch);
  const argvOf = (words: string[], flags: string[] = []) => [
    ...flags,
    "--require",
    join(folder, "watch.cjs"),
    join(folder, "tool"),
    ...words,
  ];
  const startIn = ({ env }: Pick<Home, "env">, words: string[], flags: string[] = []): Start => {
    const { status, stdout, stderr } = spawnSync(process.execPath, argvOf(words, flags), { env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    return { said: stdout, ...JSON.parse(stderr) };
  };
  const start = ({ flags = [], words = ["team", "list"] }: { flags?: string[]; words?: string[] } = {}) => {
    using home = temporaryHome();
    return startIn(home, words, flags);
  };
  const caches = readdirSync(chunks).flatMap((name) => (name.endsWith(".cache") ? join(chunks, name) : []));
  return { start, startIn, argvOf, chunks, caches };
}

it("a start takes every chunk from its cache, and writes nothing; a list needs no session, the check of a commit no command tree", () => {
  const { start, chunks } = installed();
  const before = readdirSync(chunks);
  const [list, check] = [start(), start({ words: ["secrets", "look-through"] })];
  for (const { rejected, without } of [list, check]) expect({ rejected, without }).toEqual({ rejected: [], without: [] });
  expect(list.used).toContain("command");
  for (const chunk of ["gate", "session", "member"]) expect(list.used).not.toContain(chunk);
  expect(check.used).toEqual(["start", "rolldown-runtime", "gate"]);
  expect(readdirSync(chunks)).toEqual(before);
});

it("a printed session starts from few chunks: what every session loads is one of them", () => {
  const { start } = installed();
  const { used, without } = start({ words: ["--print", "--script", resolve("fixtures/scripts/hello.yaml"), "hi"] });
  expect(without).toEqual([]);
  expect(used.length, used.join(" ")).toBeLessThanOrEqual(16);
});

/** The chunks that this one loads before anything of it runs, itself too. */
function loadedWith(name: string, chunks = resolve("dist/chunks"), known = new Set<string>()): Set<string> {
  known.add(name);
  const text = readFileSync(join(chunks, name), "utf8");
  for (const [, other = ""] of text.matchAll(/(?<!=>)require\("\.\/([^"]+\.cjs)"\)/g))
    if (!known.has(other)) loadedWith(other, chunks, known);
  return known;
}

const loadedWithChunk = (name: string) => {
  const file = readdirSync("dist/chunks").find((one) => one.startsWith(`${name}-`) && one.length === `${name}-12345678.cjs`.length);
  return [...loadedWith(file ?? name)].map((one) => one.slice(0, -"-12345678.cjs".length)).sort();
};

it("the first prompt loads no session", () => {
  expect(loadedWithChunk("screen")).toEqual(["basics", "question", "rolldown-runtime", "screen", "start"]);
});

it("a teammate starts from few chunks, none of another kind of session; a lead from few more", () => {
  const [teammate, lead] = [loadedWithChunk("teammate"), loadedWithChunk("lead")];
  for (const chunk of ["lead", "print", "result", "status"]) expect(teammate).not.toContain(chunk);
  for (const chunk of ["print", "status", "teammate"]) expect(lead).not.toContain(chunk);
  expect(teammate.length, teammate.join(" ")).toBeLessThanOrEqual(17);
  expect(lead.length, lead.join(" ")).toBeLessThanOrEqual(24);
});

it("commands that look at a team or change its list take their own chunk from the cache, and load no session", () => {
  const { startIn } = installed();
  using home = temporaryHome();
  startIn(home, ["team", "create", "atlas", "--members", "lead,ann"]);
  const looks: [words: string[], chunk: string][] = [
    [["status"], "status"],
    [["tasks"], "status"],
    [["log"], "team-lines"],
    [["inbox", "ann"], "board"],
    [["send", "ann", "Hello."], "board"],
  ];
  for (const [words, chunk] of looks) {
    const { used } = startIn(home, ["team", ...words, "--team", "atlas"]);
    expect(used, words.join(" ")).toContain(chunk);
    for (const unneeded of ["question", "session", "member"]) expect(used, words.join(" ")).not.toContain(unneeded);
  }
});

it("a log that is followed loads no session", async () => {
  const { startIn, argvOf } = installed();
  using home = temporaryHome();
  startIn(home, ["team", "create", "atlas", "--members", "lead,ann"]);
  startIn(home, ["team", "send", "ann", "Hello."]);
  const following = spawn(process.execPath, argvOf(["team", "log", "--follow"]), { env: home.env });
  following.stdout.once("data", () => following.kill("SIGINT"));
  const [said] = await Promise.all([text(following.stderr), once(following, "close")]);
  expect(JSON.parse(said).used).not.toContain("session");
});

it("a cache that is damaged, cut off or of another chunk is not given to V8, and one made with other flags is rejected: the rest is the same", () => {
  const { start, caches } = installed();
  const { said, used } = start();
  expect(start({ flags: ["--no-lazy"] })).toEqual({ said, used: [], rejected: used, without: [] });
  const another = readFileSync(caches[0] ?? "");
  const harms = [
    (cache: string) => {
      const bytes = readFileSync(cache);
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      writeFileSync(cache, bytes);
    },
    (cache: string) => truncateSync(cache, 100),
    (cache: string) => truncateSync(cache, 0),
    (cache: string) => writeFileSync(cache, another),
  ];
  for (const [n, cache] of caches.entries()) harms[n % harms.length]?.(cache);
  expect(start()).toEqual({ said, used: [], rejected: [], without: used });
});

it("hands that end leave a cache of what they compiled beside the program that was sent, and the next ones use it", () => {
  const folder = scratchFolder();
  const chunks = join(folder, "package/dist/chunks");
  for (const part of ["bin", "dist/main.cjs", "dist/chunks"]) cpSync(resolve(part), join(folder, "package", part), { recursive: true });
  for (const name of readdirSync(chunks)) if (name.endsWith(".cache")) rmSync(join(chunks, name));
  writeFileSync(join(folder, "watch.cjs"), watch);
  const hands = (): Omit<Start, "said"> => {
    using home = temporaryHome();
    const argv = ["--require", join(folder, "watch.cjs"), join(folder, "package/bin/tool.js"), "hands", "--link", folder];
    const { status, stderr } = spawnSync(process.execPath, argv, { env: home.env, encoding: "utf8", input: "" });
    expect(status, stderr).toBe(0);
    return JSON.parse(stderr);
  };
  const first = hands();
  expect(first).toEqual({ used: [], rejected: [], without: expect.arrayContaining(["start"]) });
  expect(hands()).toEqual({ used: first.without, rejected: [], without: [] });
});

it("the first prompt needs the chunks of every start, of a question and of a screen, and none of a session", () => {
  const files = readdirSync("dist/chunks").filter((file) => file.endsWith(".cjs"));
  const needed = new Set<string>();
  const take = (file: string) => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, other] of readFileSync(join("dist/chunks", file), "utf8").matchAll(/(?<!=>)require\("\.\/([^"]+)"\)/g)) take(other!);
  };
  for (const file of files) if (/^(?:screen|terminal)-[\w-]{8}\.cjs$/.test(file)) take(file);
  const names = [...needed].map((file) => file.replace(/-[\w-]{8}\.cjs$/, ""));
  expect(names.sort()).toEqual(["basics", "question", "rolldown-runtime", "screen", "start", "terminal"]);
});
