// The code cache that V8 wrote when the program was built: every start uses it, and it does no harm when it is damaged or from another
// Node.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../scratch.ts";
import { temporaryHome } from "./tool.ts";

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
  const start = ({ flags = [], words = ["team", "list"] }: { flags?: string[]; words?: string[] } = {}): Start => {
    using home = temporaryHome();
    const argv = [...flags, "--require", join(folder, "watch.cjs"), join(folder, "tool"), ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { env: home.env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    return { said: stdout, ...JSON.parse(stderr) };
  };
  const caches = readdirSync(chunks).flatMap((name) => (name.endsWith(".cache") ? join(chunks, name) : []));
  return { start, chunks, caches };
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

it("the first prompt loads no session", () => {
  const screen = readdirSync("dist/chunks").find((name) => /^screen-[\w-]{8}\.cjs$/.test(name)) ?? "";
  const loaded = [...loadedWith(screen)].map((name) => name.slice(0, -"-12345678.cjs".length)).sort();
  expect(loaded).toEqual(["basics", "question", "rolldown-runtime", "screen", "start"]);
});

it("a look at what runs loads no session", () => {
  const main = readFileSync("dist/main.cjs", "utf8");
  const edges = [
    "memberProcesses:\\w+\\}=await Promise\\.resolve\\(\\)\\.then\\(\\(\\)=>",
    "watch:async\\(\\)=>\\(await Promise\\.resolve\\(\\)\\.then\\(\\(\\)=>",
  ];
  for (const edge of edges) {
    const [, chunk] = new RegExp(`${edge}require\\("\\./chunks/([^"]+)"\\)`).exec(main) ?? [];
    expect(
      [...loadedWith(chunk ?? edge)].some((name) => /^session-[\w-]{8}\.cjs$/.test(name)),
      chunk,
    ).toBe(false);
  }
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
