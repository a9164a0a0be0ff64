// What commands may take away, on the disk: another process knows by it what to cover meanwhile, and a later one what a killed one had left.
// Each process has a file of its own, which is there while a command runs in a tree with such links, and as long as one of them is gone.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Interrupted } from "../../../../agent/workspace/interrupted-commands.ts";
import { sweepTemporaryNames, withTemporaryName, writeNew } from "../../../disk/durable.ts";
import { processes } from "../../../processes/processes.ts";
import { ifPossible } from "../../../system-error.ts";
import { isBelow } from "../closed-folders.ts";
import { linksFolder } from "../state-folder.ts";
import type { Found } from "../tree.ts";
import { isIn, putBackCovering, putBackLinks } from "./coming-back.ts";
import { isAway, ledBy } from "./led-to.ts";
import { keyOf, type Led, type LinkMemory, nameOf, type Taken } from "./link-memory.ts";

const visibility = z.enum(["normal", "readOnly", "hidden"]);
const link = z.object({ path: z.string(), text: z.string() });
const led = z.object({
  path: z.string(),
  kind: z.enum(["file", "folder", "link"]),
  end: z.string().optional(),
  through: z.object({ path: z.string(), links: z.array(z.string()) }).optional(),
});
const fileSchema = z.object({
  process: z.object({ machine: z.string(), boot: z.string(), namespace: z.string(), pid: z.number(), start: z.string() }),
  led: z.array(led),
  links: z.array(link.extend({ end: z.string().optional(), mark: z.string(), visibility })),
  settings: z.array(link),
});

export type TakenFile = {
  /** Before a command; returns a function to call when it has ended. */
  begin(entries: Found[], back: Pick<Taken, "links" | "settings">): () => void;
  /** What is covered because of commands of other processes, if that may have changed. */
  elsewhere(): Led[];
  /** After an answer or at the end, when `memory` has changed. */
  write(): void;
};

export function takenFile(stateFolder: string, memory: LinkMemory): TakenFile {
  const sandboxes = dirname(stateFolder);
  const write = () => writeTaken(sandboxes, memory);
  const settle = () => {
    ifPossible(write);
  };
  return {
    begin(entries, back) {
      const taken: Taken = { led: ledBy(notNamed(entries), memory), ...back };
      memory.running.add(taken);
      try {
        write();
      } catch (error) {
        memory.running.delete(taken); // the command does not run
        throw error;
      }
      return () => {
        memory.running.delete(taken);
        for (const each of taken.led) if (isAway(each)) memory.gone.set(keyOf(each), each);
        settle(); // the command ran: an error here must not pass for its failure
      };
    },
    elsewhere() {
      const stats = statSync(linksFolder(sandboxes), { bigint: true, throwIfNoEntry: false });
      const stamp = String(stats?.mtimeNs ?? "");
      if (stamp === memory.file.read) return [];
      // A change within the same clock tick of the file system would not be visible.
      memory.file.read = stats && Number(stats.mtimeNs / 1_000_000n) < Date.now() - 1000 ? stamp : "";
      return filesIn(sandboxes).flatMap(({ name, taken }) => (name === nameOfOwn(memory) ? [] : taken.led));
    },
    write: settle,
  };
}

/** Without what is protected by its own name, wherever a link leads. */
function notNamed(entries: Found[]): Found[] {
  const named = new Set(
    entries.flatMap(({ path, kind, through, visibility: is }) => (kind !== "link" && !through && is !== "normal" ? path : [])),
  );
  return entries.filter(({ end, visibility: is }) => is !== "readOnly" || end === undefined || !isIn(named, end));
}

const nameOfOwn = ({ file }: LinkMemory) => `${file.id}.json`;

/** In one step, and only if it says something else. Not synced: it protects against the end of a process, not of the machine. */
function writeTaken(sandboxes: string, memory: LinkMemory): void {
  for (const [key, each] of memory.gone) if (!isAway(each)) memory.gone.delete(key);
  const running = [...memory.running];
  const taken: Taken = {
    led: unique([...running.flatMap((each) => each.led), ...memory.gone.values()], keyOf),
    links: unique([...running.flatMap(({ links }) => links), ...memory.waiting.values()], ({ path }) => path),
    settings: unique(
      running.flatMap(({ settings }) => settings),
      ({ path }) => path,
    ),
  };
  const text = Object.values(taken).every(({ length }) => length === 0) ? "" : JSON.stringify({ process: processes().self(), ...taken });
  if (text === memory.file.written) return;
  const path = join(linksFolder(sandboxes), nameOfOwn(memory));
  if (text === "") rmSync(path, { force: true });
  else {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    withTemporaryName(temporaryIn(sandboxes), (temporary) => {
      writeNew(temporary, text, { durable: false });
      renameSync(temporary, path);
    });
  }
  memory.file.written = text;
}

/** Of several concurrent commands the first counts: it found what the others may have taken away by now. */
function unique<T>(all: T[], keyIn: (one: T) => string): T[] {
  const first = new Map<string, T>();
  for (const one of all) if (!first.has(keyIn(one))) first.set(keyIn(one), one);
  return [...first.values()];
}

const temporaryIn = (sandboxes: string) => join(linksFolder(sandboxes), "taken");

/** What cannot be read is of another version. */
function filesIn(sandboxes: string) {
  const folder = linksFolder(sandboxes);
  const names = (ifPossible(() => readdirSync(folder)) ?? []).filter((name) => name.endsWith(".json"));
  return names.flatMap((name) => {
    const read = fileSchema.safeParse(ifPossible(() => JSON.parse(readFileSync(join(folder, name), "utf8"))));
    return read.success ? [{ name, process: read.data.process, taken: read.data as Taken }] : [];
  });
}

export type TakenBefore = {
  /** Puts back what it can; `away` moves what is in the place of links on the way to settings. True if one is back. */
  comeBack(away?: (path: string) => unknown): boolean;
  /** The rest belongs to this process from now on. Returns what came back, and what links lead to that did not. */
  takeOver(): Pick<Interrupted, "back" | "away">;
};

/** What commands of processes that have ended had taken away in one of these folders. */
export function takenBefore(sandboxes: string, writable: string[], memory: LinkMemory): TakenBefore {
  const table = processes();
  const isHere = ({ led: ends, links, settings }: Taken) =>
    [...ends.map(nameOf), ...[...links, ...settings].map(({ path }) => path)].some((path) => isBelow(path, writable));
  const left = filesIn(sandboxes).filter(({ process, taken }) => table.liveness(process).kind === "gone" && isHere(taken));
  const back: string[] = [];
  return {
    comeBack(away) {
      const settings = away
        ? putBackLinks(
            left.flatMap(({ taken }) => taken.settings),
            away,
          )
        : [];
      const paths = [
        ...settings,
        ...putBackCovering(
          left.flatMap(({ taken }) => taken.links),
          memory,
        ),
      ];
      back.push(...paths);
      return paths.length > 0;
    },
    takeOver() {
      const away = left.flatMap(({ taken }) => taken.led).filter(isAway);
      for (const each of away) for (const known of [memory.gone, memory.seen]) known.set(keyOf(each), each);
      if (left.length > 0) {
        writeTaken(sandboxes, memory);
        for (const { name } of left) rmSync(join(linksFolder(sandboxes), name), { force: true });
        sweepTemporaryNames(temporaryIn(sandboxes));
      }
      return {
        back,
        away: unique(
          away.map(({ path, end = path, through }) => ({
            link: through?.links[0] ?? path,
            place: through ? path : end,
            record: linksFolder(sandboxes),
          })),
          ({ link: at }) => at,
        ),
      };
    },
  };
}
