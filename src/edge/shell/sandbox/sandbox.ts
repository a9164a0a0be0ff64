// The operating system's sandbox around commands. The view of the disk is computed when a command starts, and files that it left and that
// could run later are put aside when it has ended.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SandboxInputs, SandboxView } from "../../../agent/ports/mounts.ts";
import type { CommandNetwork } from "../../../agent/ports/network-port.ts";
import type { Answer, PutAside, Sandbox, SandboxRequest, SandboxRun } from "../../../agent/ports/sandbox-port.ts";
import type { MayStay } from "../../../agent/ports/shell-port.ts";
import type { RunPass } from "../../../permissions/grants.ts";
import type { SandboxState } from "../../../permissions/policy.ts";
import type { Entry, PathClass } from "../../../permissions/sandbox/sandbox-view.ts";
import { errorText } from "../../../wording/error-text.ts";
import { isRaw } from "../../disk/raw-path.ts";
import { watch } from "../../disk/watch.ts";
import { personsGitFile } from "../../git/persons-git-file.ts";
import { gitFolders } from "../../git/places.ts";
import { ifPossible } from "../../system-error.ts";
import { joined, putAside, putBack } from "../quarantine.ts";
import { isBelow, openedBut, whyRefused } from "./closed-folders.ts";
import { coveredGit } from "./covered-git.ts";
import { type CommandRecord, commandRecord } from "./interrupted-command.ts";
import { linkedRepositories } from "./linked-repositories.ts";
import { mountCheck } from "./mount-check.ts";
import { elsewhere } from "./mounted-twice.ts";
import { existing, newIn } from "./new-entries.ts";
import { outsideFiles } from "./outside-files.ts";
import { systemCallFilter } from "./seccomp.ts";
import { inPlan, ownTemporary, putAsideName, removeState } from "./state-folder.ts";
import { classifiedTree, type Found, type Opening, type TreeLook } from "./tree.ts";
import type { SandboxTrial } from "./trial.ts";
import { type Covers, coversOf, identityOf } from "./uncovered.ts";
import { coveredFolders, unixSockets } from "./unix-sockets.ts";

export type SandboxOptions = SandboxRequest & { trial: () => Promise<SandboxTrial> };

/** If there is none, the state says why. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (!options.enabled) return closed({ kind: "off" }, options);
  if (options.known) return closed(options.stateAfter(options.known), options);
  if (options.sockets.closed && process.platform === "linux" && !systemCallFilter({ withoutUnixSockets: true }))
    return closed(options.stateAfter({ kind: "uncertain", why: `Unix sockets cannot be closed on ${process.arch}` }), options);
  const trial = await options.trial();
  if (trial.kind !== "works") return closed(options.stateAfter(trial), options);
  const [ignored, network] = await Promise.all([
    personsGitFile(options.cwd, "ignore", ""),
    options.network && trial.network(options.network).catch(() => undefined), // then commands have none
  ]);
  return activeSandbox({ ...options, ignored }, { argv: trial.argv, network });
}

function closed(state: SandboxState, { stateFolder }: SandboxOptions): Sandbox {
  let temporary: string | undefined;
  return {
    state: () => state,
    proxied: () => false,
    begin: () => undefined,
    prepareNext: () => undefined,
    outside() {
      temporary ??= ownTemporary(stateFolder);
      return { TMPDIR: temporary };
    },
    settle: (_aside, { verdict }) => verdict,
    onNewRules: () => {},
    close() {
      if (temporary !== undefined) removeState(stateFolder, temporary);
    },
  };
}

type Looked = Omit<Extract<TreeLook, { kind: "seen" }>, "kind">;

/** What a look at the tree found, and what of it must be covered. */
type Seen = Looked & { exceptions: SandboxInputs["exceptions"] };

/**
 * Why no command may run as long as the tree is like that, a whole sentence without its full stop. `beyond`: what a sandbox cannot cover, which at
 * the start of a session is the person's tree and not what somebody made of it.
 */
type Refused = { refused: string; beyond?: string };

type Start = { argv: Extract<SandboxTrial, { kind: "works" }>["argv"]; network: CommandNetwork | undefined };

function activeSandbox(options: SandboxOptions & { ignored: string }, { argv, network: joined }: Start): Sandbox {
  const directories = options.directories.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const writable = [...new Set([options.cwd, ...directories, ...(options.repositoryFixed ? [] : gitFolders(options.cwd))])];
  let hiddenOutside = outsideFiles(options.rules().outside);
  const repository = coveredGit({ ...options, tracked: process.platform === "linux" ? options.tracked : () => [] });
  const temporary = ownTemporary(options.stateFolder);
  let state: SandboxState = { kind: "active" };
  const isActive = () => state.kind === "active";
  const record = commandRecord(options.stateFolder);
  const lose = (why: string): undefined => {
    if (!isActive()) return;
    state = { kind: "lost", why };
    options.onLost(why);
  };
  const { looked, seen, last, renew } = looks(writable, { rules: options.rules, temporary });
  const atStart = seen(looked());
  if ("refused" in atStart && atStart.beyond !== undefined) lose(atStart.beyond);
  const watched: Watched = { looked, seen, lose, away: awayFrom(options, record, lose), record, writable, onHeld: options.onHeld };
  const enclosure = enclosures({ argv: (view) => argv(view, joined), writable, closed: options.sockets.closed });
  const runWith = (before: Seen, { network, shown = [], others: mayChangeOthers }: RunPass = {}): SandboxRun => {
    const isCovered = ({ path, others }: Seen["exceptions"][number]) => !shown.includes(path) && !(others && mayChangeOthers);
    const exceptions = repository.withDecoys(before.exceptions.filter(isCovered));
    const told = repository.told(exceptions);
    const gitVariables = options.gitVariables(told.settings);
    const found = surroundings(exceptions, {
      options,
      writable,
      temporary,
      outside: hiddenOutside(),
      opened: [...(network ? ["/etc/resolv.conf"] : []), ...told.files],
    });
    const view: SandboxView = { ...options.view(found, network === true), ...(options.sockets.closed && { socketsClosed: true }) };
    const { view: text, ...enclosed } = enclosure(view);
    return {
      ...enclosed,
      offline: !view.network,
      proxied: !view.network && joined !== undefined,
      env: { ...gitVariables, ...(!view.network && joined?.env), TMPDIR: tmpdirIn(view, temporary) },
      mark: JSON.stringify([text, gitVariables, view.mounts.map(({ path }) => identityOf(path))]),
      ...movingAside(before, watched, coversOf(exceptions)),
    };
  };
  return {
    state: () => state,
    begin(pass) {
      if (!isActive()) return undefined;
      // removed meanwhile: a command must find it covered, and not be taken for its maker
      ifPossible(() => mkdirSync(temporary, { recursive: true, mode: 0o700 }));
      const before = seen(looked());
      return "refused" in before ? before : runWith(before, pass);
    },
    prepareNext: () => (isActive() && whyNot(last(), writable) === undefined ? runWith(last()) : undefined),
    outside: () => ({ TMPDIR: temporary }),
    settle: (aside, answer) => settled(aside, answer, record),
    onNewRules: () => {
      renew();
      hiddenOutside = outsideFiles(options.rules().outside);
    },
    proxied: () => joined !== undefined,
    close: () => {
      joined?.close();
      repository.close();
      removeState(options.stateFolder, temporary);
    },
  };
}

type Enclosing = { argv: (view: SandboxView) => string[]; writable: string[]; closed: boolean };
type Enclosure = Pick<SandboxRun, "argv" | "check" | "seccomp"> & { view: string };

/** What a command with this view is started with. Views hardly ever differ from one command to the next, and then it is the same. */
function enclosures({ argv, writable, closed }: Enclosing): (view: SandboxView) => Enclosure {
  const seccomp = systemCallFilter({ withoutUnixSockets: closed });
  let last: Enclosure | undefined;
  return (view) => {
    const text = JSON.stringify(view);
    if (last?.view === text) return last;
    const check = process.platform === "linux" && { check: mountCheck(view, writable) };
    last = { view: text, argv: argv(view), ...check, ...(seccomp && { seccomp }) };
    return last;
  };
}

/** For those who open no sandbox: what a session's could not cover at its start, half a sentence. */
export function beyondSandbox([cwd = "/", ...directories]: string[], rules: SandboxOptions["rules"]): string | undefined {
  const { looked, seen } = looks([...new Set([cwd, ...directories, ...gitFolders(cwd)])], { rules });
  const found = seen(looked());
  return "refused" in found ? found.beyond : undefined;
}

type Looking = Pick<SandboxOptions, "rules"> & { temporary?: string };

function looks(writable: string[], { rules, temporary }: Looking) {
  const linked = linkedRepositories([...writable, ...(temporary === undefined ? [] : [temporary, inPlan(temporary)])]);
  const newLook = () => {
    const { classOf, hidesByName } = rules();
    return classifiedTree(writable, { classOf, packages: hidesByName, linked });
  };
  let look = newLook();
  let last: Seen = { entries: [], closed: [], exceptions: [] };
  return {
    looked: (opening?: Opening, most?: number) => look(opening, most),
    /** What is there may change with each command of any member: nothing that is found here outlasts it. */
    seen(found: TreeLook): Seen | Refused {
      if (found.kind === "too_large") return tooMany("folders", `more than ${found.folders} folders`, { places: found.seen, writable });
      if (found.unread !== undefined) return unread(found.unread);
      const exceptions = exceptionsIn(found, writable);
      const covered = exceptions.filter(isCover).map(({ path }) => path);
      if (covered.length > maxCovers) return tooMany("files", `${covered.length} protected or denied files`, { places: covered, writable });
      last = { ...found, exceptions };
      const refused = whyNot(last, writable);
      return refused === undefined ? last : { refused };
    },
    last: () => last,
    renew() {
      look = newLook();
    },
  };
}

const isCover = ({ visibility }: Seen["exceptions"][number]) => visibility !== "normal";

const whyNot = ({ closed, exceptions }: Seen, writable: string[]) =>
  whyRefused({ closed, covered: exceptions.filter(isCover).map(({ path }) => path) }, writable);

/** Of a tree in which this is, wherever it came from. A screen shows the beginning alone. */
function tooMany(kind: "files" | "folders", what: string, { places, writable }: { places: string[]; writable: string[] }): Refused {
  const are = `are ${what} below the working directory${mostIn(places, writable)}, too many to cover for each command`;
  const toDo = `A person must remove ${kind} or turn the sandbox off`;
  const refused = `${toDo}. There ${are}. No command runs until there are fewer, or a person sets ${withoutSandbox}`;
  return { refused, beyond: `there ${are}` };
}

const unread = (why: string): Refused => ({
  refused: `${why}, so what a command must not change cannot be protected. A person can remove it, or set ${withoutSandbox}`,
  beyond: why,
});

const withoutSandbox = '"sandbox": {"enabled": false} in their own settings to be asked about each command of a new session instead';

/** In which folder of the tree to look for them; empty if they are not in one. */
function mostIn(places: string[], writable: string[]): string {
  const counts = new Map<string, number>();
  for (const place of places) {
    const top = writable.find((folder) => place.startsWith(`${folder}/`));
    const [first, ...below] = top === undefined ? [] : place.slice(top.length + 1).split("/");
    if (first && below.length > 0) counts.set(`${top}/${first}`, (counts.get(`${top}/${first}`) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most && most[1] > places.length / 2 ? `, most of them in ${most[0].toWellFormed()}` : "";
}

function awayFrom({ stateFolder }: SandboxOptions, { moving }: CommandRecord, lose: Watched["lose"]): Watched["away"] {
  return (path) => {
    try {
      return [putAside(path, { folder: join(stateFolder, putAsideName), note: moving }) ?? []].flat();
    } catch (error) {
      lose(`${path} runs later or sets rights, and could not be moved away (${errorText(error)})`);
      return [];
    }
  };
}

function settled(aside: PutAside, { verdict, shown }: Answer, record: CommandRecord): MayStay {
  try {
    if (verdict.allowed) putBack(aside, shown);
    return verdict;
  } catch (error) {
    return { allowed: false, reason: `It could not be moved back: ${errorText(error)}.` };
  } finally {
    record.settled(aside);
  }
}

type Watched = {
  looked: (opening?: Opening, most?: number) => TreeLook;
  seen: (found: TreeLook) => Seen | Refused;
  lose: (why: string) => undefined;
  away: (path: string) => PutAside[];
  record: CommandRecord;
  writable: string[];
  onHeld: SandboxOptions["onHeld"];
};

/** A command that has ended by then says itself what it left. */
const heldForMs = 2_000;

/** Moves away files that could run later, from `watch` to `finish`. */
function movingAside(
  before: Seen,
  { looked, seen, lose, away, record, writable, onHeld }: Watched,
  covers: Covers,
): Pick<SandboxRun, "watch" | "finish" | "said"> {
  const known = new Map(before.entries.map(({ path, identity }) => [path, identity]));
  const opening = openedBut(before.closed);
  const moved = new Map<string, PutAside>();
  let stop = () => {};
  let forget = () => {};
  let toTell: NodeJS.Timeout | undefined;
  const untold: PutAside[] = [];
  const refused: string[] = [];
  /** It need not be the command's: the person may have made it, and misses it. */
  const tellLater = (aside: PutAside) => {
    untold.push(aside);
    toTell ??= setTimeout(() => {
      toTell = undefined;
      onHeld(untold.splice(0));
    }, heldForMs).unref();
  };
  const look = (isLater: (entry: Found) => boolean | undefined, most?: number) => {
    for (const path of covers.look()) known.delete(path);
    const after = looked(opening, most);
    const wasThere = (entry: Found) => isKnown(entry, known.get(entry.path)) || isBelow(entry.path, before.closed);
    const added = newIn(after.kind === "seen" ? after.entries : [], wasThere).filter((entry) => !isLater(entry));
    for (const aside of added.flatMap(({ path }) => away(path))) {
      const earlier = moved.get(aside.path);
      moved.set(aside.path, earlier ? joined(earlier, aside) : aside);
      if (!earlier) tellLater(aside);
    }
    return added.length > 0 ? looked(opening, most) : after;
  };
  /** However much it has made. The command has run, so an error here must not pass for its failure. */
  const lookAfter = () => {
    try {
      const after = look(() => false, Number.POSITIVE_INFINITY);
      return after.kind === "seen" && after.unread !== undefined ? lose(after.unread) : after;
    } catch (error) {
      return lose(`what the last command left cannot be seen (${errorText(error)})`);
    }
  };
  return {
    watch() {
      forget = record.begin(writable, before);
      // A command needs a repository that it creates, and git's todo list, until it ends. The person's git looks into one that it has linked.
      const isPersons = (repository: string | undefined) =>
        repository !== undefined && (known.has(repository) || !isBelow(repository, writable));
      const isNeeded = ({ path, linkedBy }: Found) => /\/(?:\.git|HEAD)$/i.test(path) && !known.has(path) && !isPersons(linkedBy);
      stop = whileRunning([...writable, ...covers.folders], () => look((entry) => entry.list || isNeeded(entry)));
      return covers.lost;
    },
    finish() {
      stop();
      const after = lookAfter();
      if (after) forget();
      const left = after && seen(after);
      if (left && "refused" in left) refused.push(left.refused);
      clearTimeout(toTell);
      return [...moved.values()];
    },
    said: () => [...covers.said(), ...refused],
  };
}

type Place = { options: SandboxOptions; writable: string[]; temporary: string; opened: string[]; outside: SandboxInputs["secrets"] };

/**
 * The current surroundings of a command; `opened` are files that it may read in addition to the shared ones. `outside`: hidden beside the
 * exceptions, some of which are what a link leads to.
 */
function surroundings(all: SandboxInputs["exceptions"], { options, writable, temporary, opened, outside }: Place): SandboxInputs {
  const isInside = (path: string) => writable.some((folder) => path.startsWith(`${folder}/`));
  const exceptions = all.filter(({ path }) => isInside(path));
  const linked = all.filter(({ path }) => !isInside(path));
  const shared = [...options.shared, ...opened].flatMap((path) => existing(path).map((entry) => entry.path));
  const secrets = [...options.secretPlaces.flatMap(existing), ...outside, ...linked.map(({ path, kind }) => ({ path, kind }))];
  const sockets = unixSockets({ named: options.sockets.named, opened: shared });
  const covered = [...exceptions, ...secrets].flatMap((place) =>
    "visibility" in place && place.visibility !== "hidden" ? [] : place.path,
  );
  const reachable = sockets.filter((path) => !covered.some((place) => path === place || path.startsWith(`${place}/`)));
  const hidden = [...exceptions.filter(({ visibility }) => visibility === "hidden"), ...secrets];
  const twice = elsewhere([...hidden, ...reachable.map((path) => ({ path, kind: "file" as const }))]);
  return {
    writable,
    exceptions: [...exceptions, ...reachable.filter(isInside).map((path) => ({ path, kind: "file", visibility: "hidden" }) as const)],
    secrets: [...secrets, ...twice, ...reachable.filter((path) => !isInside(path)).map((path) => ({ path, kind: "file" }) as const)],
    // git in a worktree reads the repository's own folder, which may be in a private place
    shared: [...shared, ...(options.repositoryFixed ? gitFolders(options.cwd) : [])],
    scratch: scratchPlaces(temporary),
  };
}

/** git removes finished lines from the beginning of its todo list. */
const isKnown = ({ list, identity }: Found, before: string | undefined) =>
  list ? before?.endsWith(identity) === true : before === identity;

/** Calls `look` at each change in one of the folders, and repeatedly for deeper changes; it uses a twentieth of the time. */
function whileRunning(folders: string[], look: () => unknown): () => void {
  let notBefore = 0;
  const onChange = () => {
    const start = performance.now();
    if (start < notBefore) return;
    ifPossible(look); // the look after the command decides
    const end = performance.now();
    notBefore = end + 20 * (end - start);
  };
  return watch.watch(folders, onChange, { pollMs: 100 });
}

/** Each is a mount, and mounting takes time quadratic in their number: half a second for these. */
const maxCovers = 1000;

/** What commands call the folder that the mode gives them. */
function tmpdirIn({ mounts }: SandboxView, otherwise: string): string {
  if (process.platform === "linux") return "/tmp";
  return mounts.flatMap((mount) => (mount.kind === "scratch" ? (mount.from ?? []) : []))[0] ?? otherwise;
}

function scratchPlaces(temporary: string): SandboxInputs["scratch"] {
  const places = coveredFolders.flatMap(existing).map(({ path }) => path);
  return [...new Set(places)].map((path) => (path === "/tmp" ? { path, from: temporary } : { path }));
}

/** A folder that cannot be listed is hidden as a whole. A link cannot be covered; its target is, if it is hidden or a command could change it. */
function exceptionsIn({ entries, closed }: Looked, writable: string[]): SandboxInputs["exceptions"] {
  const places = new Map<string, SandboxInputs["exceptions"][number]>();
  const whole = closed.map((path): Entry & PathClass => ({ path, kind: "folder", visibility: "hidden", rules: false }));
  const found = [...whole, ...entries];
  const hidden = found.filter(({ kind, visibility }) => kind === "folder" && visibility === "hidden").map(({ path }) => path);
  for (const { path, kind, visibility, others } of found) {
    if (isBelow(path, hidden)) continue;
    const [real] = kind === "link" && !isRaw(path) ? existing(path) : [{ path, kind: kind === "folder" ? kind : ("file" as const) }];
    if (!real || (visibility !== "hidden" && !writable.some((folder) => real.path.startsWith(`${folder}/`)))) continue;
    if (places.get(real.path)?.visibility !== "hidden") places.set(real.path, { ...real, visibility, ...(others && { others }) });
  }
  return [...places.values()];
}
