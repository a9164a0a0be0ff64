// Processes that swap links while an agent writes and reads: nothing may be written outside, and nothing read from there.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { files } from "../../src/edge/disk/files.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { ignorePatterns } from "../../src/permissions/paths/ignore-patterns.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { random } from "./random.ts";

export type SwapFindings = { tries: number; written: number; refused: number; read: number; leaks: number; outside: string[] };

type Fs = typeof import("node:fs");

/** `count` writes, each to a name that a swapper replaces now and then, and after every fourth a read and a search. */
export async function linkSwap({
  seed,
  count,
  swappers = 8,
  ripgrep = false,
}: {
  seed: number;
  count: number;
  swappers?: number;
  ripgrep?: boolean;
}): Promise<SwapFindings> {
  const chance = random(seed);
  const top = realpathSync(mkdtempSync(join(tmpdir(), "tool-swap-")));
  const work = join(top, "work");
  const outside = join(top, "outside");
  mkdirSync(join(outside, "g"), { recursive: true });
  for (const name of ["f", "g/f"]) writeFileSync(join(outside, name), secret);
  const names = Array.from({ length: swappers }, (_, index) => `dir${index}`);
  for (const name of names) {
    mkdirSync(join(work, `real-${name}`, "g"), { recursive: true });
    writeFileSync(join(work, `real-${name}`, "f"), "inside");
  }
  const ways = [turningLink, changingFolder, turningFile];
  const running = await Promise.all(
    names.map((name, index) => swapper(ways[index % ways.length]!, [join(work, name), join(work, `real-${name}`), outside])),
  );
  const found: SwapFindings = { tries: 0, written: 0, refused: 0, read: 0, leaks: 0, outside: [] };
  try {
    const real = files({ ignorePatterns, ripgrep });
    const made = await makePolicy({ cwd: work, home: `${top}/home`, configDir: `${top}/home/.tool` }, real.real);
    if (!made.ok) throw new Error(made.reason);
    const disk = guardDisk(real, made.policy);
    while (found.tries < count) {
      const path = `${chance.of(names)}/${chance.of(["f", "f", "g/f", `new/${chance.below(50)}`, `n${chance.below(50)}`])}`;
      const before = await disk.read(path);
      if (before.kind === "file") {
        found.read++;
        if (before.bytes.includes(secret)) found.leaks++;
      }
      const outcome = await disk.write(path, {
        bytes: Buffer.from(`inside ${found.tries}`),
        expected: before.kind === "file" ? before.version : undefined,
      });
      if (outcome.kind === "written") found.written++;
      if (outcome.kind === "refused") found.refused++;
      found.tries++;
      if (found.tries % 50 !== 0) continue;
      const search = await disk.search(chance.of(names), {
        pattern: secret,
        ignoreCase: false,
        keep: () => true,
        signal: new AbortController().signal,
      });
      if (search.kind === "matches") found.leaks += search.matches.length;
    }
  } finally {
    await Promise.all(running.map((stop) => stop()));
    found.outside = changes(outside);
    rmSync(top, { recursive: true, force: true });
  }
  return found;
}

const secret = "SECRET-outside";

/** What is new, missing or different outside. */
function changes(outside: string): string[] {
  const names = readdirSync(outside, { recursive: true }).map(String).sort();
  return [
    ...names.filter((name) => !["f", "g", "g/f"].includes(name)),
    ...["f", "g/f"].filter((name) => !names.includes(name) || readFileSync(join(outside, name), "utf8") !== secret),
  ];
}

function turningLink(fs: Fs, [dir, inside, outside]: string[]): void {
  for (let n = 0; ; n++) {
    fs.symlinkSync([inside, outside][n % 2]!, `${dir}.next`);
    fs.renameSync(`${dir}.next`, dir!);
  }
}

function changingFolder(fs: Fs, [dir, inside, outside]: string[]): void {
  for (;;) {
    const steps = [
      () => fs.unlinkSync(dir!),
      () => fs.renameSync(inside!, dir!),
      () => fs.renameSync(dir!, inside!),
      () => fs.symlinkSync(outside!, dir!),
    ];
    for (const step of steps) {
      try {
        step();
      } catch {
        // The writer created the folder in the meantime: it is swapped in the next round.
      }
    }
  }
}

/** Swaps the last name too, between a file and a link to one outside. */
function turningFile(fs: Fs, [dir, inside, outside]: string[]): void {
  try {
    fs.symlinkSync(inside!, dir!);
  } catch {
    // It exists from the start.
  }
  for (let n = 0; ; n++) {
    try {
      if (n % 2) fs.writeFileSync(`${inside}/.next`, "inside");
      else fs.symlinkSync(`${outside}/f`, `${inside}/.next`);
      fs.renameSync(`${inside}/.next`, `${inside}/f`);
    } catch {
      // The writer was first.
    }
  }
}

async function swapper(program: (fs: Fs, paths: string[]) => void, paths: [string, string, string]): Promise<() => Promise<void>> {
  symlinkSync(paths[1], paths[0]);
  const script = `process.stdout.write("ready"); (${program.toString()})(require("node:fs"), process.argv.slice(1))`;
  const child = spawn(process.execPath, ["-e", script, ...paths], {
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return () => {
    child.kill("SIGKILL");
    return ended;
  };
}
