// The sandbox around our own git: everything read-only but for the folders that the call is to change, and no network, no Unix socket, no
// sight of other processes. A script starts it, because simple-git starts one program, with git's arguments.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quotedWord } from "../../wording/shell-word.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { tryBwrap } from "../shell/sandbox/bwrap.ts";
import { profileOf } from "../shell/sandbox/exec.ts";
import { helperCallFilter } from "../shell/sandbox/seccomp.ts";
import { ownFolder } from "./own-folder.ts";

/** A program and the argument that makes it start what is wanted; further ones are passed on. */
export type Starter = [program: string, script: string];

/** Existing ones; what is `fixed` may be in a writable folder. */
export type Seal = { writable: string[]; fixed: string[] };

/** Starts git, or a script of ours, in the sandbox. Undefined where there is none. */
export async function sealed(words: string[], seal: Seal): Promise<Starter | undefined> {
  const shell = helperProgram("sh");
  if (shell.kind === "missing") return undefined;
  if (process.platform === "darwin") return macSeal(shell.path, words, seal);
  const bwrap = process.platform === "linux" ? await tryBwrap() : undefined;
  return bwrap?.kind === "works" ? [shell.path, linuxScript(bwrap.base, words, seal)] : undefined;
}

function linuxScript(base: string[], words: string[], { writable, fixed }: Seal): string {
  const [bwrap = "", ...isolation] = base;
  const filter = helperCallFilter();
  const args = [
    // Killed together with us, git would leave the lock of a branch, which no next commit passes: it ends what it has begun.
    ...(filter ? closedByCalls : [...isolation.filter((option) => option !== "--die-with-parent"), ...closedByNamespaces]),
    ...writable.flatMap((folder) => ["--bind", folder, folder]),
    ...fixed.flatMap((path) => ["--ro-bind", path, path]),
    ...(filter ? ["--seccomp", "9"] : []),
  ];
  const argsFile = kept("arguments", Buffer.from(args.map((arg) => `${arg}\0`).join("")));
  const filterFile = filter && kept("calls", filter);
  const opened = `8<${quotedWord(argsFile)}${filterFile ? ` 9<${quotedWord(filterFile)}` : ""}`;
  return kept("sealed.sh", Buffer.from(`exec ${quotedWord(bwrap)} --args 8 -- ${words.map(quotedWord).join(" ")} "$@" ${opened}\n`));
}

/** Other processes and the network are closed by the filter of system calls: namespaces of their own take a third longer to make. */
const closedByCalls =
  "--new-session --unshare-user --cap-drop ALL --ro-bind / / --dev-bind /dev/null /dev/null --dev-bind /dev/urandom /dev/urandom --tmpfs /proc".split(
    " ",
  );
const closedByNamespaces = ["--unshare-net"];

function macSeal(shell: string, words: string[], { writable, fixed }: Seal): Starter | undefined {
  const program = helperProgram("sandbox-exec");
  if (program.kind === "missing") return undefined;
  const as = (kind: "writable" | "fixed", paths: string[]) => paths.map((path) => ({ kind, path }));
  const mounts = [...as("writable", writable), ...as("fixed", fixed)];
  const profile = kept("profile", Buffer.from(profileOf({ cwd: "/", network: false, mounts, socketsClosed: true })));
  return [
    shell,
    kept("sealed.sh", Buffer.from(`exec ${quotedWord(program.path)} -f ${quotedWord(profile)} ${words.map(quotedWord).join(" ")} "$@"\n`)),
  ];
}

/** A script of ours in which `git` is this one with these settings, so that several of it need one process of the sandbox. */
export function scripted(git: string, settings: string[], script: string): Starter | undefined {
  const shell = helperProgram("sh");
  if (shell.kind === "missing") return undefined;
  const set = settings.map((setting) => `-c ${quotedWord(setting)}`).join(" ");
  return [shell.path, kept("steps.sh", Buffer.from(`git() { ${quotedWord(git)} ${set} "$@"; }\n${script}`))];
}

/** A file with this content, named after it. */
function kept(name: string, content: Buffer): string {
  const folder = join(ownFolder(), "seals");
  const path = join(folder, `${createHash("sha256").update(content).digest("hex").slice(0, 32)}.${name}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
  return path;
}
