import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { files } from "../../../src/edge/disk/files.ts";
import { guardDisk } from "../../../src/permissions/guard.ts";
import { ignorePatterns } from "../../../src/permissions/paths/ignore-patterns.ts";
import type { RealDisk } from "../../../src/tools/disk.ts";
import { failing } from "../../failing-calls.ts";
import { lacks } from "../../needs.ts";
import { eventually } from "../../scratch.ts";
import { policyFor } from "../../tools/agent.ts";
import { type Tree, tree } from "../../tools/tree.ts";

const signal = new AbortController().signal;
const text = (content: string, expected?: string) => ({ bytes: Buffer.from(content), expected });

let folder: Tree;
beforeEach(() => {
  folder = tree({ "a.txt": "a", "sub/b.txt": "b" });
});
afterEach(() => folder.remove());

async function versionOf(disk: RealDisk, path: string) {
  const found = await disk.read(path);
  return found.kind === "file" ? found.version : undefined;
}

describe.each(["descriptor", "recheck"] as const)("the disk that holds folders by %s", (holding) => {
  const disk = files({ ignorePatterns, holding, ripgrep: false });

  it("reads a file with its version, which is its content", async () => {
    const found = await disk.read(folder.at("a.txt"));
    expect(found).toEqual({
      kind: "file",
      path: folder.at("a.txt"),
      bytes: Buffer.from("a"),
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    folder.put("copy.txt", "a");
    expect(await versionOf(disk, folder.at("copy.txt"))).toBe(await versionOf(disk, folder.at("a.txt")));
  });

  it("distinguishes a missing file, a folder and an unreadable file", async () => {
    expect(await disk.read(folder.at("none/x"))).toEqual({ kind: "missing", path: folder.at("none/x") });
    expect(await disk.read(folder.at("a.txt/x"))).toEqual({ kind: "missing", path: folder.at("a.txt/x") });
    expect(await disk.read(folder.at("sub"))).toEqual({ kind: "folder", path: folder.at("sub") });
    expect(await disk.read("/")).toEqual({ kind: "folder", path: "/" });
    expect(await disk.read("/dev/null")).toEqual({
      kind: "refused",
      reason: "it is a device, not a file, and reading or writing it could wait for ever",
    });
  });

  it("answers at once for a FIFO, a socket, a sparse file and names of every kind", async () => {
    execFileSync("mkfifo", [folder.at("fifo")]);
    // By a relative path, because that of a socket is short.
    const server = spawn(process.execPath, ["-e", 'require("net").createServer().listen("socket")'], { cwd: folder.path });
    await eventually(() => existsSync(folder.at("socket")));
    closeSync(openSync(folder.at("holes"), "w"));
    truncateSync(folder.at("holes"), 2 ** 40);
    const refused = await Promise.all(["fifo", "socket", "holes", "x".repeat(300)].map((name) => disk.read(folder.at(name))));
    const written = await Promise.all(["fifo", "socket", "holes", "x".repeat(300)].map((name) => disk.write(folder.at(name), text("x"))));
    server.kill();
    expect([...refused, ...written].map(({ kind }) => kind)).toEqual(Array(8).fill("refused"));
    for (const name of ["line\nbreak", "\x1b[2J", "-rf", "\u202etxt", "e\u0301", "\u00e9", "A.TXT"]) {
      expect(await disk.write(folder.at(name), text(name))).toMatchObject({ kind: "written" });
      expect(await disk.read(folder.at(name))).toMatchObject({ kind: "file", bytes: Buffer.from(name) });
    }
    expect(folder.text("a.txt")).toBe("a");
  });

  it("takes paths literally: a link in any part of them is refused, and nothing is done", async () => {
    symlinkSync("sub", folder.at("way"));
    symlinkSync("a.txt", folder.at("name"));
    const b = await versionOf(disk, folder.at("sub/b.txt"));
    const outcomes = [
      await disk.read(folder.at("name")),
      await disk.read(folder.at("way/b.txt")),
      await disk.write(folder.at("way/b.txt"), text("x", b)),
      await disk.write(folder.at("way/new.txt"), text("x")),
      await disk.write(folder.at("way/deep/new.txt"), text("x")),
      await disk.write(folder.at("name"), text("x")),
      await disk.walk(folder.at("way"), signal),
    ];
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(7).fill("refused"));
    expect(await disk.names(folder.at("way"))).toEqual([]);
    expect([folder.text("a.txt"), folder.text("sub/b.txt"), readdirSync(folder.at("sub"))]).toEqual(["a", "b", ["b.txt"]]);
  });

  it("writes only over the expected version", async () => {
    const a = await versionOf(disk, folder.at("a.txt"));
    expect(await disk.write(folder.at("a.txt"), text("x"))).toEqual({ kind: "changed", path: folder.at("a.txt") });
    expect(await disk.write(folder.at("new.txt"), text("x", a))).toEqual({ kind: "changed", path: folder.at("new.txt") });
    folder.put("a.txt", "changed");
    expect(await disk.write(folder.at("a.txt"), text("x", a))).toEqual({ kind: "changed", path: folder.at("a.txt") });
    expect([folder.text("a.txt"), readdirSync(folder.path).sort()]).toEqual(["changed", ["a.txt", "sub"]]);
  });

  it("removes only the expected version, not read-only files, and leaves nothing beside it", async () => {
    const path = folder.at("a.txt");
    const version = await versionOf(disk, path);
    expect(await disk.remove(path, "0")).toEqual({ kind: "changed", path });
    chmodSync(path, 0o444);
    expect(await disk.remove(path, version!)).toEqual({ kind: "refused", reason: "it is marked read-only" });
    chmodSync(path, 0o644);
    expect(await disk.remove(folder.at("sub"), version!)).toEqual({ kind: "refused", reason: "it is a folder" });
    expect(await disk.remove(path, version!)).toEqual({ kind: "removed", path });
    expect(await disk.remove(path, version!)).toEqual({ kind: "changed", path });
    symlinkSync(folder.at("sub/b.txt"), folder.at("link.txt"));
    expect((await disk.remove(folder.at("link.txt"), version!)).kind).toBe("refused");
    expect(readdirSync(folder.path).sort()).toEqual(["link.txt", "sub"]);
  });

  it("replaces a file by another, so that a hard link elsewhere keeps the old content", async () => {
    linkSync(folder.at("a.txt"), folder.at("sub/hard"));
    await disk.write(folder.at("a.txt"), text("new", await versionOf(disk, folder.at("a.txt"))));
    expect([folder.text("a.txt"), folder.text("sub/hard")]).toEqual(["new", "a"]);
  });

  it("gives many readers the old content or the new one, and never a part", async () => {
    const contents = ["x".repeat(300_000), "y".repeat(200_000)];
    folder.put("big", contents[0]!);
    let writing = true;
    const reader = (async () => {
      const seen = new Set<string>();
      while (writing) {
        const found = await disk.read(folder.at("big"));
        seen.add(found.kind === "file" ? found.bytes.toString() : found.kind);
        await setImmediate(); // without this, a read would finish at once and the write would never run
      }
      return seen;
    })();
    for (let round = 1; round <= 30; round++) {
      await disk.write(folder.at("big"), text(contents[round % 2]!, await versionOf(disk, folder.at("big"))));
    }
    writing = false;
    expect([...(await reader)].filter((content) => !contents.includes(content))).toEqual([]);
  });

  it("resolves a path, also to a dangling link, and refuses a cycle", async () => {
    symlinkSync("sub", folder.at("way"));
    symlinkSync("../elsewhere/new.txt", folder.at("sub/dangling"));
    symlinkSync("ring", folder.at("ring"));
    expect(await disk.real(folder.at("way/../way/b.txt"))).toBe(folder.at("sub/b.txt"));
    expect(await disk.real(folder.at("way/none/x"))).toBe(folder.at("sub/none/x"));
    expect(await disk.real(folder.at("way/dangling"))).toBe(folder.at("elsewhere/new.txt"));
    expect(await disk.real(folder.at("way/dangling/x"))).toBe(folder.at("elsewhere/new.txt/x"));
    await expect(disk.real(folder.at("ring/x"))).rejects.toThrow(/ELOOP|ring/);
  });

  it("walks nested .gitignore files as git does", async () => {
    execFileSync("git", ["init", "-q", folder.path]);
    const names = [
      "keep.log",
      "b.log",
      "build/x",
      "lib/build/y",
      "lib/c.log",
      "lib/only.txt",
      "lib/a/only.txt",
      "lib/[x].txt",
      "tmp/deep/z",
    ];
    for (const name of names) folder.put(name, "");
    folder.put(".gitignore", "*.log\n!keep.log\n/build/\ntmp/*\n!tmp/deep\n# comment\n");
    folder.put("lib/.gitignore", "!c.log\n/only.txt\n\\[x\\].txt\n");
    const git = execFileSync("git", ["-C", folder.path, "ls-files", "--others", "--exclude-standard"], { encoding: "utf8" });
    expect(await disk.walk(folder.path, signal)).toEqual({
      kind: "files",
      folder: folder.path,
      paths: git.trim().split("\n").sort(),
      cut: "nothing",
    });
    const lib = execFileSync("git", ["-C", folder.at("lib"), "ls-files", "--others", "--exclude-standard"], { encoding: "utf8" });
    expect(await disk.walk(folder.at("lib"), signal)).toMatchObject({ paths: lib.trim().split("\n").sort() });
  });

  it("is not blocked by a hostile .gitignore", async () => {
    folder.put(".gitignore", `${"*a".repeat(30)}b\nb.txt\n`);
    folder.put("a".repeat(200), "");
    expect(await disk.walk(folder.path, signal)).toMatchObject({ paths: [".gitignore", "a.txt", "a".repeat(200)].sort() });
  });
});

describe("a folder that is moved away", () => {
  const disk = files({ ignorePatterns, ripgrep: false });

  it("is not followed", async () => {
    mkdirSync(folder.at("other"));
    renameSync(folder.at("sub"), folder.at("other/sub"));
    symlinkSync("other/sub", folder.at("sub"));
    expect(await disk.write(folder.at("sub/b.txt"), text("x"))).toMatchObject({ kind: "refused" });
    expect(folder.text("other/sub/b.txt")).toBe("b");
  });
});

describe.skipIf(await lacks("an ordinary user"))("as a user without all rights", () => {
  const disk = files({ ignorePatterns, ripgrep: false });

  it("says that permission is denied", async () => {
    chmodSync(folder.at("sub"), 0o500);
    expect(await disk.write(folder.at("sub/new"), text("x"))).toEqual({ kind: "refused", reason: "permission denied" });
    chmodSync(folder.at("sub"), 0o700);
  });
});

describe.skipIf(await lacks("ripgrep"))("ripgrep", () => {
  const [byRipgrep, byHand] = [true, false].map((ripgrep) => files({ ignorePatterns, ripgrep }));

  it("walks and searches as our own code does", async () => {
    const query = { ignoreCase: false, keep: () => true, signal };
    for (const git of [false, true]) {
      if (git) execFileSync("git", ["init", "-q", folder.path]);
      folder.put(".gitignore", "*.log\n!keep.log\n/build/\n");
      for (const name of ["x.log", "keep.log", "build/x", "lib/build/y", ".github/ci.yml", "node_modules/m/i.js", ".ignore"])
        folder.put(name, "needle\r\nhay\n");
      folder.put("lib/.gitignore", "build\n");
      folder.put("image", Buffer.from("needle\0"));
      folder.put("-dash", "a needle\n");
      folder.put("long", `${"x".repeat(5000)}needle`);
      symlinkSync("a.txt", folder.at(`link-${git}`));
      for (const path of [folder.path, folder.at("lib"), folder.at("a.txt"), folder.at("build"), folder.at("none")]) {
        expect(await byRipgrep!.walk(path, signal)).toEqual(await byHand!.walk(path, signal));
        for (const pattern of ["needle$", "^hay", "nothing here"]) {
          expect(await byRipgrep!.search(path, { ...query, pattern })).toEqual(await byHand!.search(path, { ...query, pattern }));
        }
      }
    }
    expect((await byRipgrep!.search(folder.path, { ...query, pattern: "(" })).kind).toBe("refused");
  });
});

// A link may be swapped in at any moment; nothing may ever be written outside.
describe.each([
  ["link that turns from inside to outside", turningLink],
  ["folder that changes places with a link to outside", changingFolder],
])("a %s", (_, program) => {
  it("never writes outside or reads from there, in 2,000 tries", async () => {
    const world = { "work/real/f.txt": "inside", "outside/f.txt": "secret", "outside/g/f.txt": "secret" };
    for (const [name, content] of Object.entries(world)) folder.put(name, content);
    const disk = guardDisk(files({ ignorePatterns, ripgrep: false }), await policyFor(folder.at("work")));
    const swapper = await startSwapper(program, [folder.at("work/dir"), folder.at("work/real"), folder.at("outside")]);
    const counts = { read: 0, written: 0, refused: 0 };
    try {
      // Continues until each case has happened often enough for the test to be meaningful.
      for (let n = 0; n < 1000 || (n < 20_000 && Math.min(...Object.values(counts)) < 10); n++) {
        const read = await disk.read("dir/f.txt");
        if (read.kind === "file") {
          counts.read++;
          expect(read.bytes.toString()).not.toBe("secret");
        }
        const order = n % 2 ? text(`inside ${n}`, read.kind === "file" ? read.version : undefined) : text(`inside ${n}`);
        const outcome = await disk.write(n % 2 ? "dir/f.txt" : `dir/new/${n}.txt`, order);
        if (outcome.kind === "written") counts.written++;
        if (outcome.kind === "refused") counts.refused++;
      }
    } finally {
      await swapper.stop();
    }
    const outside = folder.at("outside");
    expect({ names: readdirSync(outside).sort(), text: folder.text("outside/f.txt"), deep: readdirSync(`${outside}/g`) }).toEqual({
      names: ["f.txt", "g"],
      text: "secret",
      deep: ["f.txt"],
    });
    expect(Object.entries(counts).filter(([, count]) => count < 10)).toEqual([]);
  });
});

function turningLink(fs: typeof import("node:fs"), [dir, inside, outside]: string[]): void {
  for (let n = 0; ; n++) {
    fs.symlinkSync([inside, outside][n % 2]!, `${dir}.next`);
    fs.renameSync(`${dir}.next`, dir!);
  }
}

function changingFolder(fs: typeof import("node:fs"), [dir, inside, outside]: string[]): void {
  for (let n = 0; ; n++) {
    const steps = [
      () => fs.renameSync(dir!, `${inside}-${n}`),
      () => fs.symlinkSync(outside!, dir!),
      () => fs.unlinkSync(dir!),
      () => fs.renameSync(`${inside}-${n}`, dir!),
    ];
    for (const step of steps) {
      try {
        step();
      } catch {
        // The writer has created the folder in the meantime: it is swapped in the next round.
      }
    }
  }
}

/** A separate process that runs `program` on the first path until it is stopped. That path is a link to the second one at the start. */
async function startSwapper(program: typeof turningLink, paths: [string, string, string]) {
  symlinkSync(paths[1], paths[0]);
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const script = `process.stdout.write("ready"); (${program.toString()})(require("node:fs"), process.argv.slice(1))`;
  const child = spawn(process.execPath, ["-e", script, ...paths], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await once(child.stdout, "data");
  return {
    stop: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

it("refuses a path longer than the system's limit, without resolving its parts", async () => {
  const disk = files({ ignorePatterns });
  await expect(disk.real(`/${"a/".repeat(3_000)}`)).rejects.toThrow("it is longer than the 4096 bytes that a system opens");
});

describe.each(["openSync", "fsyncSync", "closeSync", "linkSync", "renameSync", "rmSync"] as const)(
  "a write in which %s fails once",
  (name) => {
    it.each([1, 2, 3, 4, 5, 6])("(call %i) is reported as done exactly if the file is the new one", async (nth) => {
      const disk = files({ ignorePatterns, ripgrep: false });
      const version = await versionOf(disk, folder.at("a.txt"));
      let seen = 0;
      const isHere = (path: string) => path.startsWith("/proc/self/fd/") || path.startsWith(folder.path);
      const fault = failing(name, { code: "EIO", when: (path) => isHere(path) && ++seen === nth });
      const changed = await disk.write(folder.at("a.txt"), text("new", version));
      const made = await disk.write(folder.at("made.txt"), text("new"));
      fault.mend();
      expect(changed.kind === "written").toBe(folder.text("a.txt") === "new");
      expect(made.kind === "written").toBe(readdirSync(folder.path).includes("made.txt"));
    });
  },
);
