// A user's disk for path fuzzing: a working directory full of links, loops and denied files, and canaries in forbidden places.
import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type PathTree = {
  top: string;
  work: string;
  home: string;
  /** Text in every file that may not be read. */
  canary: string;
  /** Names of things in the tree, from which paths are made. */
  names: string[];
  /** Everything that no tool may change, in its current state. */
  outside(): string;
  remove(): void;
};

export function pathTree(): PathTree {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "tool-paths-")));
  const canary = "CANARY-of-the-path-fuzz";
  const at = (name: string) => join(top, name);
  const put = (name: string, text: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const name of [
    "outside/f",
    "outside/d/f",
    "outside/d/new/f",
    "home/.ssh/id_ed25519",
    "home/.tool/settings.json",
    "home/note",
    "work-side/f",
  ])
    put(name, canary);
  for (const name of [
    "work/denied/f",
    "work/denied/d/f",
    "work/d/denied.txt",
    "work/ignored/f",
    "work/d/x.hidden",
    "work/.env",
    "work/d/key.pem",
  ])
    put(name, canary);
  for (const name of [
    "work/f",
    "work/d/f",
    "work/d/e/f",
    "work/Ünï/f",
    "work/a b/f",
    "work/-x/f",
    "work/d/line\nbreak",
    "work/.git/config",
    "work/.vscode/x",
  ])
    put(name, "open");
  mkdirSync(at("work/empty"));
  const links: [string, string][] = [
    ["out", "../outside"],
    ["out-abs", at("outside")],
    ["outf", "../outside/f"],
    ["up", ".."],
    ["self", "."],
    ["loop", "loop"],
    ["ring-a", "ring-b"],
    ["ring-b", "ring-a"],
    ["deep", "d/e/../../../outside/d"],
    ["to-denied", "denied"],
    ["to-denied-f", "denied/f"],
    ["to-hidden", "d/x.hidden"],
    ["to-home", at("home")],
    ["dangling", "../outside/not-there"],
    ["dangling-in", "d/not-there"],
    ["to-root", "/"],
    ["to-proc", "/proc/self/cwd"],
    ["to-fd", "/proc/self/fd"],
    ["in", "d"],
    ["d/back", "../out"],
    ["d/e/top", "../.."],
    ["d/e/far", "../../../outside/d"],
    ["via", "in/back"],
    ["twice", "via/d"],
  ];
  for (const [name, target] of links) symlinkSync(target, at(`work/${name}`));
  symlinkSync("../work", at("outside/back-in"));
  // A hard link made by the user: writing replaces this name and leaves the other file unchanged.
  linkSync(at("outside/d/f"), at("outside/hard"));
  execFileSync("mkfifo", [at("work/pipe"), at("outside/pipe")]);
  const names = [
    ...links.map(([name]) => name),
    ..."f d e denied denied.txt ignored x.hidden .env key.pem .git .vscode config back-in new outside home work work-side not-there pipe empty note .ssh id_ed25519 .tool settings.json".split(
      " ",
    ),
  ];
  const closed = [
    "outside",
    "home",
    "work-side",
    "work/denied",
    "work/ignored",
    "work/d/denied.txt",
    "work/d/x.hidden",
    "work/.git/config",
    "work/.vscode",
    "work/.env",
    "work/d/key.pem",
  ];
  return {
    top,
    work: at("work"),
    home: at("home"),
    canary,
    names,
    outside: () => [readdirSync(top).join(), ...closed.map((name) => listing(at(name)))].join("\n"),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function listing(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return `${path} gone`;
  if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
  if (stats.isDirectory()) return [path, ...readdirSync(path).map((name) => listing(join(path, name)))].join("\n");
  return `${path} ${stats.mode} ${stats.isFile() ? readFileSync(path, "latin1") : "special"}`;
}
