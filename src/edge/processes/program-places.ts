// Where the programs are that commands find by name: anyone may have put one in the working tree, unless it is a link to root's own
// program.
import { existsSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { ProgramPlaces } from "../../permissions/policy.ts";
import { isExecutable } from "../display/start-check.ts";
import { readUntrusted } from "../git/untrusted-file.ts";
import { ifPossible } from "../system-error.ts";
import { leadsToRootsOwn } from "./helper-programs.ts";

/** `path`: the variable PATH of the commands. `folders`: the real paths in which agents work. Checked again on each call. */
export function programPlaces(path: string, folders: string[]): ProgramPlaces {
  const worked = [...folders, ...folders.flatMap(repositoriesAround)];
  const temporary = ["/tmp", "/var/tmp", tmpdir()].map(realOr);
  const entries = path.split(":").map((entry) => {
    const names = [entry, realOr(entry)];
    return { entry, names, isOpen: names.some((name) => [...worked, ...temporary].some((folder) => isBelow(folder, name))) };
  });
  const isIn = (places: string[], file: string) => [file, realOr(file)].some((path) => places.some((folder) => isBelow(folder, path)));
  const placeOf = (program: string, isMade: (path: string) => boolean): ReturnType<ProgramPlaces> => {
    for (const { entry, names: places, isOpen } of entries) {
      // A relative entry depends on the command's current folder.
      if (!isAbsolute(entry)) return "within";
      const file = join(entry, program);
      const names = places.map((place) => join(place, program));
      const isThere = isProgram(file);
      if (!isThere && !(isOpen && names.some(isMade))) continue;
      if (names.some((name) => isIn(worked, name))) return "within";
      // People and scripts hide programs with a folder of links to the others.
      if (isIn(temporary, file) && !leadsToRootsOwn(file, path)) return "within";
      const runner = isThere ? runnerOf(file) : undefined;
      if (runner === "") return entries.some((one) => one.isOpen || !isAbsolute(one.entry)) ? "within" : "elsewhere";
      if (isThere) return runner === undefined || runner === program ? "elsewhere" : placeOf(runner, isMade);
    }
    return "elsewhere"; // not found, so nothing runs
  };
  return (program, isMade = () => false) =>
    [program, ...(starts.get(program) ?? [])].some((name) => placeOf(name, isMade) === "within") ? "within" : "elsewhere";
}

/** What programs that only look start by name: `tar t` for a compressed archive, and scripts. */
const starts = new Map(
  Object.entries({
    tar: ["gzip", "bzip2", "xz", "zstd", "lzip", "lzma", "compress"],
    zcat: ["gzip"],
    bzcat: ["bzip2"],
    xzcat: ["xz"],
    egrep: ["grep"],
    fgrep: ["grep"],
    git: [..."sh sed basename uname cat cut tr".split(" "), "gpg", "gpgsm", "ssh-keygen"], // git submodule, and signatures
    yq: ["jq"],
  }),
);

/** The program that is looked for to run this script: `#!/usr/bin/env python3`; empty if the line is not understood. */
function runnerOf(file: string): string | undefined {
  const found = readUntrusted(realOr(file), { most: firstBytes, head: firstBytes });
  const text = found.kind === "read" ? found.bytes.toString("latin1") : "";
  if (!/^#![ \t]*\S*\/env(?=\s)/.test(text)) return undefined;
  return /^#![ \t]*\S*\/env[ \t]+(?:-S[ \t]*)?(?:\w+=[\w./-]*[ \t]+)*([\w.][\w.+-]*)(?=\s)/.exec(text)?.[1] ?? "";
}

/** Linux reads no more of a script's first line. */
const firstBytes = 256;

function repositoriesAround(folder: string): string[] {
  const above = dirname(folder);
  const own = existsSync(join(folder, ".git")) ? [folder] : [];
  return above === folder ? own : [...own, ...repositoriesAround(above)];
}

/** The shell skips other files. */
const isProgram = (file: string) => isExecutable(file) && statSync(file).isFile();

const realOr = (path: string) => ifPossible(() => realpathSync(path)) ?? path;

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../"));
}
