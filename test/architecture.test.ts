// The import table of src/README.md, checked against the actual imports.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";

const src = join(import.meta.dirname, "../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const textOf = (file: string) => readFileSync(join(src, file), "utf8");
const placeOf = (file: string) => (file === "main.ts" ? file : (file.split("/")[0] ?? ""));
/** Files that may use the operating system, or import such files. */
const isOutside = (file: string) => ["main.ts", "world", "edge"].includes(placeOf(file));

const valueImport = /^(?:import|export)\s+(?!type\b)(?:(?!;).)*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gms;
const lazyImport = /\bimport\("([^"]+)"\)/g;

function importsOf(file: string): { target: string; lazy: boolean }[] {
  const text = textOf(file);
  const lazy = new Set([...text.matchAll(lazyImport)].map((match) => match[1]));
  return [...text.matchAll(valueImport)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? "";
    return { target, lazy: lazy.has(target) && !match[1] };
  });
}

const table = new Map(
  [...readFileSync(join(src, "README.md"), "utf8").matchAll(/^\| (?!folder )([a-z.]+) +\| ([a-z, .—]+?) +\|/gm)].map((row) => [
    row[1] ?? "",
    (row[2] ?? "").split(", ").filter((name) => name !== "—"),
  ]),
);

describe("the map in src/README.md", () => {
  it("names every folder that has code, and reads the code that is there", () => {
    expect(table.size).toBe(23);
    expect(files.length).toBeGreaterThan(20);
    expect([...new Set(files.map(placeOf))].filter((place) => !table.has(place))).toEqual([]);
  });

  it("names no folder that is not there", () => {
    expect([...table.keys()].filter((place) => !files.some((file) => placeOf(file) === place))).toEqual([]);
  });

  it("has no folder of more than 25 files", () => {
    const counts = new Map<string, number>();
    for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });

  it("lets no folder take a type from edge: who needs something of the world declares the port", () => {
    const taking = files.filter((file) => !isOutside(file) && /from\s+"(?:\.\.\/)+edge\//.test(textOf(file)));
    expect(taking).toEqual([]);
  });

  it("has every arrow between folders, and no other", () => {
    const arrows = files.flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith(".") && !target.endsWith(".json"))
        .map(({ target }) => ({ file, to: placeOf(relative(src, normalize(join(src, dirname(file), target)))) }))
        .filter(({ to }) => to !== placeOf(file)),
    );
    expect(arrows.filter(({ file, to }) => !table.get(placeOf(file))?.includes(to))).toEqual([]);
    const drawn = [...table].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
    expect(drawn.filter(({ from, to }) => !arrows.some((arrow) => placeOf(arrow.file) === from && arrow.to === to))).toEqual([]);
  });

  const valuesOf = (file: string) => importsOf(file).map(({ target }) => target);
  const allOf = (file: string) =>
    [...textOf(file).matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(
      ([, target = "", lazy = ""]) => target || lazy,
    );

  it("has no cycle between files", () => {
    expect(ringsOf(files, valuesOf)).toEqual([]);
  });

  it("has none in app either where only types are taken", () => {
    expect(
      ringsOf(
        files.filter((file) => placeOf(file) === "app"),
        allOf,
      ),
    ).toEqual([]);
  });

  it("finds a cycle", () => {
    const drawn: Record<string, string[]> = { "a.ts": ["./b.ts"], "b.ts": ["./c/c.ts"], "c/c.ts": ["../a.ts"] };
    expect(ringsOf(Object.keys(drawn), (file) => drawn[file] ?? [])).toEqual([["a.ts", "b.ts", "c/c.ts", "a.ts"]]);
  });
});

describe("what is written for newcomers", () => {
  const root = join(src, "..");
  const rooms = [...new Set(files.map(dirname))].filter(
    (folder) => folder !== "." && (!folder.includes("/") || files.filter((file) => dirname(file) === folder).length > 15),
  );

  it("says in each room, in at most five lines, what lives there and what may not", () => {
    const pages = [...new Set([...rooms, ...readdirSync(src).filter((name) => !name.includes("."))])].map((room) => {
      const path = join(src, room, "README.md");
      return { room, text: existsSync(path) ? readFileSync(path, "utf8") : "" };
    });
    expect(pages.length).toBeGreaterThan(19);
    const wrong = pages.filter(({ text }) => !/Not here: /.test(text) || text.trim().split("\n").length > 5);
    expect(wrong.map(({ room }) => `src/${room}/README.md: at most five lines, one of them "Not here: …"`)).toEqual([]);
  });

  it("names only files and folders that are there", () => {
    const all = readdirSync(src, { recursive: true, encoding: "utf8" });
    const decisions = readdirSync(join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`);
    const pages = [...all.filter((name) => name.endsWith("README.md")).map((name) => `src/${name}`), "CONTRIBUTING.md", ...decisions];
    const there = [...all.map((name) => `/src/${name}`), ...outsideSrc.map((name) => `/${name}`)];
    const missing = (page: string) =>
      namedPaths(readFileSync(join(root, page), "utf8")).filter((path) => !there.some((known) => known.endsWith(`/${path}`)));
    expect(pages.flatMap((page) => missing(page).map((path) => `${page}: ${path}`))).toEqual([]);
    expect(namedPaths("`agent/loop.ts`, `team/`, tasks.json and `docs/a.md`; → run  board/tools.ts  (`test/x/<name>.test.ts`)")).toEqual([
      "agent/loop.ts",
      "team",
      "docs/a.md",
      "board/tools.ts",
    ]);
  });

  const outsideSrc = ["docs", "test", "fixtures", "scripts"].flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  ]);
});

/** Files of ours and, in backticks, folders that a text names. A name with a placeholder is none. */
function namedPaths(text: string): string[] {
  const named = text.matchAll(/(?<![\w./<>*-])((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|sh|md|yaml))(?![\w.*<])|`((?:[\w-]+\/)+)`/g);
  return [...new Set([...named].map(([, file, folder]) => file ?? folder?.slice(0, -1) ?? ""))];
}

describe("functions", () => {
  it("have at most 80 lines", () => {
    expect(files.flatMap((file) => longFunctions(textOf(file)).map((name) => ({ file, name })))).toEqual([]);
  });

  it("are found where they are too long", () => {
    const lines = "  act();\n".repeat(80);
    expect(longFunctions(`function a() {\n${lines}}\nconst b = () => {\n${lines}};\nconst c = { d() {\n${lines}} };`)).toEqual([
      "a",
      "b",
      "d",
    ]);
    expect(longFunctions(`function a() {\n${lines.slice(0, -2 * 9)}}\n`)).toEqual([]);
  });
});

/** The first cycle that is found, from the file where it begins to the same file. */
function ringsOf(list: string[], targetsOf: (file: string) => string[]): string[][] {
  const known = new Set(list);
  const done = new Set<string>();
  const ring = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file) || !known.has(file)) return undefined;
    for (const target of targetsOf(file).filter((name) => name.startsWith("."))) {
      const found = ring(normalize(join(dirname(file), target)), [...path, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  const found = list.map((file) => ring(file, [])).find(Boolean);
  return found ? [found] : [];
}

type Node = { type: string; start: number; end: number; id?: { name?: string }; key?: { name?: string } };

/** Functions longer than 80 lines, by name. */
function longFunctions(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, outer: string) => {
    if (Array.isArray(value)) for (const each of value) visit(each, outer);
    else if (typeof value === "object" && value !== null) {
      const node = value as Node;
      const name = node.id?.name ?? node.key?.name ?? outer;
      const isFunction = /^(Function|ArrowFunctionExpression)/.test(node.type ?? "");
      if (isFunction && text.slice(node.start, node.end).split("\n").length > 80) found.push(name);
      for (const each of Object.values(node)) visit(each, name);
    }
  };
  visit(parseAst(text, { lang: "ts" }), "");
  return found;
}

describe("git", () => {
  it("is found by one file, and started by one door through the file that uses simple-git", () => {
    const places = ["edge/git/git-process.ts", "edge/git/own-git.ts", "edge/processes/helper-programs.ts"];
    expect(files.filter((file) => isOutside(file) && startsGit(textOf(file))).sort()).toEqual(places);
  });

  it("has what is in a repository read by one door, which neither waits nor follows a link: others read files of ours or the person's", () => {
    const own = ["persons-git-file", "repository/kept-commits", "repository/new-commits", "scratch-repository", "staging"];
    const opened = ["repository/ignored-contents", "stand-in"];
    const reading = files.filter((file) => file.startsWith("edge/git/") && /\breadFile(?:Sync)?\b/.test(textOf(file)));
    expect(reading.sort()).toEqual([...own, ...opened].map((name) => `edge/git/${name}.ts`).sort());
  });

  it.each([
    'import { simpleGit } from "simple-git";',
    'const { simpleGit } = await import("simple-git");',
    'await run(["git", "status"]);',
    'await run([\n  "git",\n  ...args,\n]);',
    "spawnSync('git', args);",
    'const program = "/usr/bin/git";\nspawn(program, args);',
    "exec(`git status`);",
    'const git = helperProgram("git");',
  ])("is seen in a file that would start it: %s", (planted) => {
    expect(startsGit(`import { spawn, spawnSync, exec } from "node:child_process";\n${planted}`)).toBe(true);
  });
});

const opensServer = (text: string) => /\bcreate\w*Server\(|\bnew \w*Server\(|\bcreateSocket\(/.test(text);

/** Whether a file can start programs and names git as one, or uses the library for it. */
function startsGit(text: string): boolean {
  if (/["']simple-git["']/.test(text.replaceAll(/^import type .*$/gm, ""))) return true;
  const starts = /["']node:child_process["']|["']execa["']|(?<![.\w])run\(|\bhelperProgram\(/.test(text);
  return starts && /["'`](?:[\w/.-]*\/)?git(?:["'`]| [a-z-]+[^"'`]*`)/.test(text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, ""));
}

describe("the world", () => {
  const inner = files.filter((file) => !isOutside(file));

  it("is touched by edge, world and main.ts only", () => {
    const worldly =
      /(?<![.\w-])process\.(?:env|argv|cwd|exit|exitCode|std\w+|platform|execPath|kill|ppid|hrtime|umask|on|off|once)\b|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bset(?:Timeout|Interval)\(|"node:(?!path|util|crypto|zlib)[a-z_/]+"/;
    const touching = inner.flatMap((file) =>
      textOf(file)
        .split("\n")
        .map((line, index) => ({ file: `${file}:${index + 1}`, line: line.trim() }))
        .filter(({ line }) => worldly.test(line) && !/^(\/\/|\*|\/\*)/.test(line) && !line.startsWith("import type")),
    );
    expect(touching).toEqual([]);
  });

  it("gets no connections but at the forge of the demo, at a login that the person waits for, from commands in the sandbox at their proxy and, at a place, at a socket for links: nothing else has a server", () => {
    expect(files.filter((file) => opensServer(textOf(file)))).toEqual([
      "edge/forge/loopback-forge.ts",
      "edge/mcp/login.ts",
      "edge/network/filtering-proxy.ts",
      "edge/network/session-namespace.ts",
      "edge/places/meeting.ts",
    ]);
    expect(['createServer().listen("x.sock")', "http2.createSecureServer(tls)", "new WebSocketServer({ port })"].map(opensServer)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("imports each third-party package for its values in one file", () => {
    const everywhere = new Set(["zod"]);
    const folderWide: Record<string, string> = { commander: "cli", "@earendil-works/pi-tui": "screen" };
    const users = new Map<string, string[]>();
    for (const file of files) {
      for (const { target } of importsOf(file)) {
        if (target.startsWith(".") || target.startsWith("node:") || everywhere.has(target)) continue;
        const name = target
          .split("/")
          .slice(0, target.startsWith("@") ? 2 : 1)
          .join("/");
        const user = folderWide[name] === placeOf(file) ? placeOf(file) : file;
        users.set(name, [...new Set([...(users.get(name) ?? []), user])]);
      }
    }
    expect([...users].filter(([, where]) => where.length > 1)).toEqual([]);
  });
});
