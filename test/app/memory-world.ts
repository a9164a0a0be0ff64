// A world in memory: files, claims, processes and time are simulated, and printed text is recorded. Ports that a test does not provide
// throw when used, so that nothing reaches the machine by accident.
import type { Clock } from "../../src/agent/ports/clock.ts";
import type { Edges, World } from "../../src/app/world.ts";
import type { Holder, Lock, PatientDisk, ProcessIdentity, Watch } from "../../src/board/disk.ts";
import type { ProcessTable } from "../../src/team/member-process.ts";

type MemoryDisk = PatientDisk & {
  files: Map<string, string>;
  folders: Set<string>;
  /** The names of all files, sorted. */
  names(): string[];
};

/** Writes take effect at once. `refuse` throws for a path that must not be written. */
function memoryDisk(given: Record<string, string> = {}, refuse: (path: string) => void = () => {}): MemoryDisk {
  const files = new Map(Object.entries(given));
  const folders = new Set<string>();
  const written = new Map<string, number>();
  let writes = 0;
  const isFolder = (path: string) => folders.has(path) || [...files.keys()].some((file) => file.startsWith(`${path}/`));
  const put = (path: string, text: string) => {
    refuse(path);
    files.set(path, text);
    written.set(path, ++writes);
  };
  const disk: MemoryDisk = {
    files,
    folders,
    names: () => [...files.keys()].toSorted(),
    read(path) {
      const text = files.get(path);
      return text === undefined ? undefined : Buffer.from(text);
    },
    replace: put,
    append: (path, text) => put(path, (files.get(path) ?? "") + text),
    publish(_temporary, path, text) {
      if (files.has(path)) return false;
      put(path, text);
      return true;
    },
    move(from, to) {
      const moved = [...files.keys()].filter((file) => file === from || file.startsWith(`${from}/`));
      for (const file of moved) {
        put(to + file.slice(from.length), files.get(file) ?? "");
        files.delete(file);
      }
      const isThere = folders.delete(from);
      if (isThere) folders.add(to);
      return moved.length > 0 || isThere;
    },
    list(folder) {
      if (files.has(folder)) throw Object.assign(new Error(`ENOTDIR: not a directory, scandir '${folder}'`), { code: "ENOTDIR" });
      const below = [...files.keys(), ...folders].filter((path) => path.startsWith(`${folder}/`));
      return [...new Set(below.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))].toSorted();
    },
    makeFolder(path) {
      refuse(path);
      for (let at = path; at.length > 1; at = at.slice(0, at.lastIndexOf("/"))) folders.add(at);
    },
    remove: (path) => void files.delete(path),
    removeEmptyFolder: (path) => void folders.delete(path),
    readFrom(path, offset) {
      const bytes = Buffer.from(files.get(path) ?? "");
      return { bytes: bytes.subarray(offset), size: bytes.length };
    },
    size: (path) => (files.has(path) ? Buffer.byteLength(files.get(path) ?? "") : isFolder(path) ? 0 : undefined),
    changedAt: (path) => (files.has(path) || isFolder(path) ? new Date(written.get(path) ?? 0) : undefined),
    get now() {
      return disk;
    },
    untilDone: async (attempt) => attempt(),
    written: async () => {},
    hurry() {},
    unwritten: () => 0,
    refusal: () => ({ words: "the disk is full", advice: "Make room there" }),
  };
  return disk;
}

type MemoryLock = Lock & { held: Map<string, Holder> };

/** Claims by folder. This process claims as `pid`. */
function memoryLock(pid: number): MemoryLock {
  const held = new Map<string, Holder>();
  return {
    held,
    withLock: async (_folder, work) => work(),
    claimForLife(folder) {
      const holder = held.get(folder);
      if (holder) return { ok: false, holder };
      held.set(folder, { kind: "alive", pid });
      return { ok: true, release: () => void held.delete(folder) };
    },
    holder: (folder) => held.get(folder),
  };
}

/** A sleep of up to ten seconds returns at once and moves the clock by its length; a longer one ends with `advance` or its signal. */
function memoryClock(at = "2026-01-02T03:04:05.000Z"): Clock & { advance(ms: number): void } {
  let ms = 0;
  const sleeping = new Set<{ until: number; wake: () => void }>();
  return {
    now: () => new Date(Date.parse(at) + ms),
    monotonicMs: () => ms,
    async sleep(forMs, signal) {
      if (signal?.aborted) return;
      if (forMs <= 10_000) {
        ms += forMs;
        return;
      }
      await new Promise<void>((resolve) => {
        sleeping.add({ until: ms + forMs, wake: resolve });
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    },
    random: () => 0.5,
    advance(byMs) {
      ms += byMs;
      for (const sleeper of sleeping) if (sleeper.until <= ms) sleeper.wake();
    },
  };
}

const identity = (pid: number): ProcessIdentity => ({ machine: "m", boot: "b", namespace: "n", pid, start: "1" });

/** Living processes by pid. */
export function memoryProcesses(pid: number, living: number[] = []): ProcessTable & { self(): ProcessIdentity; signalled: number[] } {
  const signalled: number[] = [];
  return {
    signalled,
    self: () => identity(pid),
    find: (wanted) => (wanted === pid || living.includes(wanted) ? { pid: wanted, start: "1", stopped: false } : undefined),
    marked: () => [],
    signal: (process) => void signalled.push(process.pid),
    isAlive: (process) => process.pid === pid || living.includes(process.pid),
    signalGroup: (process) => void signalled.push(process.pid),
    sweep: async () => {},
  };
}

const ownPid = 42;

type MemoryWorld = {
  world: World;
  disk: MemoryDisk;
  lock: MemoryLock;
  clock: ReturnType<typeof memoryClock>;
  /** What was printed to each stream. */
  out: () => string;
  err: () => string;
  /** Sends a signal to the program. False if nothing listens. */
  signal(name?: "SIGINT" | "SIGTERM" | "SIGHUP"): boolean;
  /** Reports a change of a watched file. */
  change(): void;
  /** How many listeners for signals and file watches are still registered. */
  listening: () => number;
};

export type MemoryWorldSetup = {
  files?: Record<string, string>;
  env?: Record<string, string>;
  cwd?: string;
  /** The text on standard input; absent: standard input is a terminal. */
  stdin?: string;
  isTTY?: boolean;
  living?: number[];
  refuse?: (path: string) => void;
  edges?: Partial<Edges>;
};

/** A world whose working directory is /repo and whose configuration is in /home/me/.tool. */
export function memoryWorld({
  files,
  env = {},
  cwd = "/repo",
  stdin,
  isTTY = false,
  living,
  refuse,
  edges,
}: MemoryWorldSetup = {}): MemoryWorld {
  const disk = memoryDisk(files, refuse);
  const lock = memoryLock(ownPid);
  const clock = memoryClock();
  const printed = { out: "", err: "" };
  const listeners = new Set<(signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void>();
  const watching = new Set<() => void>();
  const output = (name: "out" | "err") => ({
    write: (text: string) => {
      printed[name] += text;
    },
    drained: async () => "open" as const,
    isTTY,
    columns: 100,
  });
  const watch: Watch = {
    watch(_folders, onChange) {
      watching.add(onChange);
      return () => void watching.delete(onChange);
    },
  };
  const known: Partial<Edges> = {
    disk: async () => disk,
    patientDisk: async () => disk,
    lock: async () => lock,
    clock: async () => clock,
    watch: async () => watch,
    processes: async () => memoryProcesses(ownPid, living),
    realPath: async () => async (path) => path,
    terminal: async () => null,
    modelProblem: async () => undefined,
    programPlaces: async () => () => "elsewhere",
    hasOwnTmp: () => true,
    searches: async () => ({ ripgrep: async () => undefined, tracked: async () => undefined }),
    outliers: async () => () => ({ sensitive: [], links: [], packages: () => undefined }),
    keptByGit: async () => async () => false,
    sandboxTrial: async () => ({ kind: "works" }),
    beyondSandbox: async () => undefined,
    definitions: async () => ({ frontMatter: async () => ({}) as never, below: () => [], inFolders: () => [], at: () => undefined }),
    outputs: async (folder) => ({ folder, begin: () => undefined }),
    idleMemory: async () => ({ busy: () => {}, idle: () => {} }),
    runHook: async () => async () => ({ kind: "exited", code: 0, stdout: "", stderr: "", isCut: false }),
    programFault: async () => () => undefined,
    removeFolder: async (path) => {
      for (const file of disk.files.keys()) if (file.startsWith(`${path}/`)) disk.files.delete(file);
      for (const folder of disk.folders) if (folder === path || folder.startsWith(`${path}/`)) disk.folders.delete(folder);
    },
    ownPane: async () => undefined,
    closeOwnPane: async () => {},
    privateServers: async () => ({ look: async () => ({ kind: "none" }), end: async () => {} }),
    ...edges,
  };
  let ids = 0;
  const world: World = {
    argv: [],
    env,
    cwd,
    configDir: "/home/me/.tool",
    home: "/home/me",
    managedSettings: [],
    packageDir: "/package",
    keepCompiled: () => {},
    version: "1.2.3",
    theme: "auto",
    command: "tool",
    cores: 4,
    self: ["/node", "/package/bin/tool.js"],
    stdin: { ...chunks(stdin), isTTY: stdin === undefined && isTTY },
    stdout: output("out"),
    stderr: output("err"),
    onSignal(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    uniqueId: () => `${String(++ids).padStart(4, "0")}0000-0000`,
    edges: new Proxy(known as Edges, {
      get(target, name) {
        const edge = target[name as keyof Edges];
        if (edge === undefined) throw new Error(`The test gives no edge "${String(name)}"`);
        return edge;
      },
    }),
  };
  return {
    world,
    disk,
    lock,
    clock,
    out: () => printed.out,
    err: () => printed.err,
    signal(name = "SIGTERM") {
      for (const listener of listeners) listener(name);
      return listeners.size > 0;
    },
    change() {
      for (const onChange of watching) onChange();
    },
    listening: () => listeners.size + watching.size,
  };
}

function chunks(text: string | undefined): AsyncIterable<Buffer> {
  return {
    async *[Symbol.asyncIterator]() {
      if (text !== undefined) yield Buffer.from(text);
    },
  };
}

/** The message of the error with which the promise rejects; the test fails if it resolves. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const done = await work.then(
    (value: unknown) => ({ value }),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (typeof done !== "string") throw new Error(`It was not refused: ${JSON.stringify(done.value)}`);
  return done;
}
