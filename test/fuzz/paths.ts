// Generated paths for every file tool, in a tree of links and loops, through the permission decision and the guarded disk of an agent.
import { files } from "../../src/edge/disk/files.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { ignorePatterns } from "../../src/permissions/paths/ignore-patterns.ts";
import { permit } from "../../src/permissions/permit.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import type { Disk } from "../../src/tools/disk.ts";
import { editTool } from "../../src/tools/files/edit.ts";
import { globTool } from "../../src/tools/files/glob.ts";
import { grepTool } from "../../src/tools/files/grep.ts";
import { readTool } from "../../src/tools/files/read.ts";
import { writeTool } from "../../src/tools/files/write.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { type PathTree, pathTree } from "./path-tree.ts";
import { type Random, random } from "./random.ts";

export type PathFindings = { paths: number; allowed: number; done: number; leaks: string[]; writes: string[]; faults: string[] };

/**
 * Each path goes to one tool, half of them without the permission decision, so that the guard alone must hold. The tree is compared every
 * 500 paths, and path by path once something has changed.
 */
export async function pathFuzz({ seed, count }: { seed: number; count: number }): Promise<PathFindings> {
  const chance = random(seed);
  const tree = pathTree();
  const findings: PathFindings = { paths: 0, allowed: 0, done: 0, leaks: [], writes: [], faults: [] };
  try {
    const { tools, enter } = await agentIn(tree);
    let before = tree.outside();
    let recent: string[] = [];
    while (findings.paths < count && findings.leaks.length + findings.writes.length + findings.faults.length < 10) {
      const path = madePath(chance, tree);
      // A search starts a thread, so it is used less often.
      const tool = chance.of(chance.chance(0.1) ? tools : tools.slice(0, 3));
      const what = `${tool.name} ${JSON.stringify(path)}`;
      recent.push(what);
      try {
        await one({ tool, path, asked: chance.chance(0.5) });
      } catch (error) {
        findings.faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (++findings.paths % 500 === 0 || findings.paths === count) {
        const now = tree.outside();
        const changed = [
          ...now.split("\n").filter((line) => !before.includes(line)),
          ...before.split("\n").filter((line) => !now.includes(line)),
        ];
        const written = recent.filter((call) => call.length < 300);
        if (changed.length > 0)
          findings.writes.push(`${changed.join("; ")}, by one of ${written.filter((call) => /^(Write|Edit)/.test(call)).join("; ")}`);
        before = now;
        recent = [];
      }
      async function one({ tool, path, asked }: { tool: AnyTool; path: string; asked: boolean }) {
        const input = inputOf(tool.name, path);
        if (asked && !(await enter({ tool: tool.name, input }, signal)).allowed) return;
        findings.allowed++;
        const result = await tool.run(input, { signal });
        if (!result.isError) findings.done++;
        if ([result.text, result.detail].join("").includes(tree.canary)) findings.leaks.push(what);
      }
    }
  } finally {
    tree.remove();
  }
  return findings;
}

const { signal } = new AbortController();

async function agentIn(tree: PathTree) {
  const real = files({ ignorePatterns, ripgrep: false });
  const order = {
    cwd: tree.work,
    home: tree.home,
    configDir: `${tree.home}/.tool`,
    allow: ["Write", "Edit"],
    deny: ["Read(denied/**)", "Read(denied.txt)", "Edit(denied/**)", "Edit(denied.txt)"],
    toolignore: { text: "ignored/\n*.hidden\n", folder: tree.work },
  };
  const made = await makePolicy(order, real.real);
  if (!made.ok) throw new Error(made.reason);
  const disk: Disk = guardDisk(real, made.policy);
  const seen = new Map<string, string>();
  const tools: AnyTool[] = [readTool(disk, seen), writeTool(disk, seen), editTool(disk, seen), globTool(disk), grepTool(disk)];
  return { tools, enter: permit({ policy: made.policy, real: real.real, ask: undefined }) };
}

function inputOf(tool: string, path: string): Record<string, unknown> {
  switch (tool) {
    case "Write":
      return { path, content: "written by the fuzz" };
    case "Edit":
      return { path, old_string: "open", new_string: "open " };
    case "Glob":
      return { path, pattern: "**/*" };
    case "Grep":
      return { path, pattern: "CANARY|open" };
    default:
      return { path };
  }
}

/** Parts with a meaning, joined so that reading the text and asking the disk give different results. */
function madePath(chance: Random, tree: PathTree): string {
  const parts = Array.from({ length: 1 + chance.below(6) }, () => part(chance, tree));
  const start = chance.of([
    "",
    "",
    "",
    "",
    "./",
    "../",
    "/",
    "~/",
    "~",
    `${tree.work}/`,
    `${tree.top}/`,
    `${tree.work}/../`,
    "//",
    "/proc/self/cwd/",
    "/proc/self/root",
    "/dev/fd/",
    "~root/",
  ]);
  const path = start + parts.join(chance.of(["/", "/", "/", "//", "/./"])) + chance.of(["", "", "", "/", "/.", "/..", "\0", " ", "\n"]);
  return chance.chance(0.03) ? path.repeat(200) : path;
}

function part(chance: Random, tree: PathTree): string {
  const name = chance.chance(0.25)
    ? chance.of(["..", "..", ".", "", "*", "%2e%2e", "..;", "\\..", "…", "x".repeat(260), "\u202e", "\ud800"])
    : chance.of(tree.names);
  switch (chance.below(12)) {
    case 0:
      return name.toUpperCase();
    case 1:
      return name.normalize("NFD");
    case 2:
      return `${name}\u200b`;
    case 3:
      return `${name}.`;
    default:
      return name;
  }
}
