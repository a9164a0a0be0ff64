// The person's work that git does not have: copied before commands run, compared after each of them. What a command has changed of it is recorded
// as an edit would be, so that a rewind restores it.
import { dirname, join } from "node:path";
import { diskErrorWords, errorCode, errorText } from "../../wording/error-text.ts";
import type { KeptCommits } from "./kept-commits.ts";
import { type KeptCopies, openKeptCopies } from "./kept-copies.ts";
import { type ChangesSetup, type Counted, unsavedChanges } from "./unsaved-changes.ts";
import { type LookSetup, type UnsavedLook, unsavedLook } from "./unsaved-look.ts";
import { changedWords, disguisedWords, failedWords, progressWords, type WorkChange } from "./unsaved-words.ts";

export type UnsavedWork = {
  /** A command may come: looks and copies meanwhile, if that is due. */
  foresee(): void;
  /** Resolves once everything is kept that the command could change; undefined if its signal aborts first. Never rejects. */
  before(command: WaitingCommand): Promise<RunningCommand | undefined>;
  /** The same of a command in another tree of the repository: of its commits alone. */
  beside(command: CommandBeside): Promise<RunningCommand>;
  /** Resolves once everything is kept, before the person's list of what git ignores changes. Never rejects. */
  looked(): Promise<void>;
  /** Records what commands of a killed process had changed. Returns what the person has to know of it. */
  settleInterrupted(): Promise<string[]>;
  /** Ends a look that goes on. */
  close(): void;
};

/**
 * `progress`: shows what it waits for. `isBackground`: the person may work on beside it. `isGitAlone`: what it makes of the references of other
 * machines is what git has heard from them.
 */
export type WaitingCommand = { signal: AbortSignal; progress: (text: string) => void; isBackground: () => boolean; isGitAlone: boolean };

export type CommandBeside = Pick<WaitingCommand, "signal" | "isGitAlone">;

export type RunningCommand = {
  /** To be called once, after its end. Returns what the person has to know. Never rejects. */
  ended(): Promise<string[]>;
};

export type UnsavedSetup = Omit<LookSetup, "copies" | "say" | "progress"> &
  Pick<ChangesSetup, "read"> & {
    keptCommits: KeptCommits;
    /** Several agents change files of this tree, and none can rewind: only what is lost counts, and is put aside. */
    inTeam: boolean;
    now(): Date;
    timeLimit(ms: number): AbortSignal;
  };

/** A look counts as new for so long, and for many times as long as it took. */
const freshMs = 60_000;
const freshTimes = 20;
/** Who waits for less is not told for what. */
const patienceMs = 500;
/** How long one word of progress stays. */
const betweenMs = 250;
/** The clock of a file system may be a tick behind. */
const tickMs = 20;
/** As long as a command in the foreground may take. */
const longestMs = 600_000;
const mostSpans = 500;
/** For git's answer which files are as the last commit has them. */
const longestLookMs = 10_000;

export function unsavedWork(setup: UnsavedSetup): UnsavedWork {
  const copies = openKeptCopies(setup.versions);
  const news = untoldNews();
  const turns = inTurn((error) => news.say(failedWords(diskErrorWords(errorCode(error)) ?? errorText(error))));
  const waiting = new Set<WaitingCommand>();
  const commands = runningCommands(() => setup.now().getTime());
  let shownMs = 0;
  const progress = (text: string) => {
    if (setup.monotonicMs() - shownMs < betweenMs) return;
    shownMs = setup.monotonicMs();
    for (const command of waiting) command.progress(text);
  };
  const look = unsavedLook({ ...setup, copies, say: news.say, progress });
  const committed = (paths: readonly string[]) => look.committed(paths, setup.timeLimit(longestLookMs));
  const record = async (counted: Counted) => {
    const text = await recorded(counted, { ...setup, copies, committed, ranAt: commands.ranAt });
    if (text !== undefined) news.sayAgain(text);
  };
  const sayLost = (isGitAlone: boolean) => sayWhatGitLost(isGitAlone && commands.count() === 1, { ...setup, look, news });
  const looks = repeatedLooks(setup, async (signal) => {
    if (commands.areThere()) await record(commands.counted());
    await look.whole(signal);
  });
  setup.files.sweep(copies.pathOf(""));

  return {
    foresee() {
      if (looks.isDue()) void turns(looks.ifDue);
    },
    async before(command) {
      const slow = setup.timeLimit(patienceMs);
      const tell = () => {
        waiting.add(command);
        command.progress(progressWords.looking);
      };
      slow.addEventListener("abort", tell, { once: true });
      const keep = async () => {
        const commits = setup.keptCommits.keep(command.signal, commands.count() > 0);
        await looks.untilDone(command.signal);
        await look.own(looks.signal());
        for (const text of await commits) news.say(text);
      };
      const isKept = await unlessAborted(turns(keep), command.signal);
      slow.removeEventListener("abort", tell);
      waiting.delete(command);
      if (!isKept) {
        looks.stop();
        return undefined;
      }
      const ends = commands.begins(command.isBackground);
      const isMarked = copies.now().size > 0 || setup.keptCommits.areKept();
      if (isMarked) await turns(async () => copies.begins(setup.now().toISOString(), "here"));
      return {
        async ended() {
          const isOver = ends();
          await turns(() => record(commands.counted()));
          await turns(() => sayLost(command.isGitAlone));
          isOver();
          if (isMarked) await turns(async () => copies.ends("here"));
          return news.take();
        },
      };
    },
    beside: (command) => commitsBeside(command, { ...setup, copies, turns, commands }),
    looked: () => turns(() => looks.untilDone()),
    async settleInterrupted() {
      const interrupted = copies.interrupted();
      const { since } = interrupted ?? {};
      if (since !== undefined) await turns(() => record({ until: Date.parse(since) + longestMs }));
      if (interrupted) {
        await turns(() => sayLost(false));
        await turns(async () => copies.settled());
      }
      return news.take();
    },
    close: looks.close,
  };
}

/** Records what has changed. Returns what the person has to know of it. */
async function recorded(counted: Counted, setup: Recording): Promise<string | undefined> {
  const { inTeam, shown } = setup;
  let folder: string | undefined;
  const changes = await unsavedChanges(inTeam ? "lost" : counted, {
    ...setup,
    ranAt: inTeam ? () => false : setup.ranAt, // not every change is known there, and what is touched may be the person's still
    async putAside(persons) {
      if (inTeam && persons.length > 0) folder = await putAside(persons, setup);
    },
  });
  const persons = changes.filter(({ isOwn }) => !isOwn);
  return persons.length === 0 ? undefined : changedWords(persons, shown, folder);
}

type Recording = UnsavedSetup & Omit<ChangesSetup, "putAside">;

/** Puts copies of the files, as they were, into a folder of their own. Returns where they are. */
async function putAside(changes: readonly WorkChange[], { versions, copies, files, shown }: Recording): Promise<string> {
  const { disk, folder } = versions;
  const lost = `${folder}/lost`;
  const own = `${lost}/${Math.max(0, ...disk.list(lost).map(Number)) + 1}`;
  for (const { path, copy } of changes) {
    const [from, to] = [copies.pathOf(copy), join(own, shown(path))];
    const seen = files.see(from);
    disk.makeFolder(dirname(to));
    if (seen && (await files.copy(from, seen, to)).kind !== "copied") return copies.pathOf("");
  }
  return own;
}

/** Looks as often as the person's messages and the time ask for it. */
function repeatedLooks({ versions, monotonicMs }: UnsavedSetup, look: (signal: AbortSignal) => Promise<void>) {
  let looked: { atMs: number; tookMs: number; line: string } | undefined;
  let stop = new AbortController();
  let isClosed = false;
  const isDue = () => looked?.line !== versions.line() || monotonicMs() - looked.atMs >= Math.max(freshMs, freshTimes * looked.tookMs);
  const ifDue = async () => {
    const [{ signal }, line, atMs] = [stop, versions.line(), monotonicMs()];
    if (!isDue() || isClosed) return;
    await look(signal);
    if (!signal.aborted) looked = { atMs, tookMs: monotonicMs() - atMs, line };
  };
  return {
    isDue,
    ifDue,
    signal: () => stop.signal,
    /** A look that others have stopped is repeated for a command that still waits. */
    async untilDone(waits?: AbortSignal) {
      do await ifDue();
      while (isDue() && !waits?.aborted && !isClosed);
    },
    stop() {
      stop.abort();
      stop = new AbortController();
    },
    close() {
      isClosed = true;
      stop.abort();
    },
  };
}

/** Which commands run, and when those in the foreground ran. */
function runningCommands(nowMs: () => number) {
  const running = new Set<{ fromMs: number; isBackground: () => boolean }>();
  const spans: { fromMs: number; toMs: number }[] = [];
  let beside = 0;
  return {
    areThere: () => running.size > 0,
    /** With those in other trees of the repository. */
    count: () => running.size + beside,
    beginsBeside() {
      beside++;
      return () => void beside--;
    },
    /** Beside what runs long in the background, the person may have changed files themselves. */
    counted: (): Counted => ([...running].some((run) => run.isBackground() && nowMs() - run.fromMs > freshMs) ? "lost" : "all"),
    ranAt: (ms: number) => spans.some(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs),
    /** The returned function is called at its end, and the one that this returns when it is known what it did. */
    begins(isBackground: () => boolean): () => () => void {
      const run = { fromMs: nowMs(), isBackground };
      running.add(run);
      return () => {
        const toMs = nowMs();
        return () => {
          running.delete(run);
          if (!isBackground()) spans.push({ fromMs: run.fromMs - tickMs, toMs });
          if (spans.length > mostSpans) spans.shift();
        };
      };
    },
  };
}

/** What the person is to be told with the next chance. */
function untoldNews() {
  const told = new Set<string>();
  const untold: string[] = [];
  return {
    say(text: string) {
      if (!told.has(text)) untold.push(text);
      told.add(text);
    },
    sayAgain: (text: string) => void untold.push(text),
    take: () => untold.splice(0),
  };
}

type Saying = Pick<UnsavedSetup, "keptCommits" | "shown" | "timeLimit"> & { look: UnsavedLook; news: ReturnType<typeof untoldNews> };

/** After a command: commits that it took the name from, and files that it has had git take for unchanged. */
async function sayWhatGitLost(isFetch: boolean, { keptCommits, shown, timeLimit, look, news }: Saying): Promise<void> {
  for (const text of await keptCommits.lost(isFetch)) news.sayAgain(text);
  const disguised = await look.disguised(timeLimit(longestLookMs));
  if (disguised.size > 0) news.say(disguisedWords([...disguised], shown));
}

type Beside = Pick<UnsavedSetup, "keptCommits" | "now"> & {
  copies: KeptCopies;
  turns: ReturnType<typeof inTurn>;
  commands: ReturnType<typeof runningCommands>;
};

async function commitsBeside(
  { signal, isGitAlone }: CommandBeside,
  { keptCommits, now, copies, turns, commands }: Beside,
): Promise<RunningCommand> {
  const texts: string[] = [];
  const keep = async () => void texts.push(...(await keptCommits.keep(signal, commands.count() > 0)));
  await unlessAborted(turns(keep), signal);
  const ends = commands.beginsBeside();
  const isMarked = keptCommits.areKept();
  if (isMarked) await turns(async () => copies.begins(now().toISOString(), "beside"));
  return {
    async ended() {
      await turns(async () => void texts.push(...(await keptCommits.lost(isGitAlone && commands.count() === 1))));
      ends();
      if (isMarked) await turns(async () => copies.ends("beside"));
      return texts;
    },
  };
}

/** One after the other, since they share what is kept. Never rejects. */
function inTurn(onError: (error: unknown) => void): (work: () => Promise<unknown>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    last = last.then(work).then(() => {}, onError);
    return last;
  };
}

/** Whether the work is done before the signal aborts. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const stopped = () => resolve(false);
    if (signal.aborted) stopped();
    signal.addEventListener("abort", stopped, { once: true });
    void work.then(() => {
      signal.removeEventListener("abort", stopped);
      resolve(!signal.aborted);
    });
  });
}
