// Ignore patterns compared with git: generated pattern files, a real tree, and the output of `git check-ignore`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ignoreFile } from "../../src/permissions/paths/ignore-patterns.ts";
import { type Random, random } from "./random.ts";

export type Difference = { patterns: string; path: string; git: string; ours: string };

/** Compares which line decides about each of `pairs` pairs of a file and a path. Stops at the tenth difference. */
export function compareWithGit({ seed, pairs }: { seed: number; pairs: number }): { pairs: number; differences: Difference[] } {
  const chance = random(seed);
  const folder = mkdtempSync(join(tmpdir(), "tool-ignore-"));
  try {
    git(folder, ["init", "--quiet"]);
    const paths = makeTree(folder, chance);
    const differences: Difference[] = [];
    let compared = 0;
    while (compared < pairs && differences.length < 10) {
      const patterns = patternFile(chance, paths);
      writeFileSync(join(folder, ".gitignore"), patterns);
      const judge = ignoreFile(patterns);
      for (const [path, git] of askGit(folder, paths.slice(0, pairs - compared))) {
        const said = judge(path);
        const ours = said ? `${said.line}:${said.negative ? "kept" : "ignored"}` : "unsaid";
        if (git !== ours) differences.push({ patterns, path, git, ours });
        compared++;
      }
    }
    return { pairs: compared, differences };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folders end in a slash here, but not for git, which reads the disk. To git a name such as `:` alone would be more than a name. */
function askGit(folder: string, paths: string[]): [path: string, answer: string][] {
  const asked = paths.map((path) => `./${path.replace(/\/$/, "")}`);
  const out = git(folder, ["check-ignore", "--stdin", "-z", "-v", "-n", "--no-index"], `${asked.join("\0")}\0`).split("\0");
  return paths.map((path, index) => {
    const [source, line, pattern = ""] = out.slice(index * 4);
    return [path, source === "" ? "unsaid" : `${line}:${pattern.startsWith("!") ? "kept" : "ignored"}`];
  });
}

function git(folder: string, args: string[], input = ""): string {
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_CEILING_DIRECTORIES: join(folder, "..") };
  const ran = spawnSync("git", args, { cwd: folder, env, input, maxBuffer: 64 * 1024 * 1024 });
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`git ${args.join(" ")}: ${ran.stderr.toString()}`);
  return ran.stdout.toString("utf8");
}

const names =
  "a b c ab abc aab A foo bar foo.log .env .e x.y.z a.js b.ts é ü日本 - ] [a] [] a] a* ** ? a\\b \\ #c !d ~ $x {a,b} a^b ^ : a:b 0 9"
    .split(" ")
    .concat(["a b", " a", "t ", "t  ", "a\tb", "\u{1f600}", "a\rb", "r\r", "deep", "dir", "node_modules"]);

/** Files and folders share a few names, so that patterns often match. Folders end in a slash. */
function makeTree(folder: string, chance: Random): string[] {
  const paths: string[] = [];
  const fill = (below: string, depth: number) => {
    const here = new Set(Array.from({ length: depth === 0 ? 40 : 1 + chance.below(5) }, () => chance.of(names)));
    for (const name of here) {
      const path = `${below}${name}`;
      if (depth < 4 && chance.chance(0.5)) {
        mkdirSync(join(folder, path));
        paths.push(`${path}/`);
        fill(`${path}/`, depth + 1);
      } else {
        writeFileSync(join(folder, path), "");
        paths.push(path);
      }
    }
  };
  fill("", 0);
  return paths.slice(0, 700);
}

function patternFile(chance: Random, paths: string[]): string {
  const lines = Array.from({ length: 1 + chance.below(5) }, () => line(chance, paths));
  const end = chance.of(["\n", "\n", "\r\n"]);
  return `${chance.chance(0.02) ? "\uFEFF" : ""}${lines.join(end)}${chance.chance(0.8) ? end : ""}`;
}

function line(chance: Random, paths: string[]): string {
  const negative = chance.chance(0.25) ? "!" : "";
  const body = chance.chance(0.6) ? mutated(chance, chance.of(paths)) : made(chance);
  const before = chance.chance(0.15) ? "/" : chance.chance(0.1) ? "**/" : "";
  const after = chance.chance(0.15) ? "/" : chance.chance(0.1) ? chance.of(["/**", "/*", " ", "\\ ", "  ", "/**/", "\t", "\\"]) : "";
  return negative + before + body + after;
}

const signs = "* ? [ ] ! ^ - \\ / # : a b"
  .split(" ")
  .concat(" ", ["**", "/**/", "[a-c]", "[!a]", "[^b-]", "[[:alpha:]]", "[[:nope:]]", "[]a]", "[a", "\\*", "***", "[c-a]"]);
signs.push("[[:upper:][:digit:]]", "[\\]]", "[a-\\c]", "[--0]", "[:a]", "[[:]", "\\/", "é", "[é]", "??", "/*/", "*/", "[/]", "[!/]", "\0");

function made(chance: Random): string {
  return Array.from({ length: 1 + chance.below(5) }, () => (chance.chance(0.5) ? chance.of(signs) : chance.of(names))).join("");
}

/** An existing path, whole or in part, with some of its characters replaced by special ones. */
function mutated(chance: Random, path: string): string {
  const parts = path.split("/").filter(Boolean);
  const from = chance.below(parts.length);
  const kept = chance.chance(0.5) ? parts : parts.slice(from, from + 1 + chance.below(parts.length - from));
  return kept
    .map((part) => {
      if (chance.chance(0.15)) return chance.of(["*", "**", "?*", "***"]);
      const characters = Array.from(part).map((character) => {
        if (chance.chance(0.1)) return chance.of(signs.filter((sign) => sign !== "\0"));
        return chance.chance(0.1) ? `\\${character}` : character;
      });
      return characters.join("") + (chance.chance(0.15) ? "*" : "");
    })
    .join("/");
}
