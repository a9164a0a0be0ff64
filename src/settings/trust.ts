// Trust in a repository's settings: given by the user to exactly the present content, and lost with its first change.
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { z } from "zod";
import type { BoardDisk } from "../board/disk.ts";
import { plural } from "../wording/figures.ts";
import type { HeldKind, Withheld } from "./scopes.ts";

export type TrustDisk = Pick<BoardDisk, "read" | "list" | "replace" | "makeFolder" | "size" | "changedAt">;

/** `changed`: it was trusted with other content. `before`: what was shown then, if known. */
export type Trust = { state: "trusted" } | { state: "untrusted"; changed: boolean; before?: string[] };

export type TrustWord = "trusted" | "untrusted" | "changed since it was trusted";

export function trustWord(trust: Trust): TrustWord {
  if (trust.state === "trusted") return "trusted";
  return trust.changed ? "changed since it was trusted" : "untrusted";
}

/** Why things are held back: what follows "this project". Trust is also recorded when a person changes the project's rules, without a question. */
export const whyHeld: Record<Exclude<TrustWord, "trusted">, string> = {
  untrusted: "is not trusted",
  "changed since it was trusted": "has changed since you trusted it or changed its rules",
};

/** After "until you trust it: ", for a list of what waits for trust. `hash`: as of what trust would cover. */
export const trustWays = ({ hash }: { hash: string | undefined }) =>
  hash === undefined ? "it cannot be trusted, because it brings more than one answer can cover" : "--trust, or answer in a session";

/** The files that would gain power, and the hash of their content. Without a hash there is too much content to trust: `excess` says what, relative to the root. */
export type PowerFiles = { files: string[] } & ({ hash: string; excess?: undefined } | { hash: undefined; excess: string });

const powerPlaces = [
  ".tool/settings.json",
  ".tool/settings.local.json",
  ".tool/agents",
  ".tool/skills",
  ".tool/commands",
  ".tool/hooks",
  ".claude/agents",
  ".claude/skills",
  ".claude/commands",
  ".mcp.json",
];
const limits = { files: 2_000, bytes: 4 * 1024 * 1024, depth: 16 };

/** Reads everything in the repository that trust covers. An unreadable file is recorded as such. */
export function powerFiles(disk: TrustDisk, { root, configDir }: { root: string; configDir: string }): PowerFiles {
  const isHome = join(root, ".tool") === configDir; // then that folder is the person's own
  const hash = createHash("sha256").update(`tool trust 1\0${root}\0`);
  const files: string[] = [];
  const places = powerPlaces.filter((path) => !isHome || !path.startsWith(".tool/"));
  const endless = places.find((path) => !collect(disk, { root, path, depth: 0, files }));
  for (const file of files) {
    const content = contentOf(disk, join(root, file));
    if (content === undefined) return { hash: undefined, files, excess: `${file} has more than ${limits.bytes / 1024 / 1024} MiB` };
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  if (endless === undefined) return { hash: hash.digest("hex"), files };
  return {
    hash: undefined,
    files,
    excess: `with ${endless} there are more than ${limits.files.toLocaleString("en")} files, or folders in each other more than ${limits.depth} deep`,
  };
}

type Tree = { root: string; path: string; depth: number; files: string[] };

/**
 * Whether all of them are in `files`. Links are followed, so a repository can make this endless: beyond the limits nothing is trusted, since
 * what is loaded from there would not be what was trusted.
 */
function collect(disk: TrustDisk, { root, path, depth, files }: Tree): boolean {
  if (disk.size(join(root, path)) === undefined) return true;
  const names = namesIn(disk, join(root, path));
  if (names === undefined) return files.push(path) < limits.files;
  if (depth >= limits.depth || files.length >= limits.files) return false;
  return names.every((name) => collect(disk, { root, path: `${path}/${name}`, depth: depth + 1, files }));
}

/** Undefined if it is not a folder, or cannot be read. */
function namesIn(disk: TrustDisk, path: string): string[] | undefined {
  try {
    return disk.list(path);
  } catch {
    return undefined;
  }
}

/** Undefined if it is too large to hash. An unreadable file is recorded as such. */
function contentOf(disk: TrustDisk, path: string): Buffer | undefined {
  try {
    return (disk.size(path) ?? 0) > limits.bytes ? undefined : (disk.read(path) ?? Buffer.alloc(0));
  } catch {
    return Buffer.from("unreadable");
  }
}

const trusted = z.object({ hash: z.string(), at: z.string(), shown: z.array(z.string()).optional() });
const record = z.object({ version: z.literal(1), projects: z.record(z.string(), trusted) });

const recordPath = (configDir: string) => join(configDir, "trust.json");

/** An unreadable record trusts nobody. */
function readRecord(disk: TrustDisk, configDir: string): z.infer<typeof record> {
  const none = { version: 1 as const, projects: {} };
  try {
    const read = record.safeParse(JSON.parse(disk.read(recordPath(configDir))?.toString("utf8") ?? ""));
    return read.success ? read.data : none;
  } catch {
    return none;
  }
}

export function trustIn(disk: TrustDisk, project: { configDir: string; root: string; hash: string | undefined }): Trust {
  const { projects } = readRecord(disk, project.configDir);
  const found = Object.hasOwn(projects, project.root) ? projects[project.root] : undefined;
  if (found && found.hash === project.hash) return { state: "trusted" };
  return { state: "untrusted", changed: found !== undefined, ...(found?.shown && { before: found.shown }) };
}

/** `shown`: the list that the user answered; if the user changed the settings without being shown one, the previous list stays. */
export type TrustAnswer = { configDir: string; root: string; hash: string; shown?: string[]; at: Date };

/** Stores the user's yes, readable by that user only. */
export function recordTrust(disk: TrustDisk, { configDir, root, hash, shown, at }: TrustAnswer): void {
  const before = readRecord(disk, configDir);
  const list = shown ?? (Object.hasOwn(before.projects, root) ? before.projects[root]?.shown : undefined);
  const projects = { ...before.projects, [root]: { hash, at: at.toISOString(), ...(list && { shown: list }) } };
  disk.makeFolder(configDir);
  disk.replace(recordPath(configDir), `${JSON.stringify({ ...before, projects }, null, 2)}\n`);
}

/**
 * `lines`: what would gain power, the most important first; `isNew`: it was not among what was trusted before. `never`: how many settings
 * are ignored whatever is answered. `shown`: the whole list, to be stored. The texts come from the repository: escape them before showing
 * them.
 */
export type TrustQuestion = { title: string; lines: { text: string; isNew: boolean }[]; never: number; shown: string[] };

/** Undefined if nothing waits for an answer. */
export function trustQuestion(
  held: Withheld[],
  { root, trust }: { root: string; trust: Extract<Trust, { state: "untrusted" }> },
): TrustQuestion | undefined {
  const waiting = held.filter(({ neverGranted }) => !neverGranted).toSorted((a, b) => weights.indexOf(a.kind) - weights.indexOf(b.kind));
  if (waiting.length === 0) return undefined;
  const text = (item: Withheld) => heldText({ ...item, ...(item.file !== undefined && { file: relative(root, item.file) }) });
  const shown = waiting.map(text);
  const lines = waiting.map((item, index) => ({ text: text(withShortValue(item)), isNew: isNewIn(trust, shown[index]!) }));
  return { title: titleFor(root, trust, { lines, waiting }), lines, never: held.length - waiting.length, shown };
}

/** From settings that let an agent do more by itself to those that only run on request. */
const weights: HeldKind[] = [
  "mode",
  "sandbox",
  "allow rule",
  "directory",
  "secrets",
  "variable",
  "kept variable",
  "model",
  "hook",
  "server",
  "status command",
  "agents and skills",
  "team",
  "worktrees",
];

const isNewIn = ({ before }: { before?: string[] }, text: string) => before !== undefined && !before.includes(text);

type Listed = { lines: TrustQuestion["lines"]; waiting: Withheld[] };

function titleFor(root: string, { changed, before }: { changed: boolean; before?: string[] }, { lines, waiting }: Listed): string {
  const until = "Until you trust it, none of this counts, and what it forbids counts already.";
  if (!changed) return `The repository ${root} brings ${brought(waiting)}. ${until}`;
  const since = before === undefined ? "you added rules to it" : "you trusted it"; // then nobody was asked
  const changes = `The repository ${root} has changed since ${since}, and brings ${brought(waiting)}`;
  if (before === undefined) return `${changes}. ${until}`;
  const isMore = lines.some(({ isNew }) => isNew);
  return `${changes}: ${isMore ? "what is new is marked" : "nothing more than before, but files that it names have changed"}. ${until}`;
}

/** `2 hooks, an MCP server and 3 rules that allow calls`, the most important first. */
function brought(waiting: Withheld[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of waiting) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const words = [...counts].map(([kind, count]) =>
    plural(count, ...(spoken[kind as HeldKind] ?? ([`setting for ${kind}`, `settings for ${kind}`] as const))),
  );
  return new Intl.ListFormat("en").format(words);
}

/** One, and several. */
const spoken: Partial<Record<HeldKind, readonly [string, string]>> = {
  "allow rule": ["rule that allows calls", "rules that allow calls"],
  directory: ["further folder", "further folders"],
  mode: ["permission mode", "permission modes"],
  variable: ["environment variable", "environment variables"],
  "kept variable": ["variable that commands keep", "variables that commands keep"],
  model: ["choice of a model", "choices of models"],
  hook: ["hook that runs a program", "hooks that run programs"],
  server: ["MCP server", "MCP servers"],
  "status command": ["program for the status line", "programs for the status line"],
  "agents and skills": ["agent or skill", "agents and skills"],
};

const longestValue = 100;

function withShortValue({ value, ...item }: Withheld): Withheld {
  if (value === undefined) return item;
  return { ...item, value: value.length > longestValue ? `${value.slice(0, longestValue).toWellFormed()}…` : value };
}

function heldText({ kind, what, value, file }: Withheld): string {
  return `${kind}: ${what}${value === undefined ? "" : `=${value}`}${file === undefined ? "" : `  (${file})`}`;
}

/**
 * For the time of one loading, while a command of an agent may be changing the files: what is read twice is the same both times, so that the
 * content that is trusted is the content that is used. What failed fails again.
 */
export function oneLook(disk: TrustDisk): TrustDisk {
  return { ...disk, read: once(disk.read), list: once(disk.list), size: once(disk.size), changedAt: once(disk.changedAt) };
}

function once<Found>(look: (path: string) => Found): (path: string) => Found {
  const seen = new Map<string, () => Found>();
  return (path) => {
    const found = seen.get(path) ?? tried(() => look(path));
    seen.set(path, found);
    return found();
  };
}

function tried<Found>(look: () => Found): () => Found {
  try {
    const found = look();
    return () => found;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
