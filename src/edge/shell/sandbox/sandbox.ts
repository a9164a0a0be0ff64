// The operating system's sandbox around commands. The view of the disk is computed when a command starts, and files that it left and that
// could run later are put aside when it has ended.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SandboxView } from "../../../agent/ports/mounts.ts";
import type { CommandNetwork } from "../../../agent/ports/network-port.ts";
import type { Answer, PutAside, Sandbox, SandboxRequest, SandboxRun } from "../../../agent/ports/sandbox-port.ts";
import type { MayStay } from "../../../agent/ports/shell-port.ts";
import type { RunPass } from "../../../permissions/grants.ts";
import type { SandboxState } from "../../../permissions/policy.ts";
import { errorText } from "../../../wording/error-text.ts";
import { personsGitFile } from "../../git/persons-git-file.ts";
import { gitFolders, worktreeFolders } from "../../git/places.ts";
import { ifPossible } from "../../system-error.ts";
import { type AllowedWrites, allowedWrites } from "../allowed-writes.ts";
import { putAside, putBack } from "../quarantine.ts";
import { isBelow } from "./closed-folders.ts";
import { coveredGit } from "./covered-git.ts";
import { type CommandRecord, commandRecord } from "./interrupted-command.ts";
import { isCovering, linksTo, putBackCovering } from "./links/coming-back.ts";
import { forget, type LinkMemory, linkMemory } from "./links/link-memory.ts";
import { takenFile } from "./links/taken-file.ts";
import { looks, type Seen } from "./looks.ts";
import { mountCheck, mountedHere } from "./mount-check.ts";
import { type KeptLinks, movingAside, type Watched } from "./moving-aside.ts";
import { existing } from "./new-entries.ts";
import { outsideFiles } from "./outside-files.ts";
import { systemCallFilter } from "./seccomp.ts";
import { blankFor, ownTemporary, putAsideName, removeState } from "./state-folder.ts";
import { surroundings, tmpdirIn } from "./surroundings.ts";
import { temporaryVariables } from "./temporary-variables.ts";
import type { SandboxTrial } from "./trial.ts";
import { coversOf, identityOf } from "./uncovered.ts";

/** `memory`: of the sandboxes of this process. */
export type SandboxOptions = SandboxRequest & { trial: () => Promise<SandboxTrial>; memory?: LinkMemory };

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
  return activeSandbox({ ...options, ignored }, { trial, network });
}

function closed(state: SandboxState, { stateFolder }: SandboxOptions): Sandbox {
  let temporary: string | undefined;
  return {
    state: () => state,
    proxied: () => false,
    begin: () => undefined,
    stillWorks: async () => false,
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

/** The keys to sign with are hidden. What repack writes for servers of plain files would go into the folder with the attributes, which is read-only. */
const ownSettings = ["commit.gpgSign", "tag.gpgSign", "repack.updateServerInfo"].map((key) => ({ key, value: "false" }));

type Start = { trial: Extract<SandboxTrial, { kind: "works" }>; network: CommandNetwork | undefined };

function activeSandbox(options: SandboxOptions & { ignored: string }, { trial, network: joined }: Start): Sandbox {
  const writable = [...new Set([options.cwd, ...foldersOf(options), ...ofGit(options)])];
  let hiddenOutside = outsideFiles(options.rules().outside);
  const repository = coveredGit({ ...options, tracked: process.platform === "linux" ? options.tracked : () => [] });
  const temporary = ownTemporary(options.stateFolder);
  const { memory = linkMemory() } = options;
  const { state, isActive, lose } = activeUntilLost(options.onLost);
  const record = commandRecord(options.stateFolder);
  const file = takenFile(options.stateFolder, memory);
  const { looked, near, seen, before, last, made, renew } = looks(writable, { ...options, temporary, memory, elsewhere: file.elsewhere });
  const secretsAtStart = options.secretPlaces.flatMap(existing);
  const watchedSecrets = options.secretPlaces.filter((path) => !options.changing(path) && !isBelow(path, writable));
  const stillThere = () => secretsAtStart.filter(({ path }) => existing(path)[0]?.path === path);
  const atStart = before();
  if ("refused" in atStart && atStart.beyond !== undefined) lose(atStart.beyond);
  const away = awayFrom(options, record, lose);
  const links: KeptLinks = { settings: linksTo(options.settings, writable), memory, file };
  const running = { count: 0, told: new Set<string>() };
  const watched: Watched = { ...options, looked, near, seen, made, lose, away, record, writable, links, running };
  const enclosure = enclosures({ argv: (view) => trial.argv(view, joined), writable, closed: options.sockets.closed });
  const runWith = (before: Seen, pass: RunPass = {}): SandboxRun => {
    const allowed = allowedWrites(pass.changes);
    const exceptions = repository.withDecoys(before.exceptions.filter(coveredFor(pass, allowed)));
    const told = repository.told(exceptions);
    const gitVariables = options.gitVariables([...told.settings, ...ownSettings]);
    const found = surroundings(exceptions, {
      options,
      writable,
      temporary,
      blank: (path) => blankFor(path, options.stateFolder),
      links: before.entries.filter(isCovering).map(({ path }) => path),
      hidden: [...stillThere(), ...hiddenOutside()],
      opened: [...(pass.network ? ["/etc/resolv.conf"] : []), ...told.files],
    });
    const view: SandboxView = { ...options.view(found, pass.network === true), ...(options.sockets.closed && { socketsClosed: true }) };
    const { view: text, ...enclosed } = enclosure(view);
    const proxy = view.network ? undefined : joined?.env();
    return {
      ...enclosed,
      offline: !view.network,
      proxied: proxy !== undefined,
      env: { ...gitVariables, ...proxy, ...temporaryVariables(tmpdirIn(view, temporary), { ...options, writable }) },
      mark: JSON.stringify([text, gitVariables, proxy, view.mounts.map(({ path }) => identityOf(path))]),
      ...movingAside(before, watched, { covers: coversOf(exceptions, watchedSecrets), allowed }),
    };
  };
  return {
    state,
    begin(pass) {
      if (!isActive()) return undefined;
      // removed meanwhile: a command must find it covered, and not be taken for its maker
      ifPossible(() => mkdirSync(temporary, { recursive: true, mode: 0o700 }));
      const found = before(watched.running.count === 0);
      return "refused" in found ? found : runWith(found, pass);
    },
    async stillWorks() {
      const found = isActive() ? await trial.again(joined) : undefined;
      if (found && found.kind !== "works") lose(found.why);
      return isActive();
    },
    prepareNext() {
      const found = isActive() ? last() : undefined;
      return found && runWith(found);
    },
    outside: () => ({ TMPDIR: temporary }),
    settle: (aside, answer) => settled(aside, answer, { record, links }),
    onNewRules: () => {
      writable.push(...foldersOf(options).filter((path) => !writable.includes(path))); // the person may have opened others
      renew();
      hiddenOutside = outsideFiles(options.rules().outside);
    },
    proxied: () => joined !== undefined,
    close: () => {
      joined?.close();
      file.write();
      repository.close();
      removeState(options.stateFolder, temporary);
    },
  };
}

/** What is lost stays so. */
function activeUntilLost(onLost: SandboxOptions["onLost"]) {
  let state: SandboxState = { kind: "active" };
  return {
    state: () => state,
    isActive: () => state.kind === "active",
    lose(why: string): undefined {
      if (state.kind !== "active") return;
      state = { kind: "lost", why };
      onLost(why);
    },
  };
}

const foldersOf = ({ directories }: Pick<SandboxOptions, "directories">) =>
  directories.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());

/** What a person has opened to this command is not covered. */
function coveredFor({ shown = [], others: mayChangeOthers }: RunPass, allowed: AllowedWrites) {
  return ({ path, others }: Seen["exceptions"][number]) => !shown.includes(path) && !allowed.has(path) && !(others && mayChangeOthers);
}

type Enclosing = { argv: (view: SandboxView) => string[]; writable: string[]; closed: boolean };
type Enclosure = Pick<SandboxRun, "argv" | "check" | "seccomp" | "readOnly"> & { view: string };

function ofGit({ repository, cwd }: SandboxOptions): string[] {
  if (repository === "fixed") return [];
  return repository === "whole" ? gitFolders(cwd) : worktreeFolders(cwd, repository.branch);
}

/** What a command with this view is started with. Views hardly ever differ from one command to the next, and then it is the same. */
function enclosures({ argv, writable, closed }: Enclosing): (view: SandboxView) => Enclosure {
  const seccomp = systemCallFilter({ withoutUnixSockets: closed });
  let last: Enclosure | undefined;
  return (view) => {
    const here = process.platform === "linux" ? mountedHere(writable) : undefined;
    const text = JSON.stringify([view, here]);
    if (last?.view === text) return last;
    const check = here && { check: mountCheck(view, writable, here) };
    const readOnly = !view.mounts.some(({ kind }) => kind === "writable");
    last = { view: text, argv: argv(view), readOnly, ...check, ...(seccomp && { seccomp }) };
    return last;
  };
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

type Settling = { record: CommandRecord; links: KeptLinks };

function settled(aside: PutAside, { verdict, shown }: Answer, { record, links: { memory, file } }: Settling): MayStay {
  const link = verdict.allowed ? undefined : memory.waiting.get(aside.path);
  memory.waiting.delete(aside.path);
  try {
    // what it said before has stood in for it
    if (verdict.allowed && memory.restored.get(aside.path) === identityOf(aside.path)) rmSync(aside.path, { force: true });
    if (verdict.allowed) putBack(aside, shown);
    if (verdict.allowed) forget(aside.path, memory);
    if (link) putBackCovering([link], memory);
    return verdict;
  } catch (error) {
    return { allowed: false, reason: `It could not be moved back: ${errorText(error)}.` };
  } finally {
    record.settled(aside);
    file.write();
  }
}
