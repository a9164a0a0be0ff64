// The one door through which this program starts git. What a repository says cannot make it start a program, reach the network or write
// elsewhere: its settings and hooks are replaced by ours (stand-in.ts), its place is found without git and pinned (places.ts), nothing is
// fetched, and where there is a sandbox git runs in one of its own (seal.ts). Pushes have a door of their own (pushing.ts).
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { helperProgram } from "../processes/helper-programs.ts";
import type { RunResult } from "../processes/run.ts";
import type { classifiedTree } from "../shell/sandbox/tree.ts";
import { ifPossible } from "../system-error.ts";
import { type GitEnd, type GitProcess, runGit } from "./git-process.ts";
import { parseSettings, type Setting } from "./own-settings.ts";
import { findRepository, type PlaceFinding, type RepositoryPlace } from "./places.ts";
import { preparedStandIn, type ReadSettings, settingsOf } from "./repository-settings.ts";
import { type Seal, scripted, sealed } from "./seal.ts";

/** `index`: of another checkout of the repository, in that one's folder of git's. */
export type GitOptions = Pick<GitProcess, "input" | "headBytes" | "signal"> &
  Pick<OwnGitOptions, "script"> & { limitMs?: number; index?: string };

/** `code` is null if git was ended or never ran; `stderr` says why then. `stdout` has what was printed until then. */
export type GitResult = { code: number | null; stdout: Buffer; stderr: string };

/** A look takes seconds at most; a checkout of a large repository takes long. */
const lookMs = 30_000;
const workMs = 120_000;

/**
 * Looks at the repository of a folder, and changes nothing. Never rejects: a folder without one is what git answers then. Its messages are
 * in English. In a hook of git, the index and the objects of the commit in progress count.
 */
export async function git(folder: string, args: string[], { limitMs = lookMs, index, ...options }: GitOptions = {}): Promise<GitResult> {
  const env = { ...processEnvironment(), ...(index !== undefined && { GIT_INDEX_FILE: index }) };
  const gitDir = index === undefined ? undefined : dirname(index);
  const { failed, timedOut, ...end } = await placed({ folder, args, limitMs, ...options, env, gitDir, writable: undefined });
  return { ...end, stderr: failed ?? (timedOut ? "git took too long and was ended" : end.stderr) };
}

/** git for the person's settings and for itself: of no repository, and without one around it. */
export async function gitAlone(
  args: string[],
  { limitMs = lookMs, ...options }: Omit<GitOptions, "script" | "index"> = {},
): Promise<GitResult> {
  const { failed, timedOut, ...end } = await alone({ args, limitMs, ...options, env: processEnvironment() });
  return { ...end, stderr: failed ?? (timedOut ? "git took too long and was ended" : end.stderr) };
}

/** Why there is no git that we would start; undefined if there is one. */
export function gitMissing(): string | undefined {
  const program = helperProgram("git");
  return program.kind === "missing" ? program.why : undefined;
}

export type OwnGit = (folder: string, args: string[], options?: OwnGitOptions) => Promise<RunResult>;

export type OwnGitOptions = {
  input?: string | Buffer;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** Variables for this process only, such as an index of its own. */
  env?: Record<string, string>;
  /** Further folders that it may change. */
  writable?: string[];
  /** Each character of the output is a byte, as of a pack. */
  binary?: boolean;
  /** A script of ours for `sh` that starts several of git as `git`; the arguments are its own. */
  script?: string;
};

/**
 * git for our own worktrees, commits and merges. It may change the repository of the folder. The person's
 * filters and merge drivers run in it, offline. `env` contains no keys (secrets/environment.ts).
 */
export function ownGit(env: Record<string, string>): OwnGit {
  return async (folder, args, { timeoutMs: limitMs = workMs, env: own = {}, writable = [], binary = false, ...options } = {}) =>
    textual(await placed({ folder, args, limitMs, ...options, env: { ...withoutGit(env), ...own }, writable }), binary);
}

const textual = ({ stdout, ...end }: GitEnd, binary = false): RunResult => ({
  ...end,
  stdout: stdout.toString(binary ? "latin1" : "utf8"),
  signal: null,
});

/** What a push needs beyond a look: the network, by one protocol, and the ways to the person's login. */
export type PushCall = {
  protocol: string;
  settings: string[];
  env: Record<string, string>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

/** The door for a push, which reaches the network: only pushing.ts uses it, with an address that it has checked. */
export async function gitToPush(base: Record<string, string>, folder: string, args: string[], call: PushCall): Promise<RunResult> {
  const { protocol, settings, env, timeoutMs: limitMs, signal } = call;
  const unsafe = { allowUnsafeCredentialHelper: true, allowUnsafeAskPass: true, allowUnsafeSshCommand: true };
  const all = { ...withoutGit(base), ...env, GIT_ALLOW_PROTOCOL: protocol };
  return textual(await placed({ folder, args, limitMs, signal, env: all, writable: "unsealed", settings, unsafe }));
}

/**
 * git in a repository that this program has itself just made and filled, such as the demo's: it is found as git finds it. Throws with git's
 * message.
 */
export async function gitInOwnRepository(folder: string, args: string[], what: string): Promise<string> {
  const env = { ...processEnvironment(), GIT_ALLOW_PROTOCOL: "file" };
  const settings = ["core.hooksPath=/dev/null", "commit.gpgSign=false", "gc.auto=0", "user.name=tool demo", "user.email=demo@localhost"];
  const unsafe = { allowUnsafeHooksPath: true };
  const end = await started({ cwd: folder, args, limitMs: lookMs, env, settings, unsafe, writable: "unsealed" });
  if (end.code !== 0) throw new Error(`${what}: git ${args[0]} failed: ${end.failed ?? end.stderr.trim()}`);
  return end.stdout.toString("utf8").trim();
}

/** Serves a bare repository of our own to the other side of a connection, as the forge of the demo does. */
export function servingGit(
  service: "git-receive-pack" | "git-upload-pack",
  args: string[],
): ChildProcessByStdio<Writable, Readable, null> | undefined {
  const program = helperProgram("git");
  if (program.kind === "missing") return undefined;
  const env = { ...processEnvironment(), GIT_ALLOW_PROTOCOL: "" };
  return spawn(program.path, [service.slice("git-".length), ...args], { stdio: ["pipe", "pipe", "ignore"], cwd: "/", env });
}

/** The settings of a folder's repository itself, as data: without what they include. Undefined if there is no repository to read. */
export async function repositorySettings(folder: string): Promise<readonly Setting[] | undefined> {
  const found = await placeOf(folder);
  return found.kind === "found" ? settingsOf(found.place, readSettings) : undefined;
}

/** Where its repository is, as our git takes it. */
export const repositoryPlace = (folder: string): Promise<PlaceFinding> => placeOf(folder);

type Call = Omit<GitProcess, "binary" | "cwd"> &
  Pick<OwnGitOptions, "script"> & {
    /** Folders that may be changed, beside the repository; undefined if nothing may; `unsealed` for no sandbox. */
    writable: string[] | undefined | "unsealed";
    /** What may not be changed, though it is in such a folder. */
    fixed?: string[];
    /** Of another checkout: a part of its index may be beside it. */
    gitDir?: string | undefined;
  };

/** Runs git on the repository of `folder`, in that folder. */
async function placed({ folder, gitDir, ...call }: Call & { folder: string }): Promise<GitEnd> {
  const found = await placeOf(folder);
  if (found.kind === "none") return fatal("not a git repository (or any of the parent directories): .git");
  if (found.kind === "refused") return fatal(found.why);
  const { place } = found;
  const standIn = await preparedStandIn(place, readSettings);
  if (!standIn.ok) return fatal(standIn.why);
  const env = { ...call.env, GIT_DIR: gitDir ?? place.gitDir, GIT_COMMON_DIR: standIn.folder, GIT_WORK_TREE: place.top };
  const { writable } = call;
  const changed = Array.isArray(writable) ? [place.commonDir, place.gitDir, place.top, ...writable] : writable;
  return started({ ...call, cwd: folder, env, writable: changed, fixed: fixedIn(place), obstacle: pipesBelow(place.top) });
}

/** What says which programs the person's git runs: ours writes a reference or a log there only if a link leads it. */
const fixedIn = ({ commonDir, gitDir }: RepositoryPlace) =>
  [...new Set([commonDir, gitDir])].flatMap((folder) =>
    ["config", "config.worktree", "hooks", "info", "modules"].map((name) => join(folder, name)),
  );

/**
 * git opens such files in every folder that it comes to, and blocks on a pipe. A command can make one again at any time, so we look for
 * pipes while git waits, not beforehand.
 */
function pipesBelow(top: string): () => Promise<string | undefined> {
  let look: ReturnType<typeof classifiedTree> | undefined;
  return async () => {
    const { classifiedTree } = await import("../shell/sandbox/tree.ts"); // few processes of git take so long
    look ??= classifiedTree([top], { classOf: () => undefined, packages: false });
    const found = ifPossible(look);
    const [pipe] = found?.kind === "seen" ? found.entries.filter(({ kind }) => kind === "file") : [];
    return pipe && `git was ended, because ${pipe.path} is a pipe, at which it waits: remove it`;
  };
}

const fatal = (why: string): GitEnd => ({ code: 128, stdout: Buffer.alloc(0), stderr: `fatal: ${why}\n`, timedOut: false });

/** Outside of every repository. */
const alone = (call: Omit<Call, "writable">) =>
  started({ ...call, cwd: "/", env: { ...call.env, GIT_CEILING_DIRECTORIES: "/" }, writable: undefined });

async function started({ writable, fixed = [], env, script, ...call }: Call & { cwd: string }): Promise<GitEnd> {
  const program = helperProgram("git", env["PATH"]);
  if (program.kind === "missing") return { code: null, stdout: Buffer.alloc(0), stderr: "", timedOut: false, failed: program.why };
  const settings = ["safe.bareRepository=explicit", ...(call.settings ?? [])];
  const steps = script === undefined ? undefined : scripted(program.path, settings, script);
  const seal = writable === "unsealed" ? undefined : await sealed(steps ?? [program.path], sealOf(writable ?? [], fixed));
  const run = () =>
    runGit({
      ...call,
      binary: seal ?? steps ?? program.path,
      env: { ...closed, ...env },
      settings: steps ? [] : settings,
      unsafe: { allowUnsafeConfigPaths: true, ...call.unsafe },
    });
  const end = await run();
  // A mount disappeared while bwrap read them: git has not run.
  return seal && end.code === 1 && end.stderr.startsWith("bwrap: Can't bind mount") ? run() : end;
}

/**
 * Whatever else is set: nothing is fetched, nobody is asked, and git writes nothing by the way. It prints English, because it is parsed. An object
 * that takes a few megabytes may say that it has any number, and git takes as much memory.
 */
const closed = {
  LC_ALL: "C",
  GIT_ALLOC_LIMIT: "1g",
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};

/** What exists of it. */
function sealOf(folders: string[], fixed: string[]): Seal {
  const real = folders.flatMap((folder) => ifPossible(() => (lstatSync(folder).isDirectory() ? [realpathSync(folder)] : [])) ?? []);
  const writable = [...new Set(real)];
  const isPlain = (path: string) => ifPossible(() => lstatSync(path).isDirectory() || lstatSync(path).isFile()) === true;
  return { writable, fixed: writable.length > 0 ? fixed.filter(isPlain) : [] };
}

/** What a person or git itself may have set for a process of ours; other variables of git's, and programs to ask with, are left out. */
const kept =
  /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|QUARANTINE_PATH|(?:PROXY_)?SSL_\w+|SSH_VARIANT)$/;
const leftOut = /^(?:GIT_.*|EDITOR|VISUAL|PAGER|PREFIX|SSH_ASKPASS)$/i;

function withoutGit(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || (leftOut.test(name) && !kept.test(name)) ? [] : [[name, value]],
    ),
  );
}

/** In a hook, the index of the commit in progress counts. */
function processEnvironment(): Record<string, string> {
  const index = process.env["GIT_INDEX_FILE"];
  return { ...withoutGit(process.env), ...(index ? { GIT_INDEX_FILE: resolve(index) } : {}) };
}

/** Called for a worktree that this program makes or removes: its folder may be in another repository from now on. */
export function forgetPlace(top: string): void {
  pins.delete(top);
}

const pins = new Map<string, RepositoryPlace>();
const owners = new Map<string, string | undefined>();

/** The same repository for a working tree as long as this process lives. */
async function placeOf(folder: string): Promise<PlaceFinding> {
  const found = placeOfHook() ?? findRepository(folder);
  if (found.kind !== "found") return found;
  const { place } = found;
  const pinned = pins.get(place.top);
  if (pinned && (pinned.gitDir !== place.gitDir || pinned.commonDir !== place.commonDir))
    return {
      kind: "refused",
      why: `${place.top} was in the repository ${pinned.commonDir} when this session began, and is now in ${place.commonDir}`,
    };
  pins.set(place.top, place);
  if (!owners.has(place.top)) owners.set(place.top, await foreign(place));
  const why = owners.get(place.top);
  return why === undefined ? found : { kind: "refused", why };
}

/** git names the repository to a hook if it is not where it would be found. */
function placeOfHook(): PlaceFinding | undefined {
  const { GIT_DIR, GIT_COMMON_DIR, GIT_WORK_TREE } = process.env;
  const gitDir = GIT_DIR && ifPossible(() => realpathSync(GIT_DIR));
  if (!gitDir) return undefined;
  const common = GIT_COMMON_DIR && ifPossible(() => realpathSync(GIT_COMMON_DIR));
  const top = realpathSync(GIT_WORK_TREE || ".");
  const linked = findRepository(top);
  if (linked.kind === "found" && linked.place.gitDir === gitDir) return linked;
  return { kind: "found", place: { top, gitDir, commonDir: common || gitDir } };
}

/** git's own rule, which it does not apply to a place that it is told: somebody else's repository is used only if the person has said so. */
async function foreign({ top, gitDir }: RepositoryPlace): Promise<string | undefined> {
  const uid = process.getuid?.();
  const sudo = uid === 0 ? Number(process.env["SUDO_UID"] || 0) : uid;
  const isOurs = [top, gitDir].every((path) => [uid, sudo].includes(lstatSync(path).uid));
  if (uid === undefined || isOurs) return undefined;
  const { stdout } = await gitAlone(["config", "--get-all", "-z", "safe.directory"]);
  const safe = stdout.toString("utf8").split("\0").filter(Boolean);
  const isSafe = safe.some((path) => path === "*" || path === top || (path.endsWith("/*") && top.startsWith(path.slice(0, -1))));
  return isSafe ? undefined : `detected dubious ownership in repository at '${top}'`;
}

/**
 * git reads the text of a settings file as data: nothing in it counts, and nothing that it includes is read. The same text is taken apart once:
 * each agent of a session asks for it.
 */
export async function readSettings(text: Buffer): ReturnType<ReadSettings> {
  const key = text.toString("latin1");
  const known = apart.get(key);
  if (known) return known;
  const found = await takenApart(text);
  if (apart.size >= mostTexts) apart.clear();
  if (found.ok) apart.set(key, found); // git may have failed for another reason than the text
  return found;
}

const apart = new Map<string, Awaited<ReturnType<ReadSettings>>>();
const mostTexts = 16;

async function takenApart(text: Buffer): ReturnType<ReadSettings> {
  const { code, stdout, stderr } = await gitAlone(["config", "--file", "-", "--no-includes", "-z", "--list"], { input: text });
  if (code === 0) return { ok: true, settings: parseSettings(stdout.toString("utf8")) };
  return { ok: false, why: stderr.trim().replace(/^fatal: /, "") };
}

/** git's error message, to end a sentence with. */
export function gitFault({ failed, timedOut, stderr, code }: RunResult): string {
  if (failed) return failed;
  if (timedOut) return "git took too long and was ended";
  const said = stderr.trim().split("\n").filter(Boolean);
  const last = said.find((line) => diskFull.test(line)) ?? said.findLast((line) => /^(?:fatal|error):/.test(line));
  const fault = last?.replace(/^\w+: /, "") ?? said.at(-1) ?? `git ended with ${code}`;
  return noAuthor.test(fault) ? `${fault}. Set an author: git config user.name "…" and git config user.email "…"` : fault;
}

const noAuthor = /unable to auto-detect email address|empty ident name/i;

/** The message for these is extended by the consequences. */
export const diskFull = /no space left|out of disk ?space|disk quota/i;

/** The first line of what git printed; undefined if it failed. */
export async function gitLine(git: OwnGit, folder: string, args: string[]): Promise<string | undefined> {
  const { code, stdout } = await git(folder, args);
  return code === 0 ? stdout.replace(/\n$/, "") : undefined;
}
