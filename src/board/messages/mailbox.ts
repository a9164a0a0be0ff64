// An agent's mailbox: new/ → cur/ (shown to the agent) → done/ (in its transcript). Every step is a rename, so a message is always in exactly one
// place.

import { errorCode } from "../../wording/error-text.ts";
import type { BoardDisk } from "../disk.ts";
import { firstProblem } from "../json-file.ts";
import { type Message, messageSchema } from "./message.ts";

export interface Mailbox {
  /** The waiting messages, in order. Moves nothing. */
  peek(): Message[];
  /** The waiting messages, in order, and marks them as shown. Messages that `wanted` rejects keep waiting. */
  take(wanted?: (message: Message) => boolean): Message[];
  /** Shown but not acknowledged, in order: an earlier process may not have got them into its transcript. Moves nothing. */
  unacknowledged(): Message[];
  /**
   * Marks messages as safe in the transcript. Unknown ids are ignored. Returns the ids that could not be moved at the moment; call again with them.
   */
  acknowledge(ids: string[]): string[];
  /** Whether there is a file with that id, acknowledged or not, readable or not. */
  knows(id: string): boolean;
}

/** `onUnreadable` is called once for each file that is not a message, after the file was moved to bad/. */
export type Unreadable = { file: string; reason: string };

type Place = "new" | "cur";
type Entry = { name: string; message: Message };

export function openMailbox(disk: BoardDisk, folder: string, onUnreadable: (found: Unreadable) => void): Mailbox {
  const entries = (place: Place, unreadable: (name: string, reason: string) => void = () => {}): Entry[] =>
    (laterIfRefused(() => disk.list(`${folder}/${place}`)) ?? []).flatMap((name) => {
      const read = readMessage(disk, `${folder}/${place}/${name}`);
      if (read.kind === "unreadable") unreadable(name, read.reason);
      return read.kind === "message" ? { name, message: read.message } : [];
    });
  const setAside = (name: string, reason: string) => {
    const file = freeName(disk, `${folder}/bad/${name}`);
    disk.makeFolder(`${folder}/bad`);
    if (disk.move(`${folder}/new/${name}`, file)) onUnreadable({ file, reason });
  };
  const move = (from: Place, to: string, name: string) => disk.move(`${folder}/${from}/${name}`, `${folder}/${to}/${name}`);
  const has = (place: Place | "done", id: string) => disk.list(`${folder}/${place}`).includes(fileName(id));
  /** Finds the file by its name, which is made from the id; a file with another name is found by its content. */
  const acknowledge = (id: string): true => {
    for (const place of ["cur", "new"] as const) if (has(place, id) && move(place, "done", fileName(id))) return true;
    for (const place of ["cur", "new"] as const)
      for (const { name, message } of entries(place)) if (message.id === id) move(place, "done", name);
    return true;
  };

  return {
    peek: () => entries("new").map(({ message }) => message),
    take(wanted = () => true) {
      const found = entries("new", (name, reason) => laterIfRefused(() => setAside(name, reason)));
      const taken = found.filter(({ name, message }) => wanted(message) && laterIfRefused(() => move("new", "cur", name)));
      return taken.map(({ message }) => message);
    },
    unacknowledged: () => entries("cur").map(({ message }) => message),
    acknowledge: (ids) => ids.filter((id) => !laterIfRefused(() => acknowledge(id))),
    // Checked in the order in which a message moves, so that one that moves meanwhile is still found.
    knows: (id) => has("new", id) || has("cur", id) || has("done", id),
  };
}

/** A temporary system error says nothing about the message: it stays where it is and is read again next time. */
const passing = new Set(["EIO", "EMFILE", "ENFILE", "EACCES", "EPERM", "EAGAIN", "ENOMEM", "ENOSPC", "EDQUOT", "ESTALE", "ETIMEDOUT"]);

/** Undefined if the system refuses temporarily. */
function laterIfRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!isPassing(error)) throw error;
    return undefined;
  }
}

function isPassing(error: unknown): boolean {
  return passing.has(errorCode(error) ?? "");
}

/** Creates the folders of a mailbox. Existing ones are left as they are. The last one is synced, and with it those beside it. */
export function makeMailbox(disk: BoardDisk, folder: string): void {
  disk.makeFolder(folder);
  for (const place of ["tmp", "new", "cur", "done"]) disk.makeFolder(`${folder}/${place}`, { durable: false });
  disk.makeFolder(`${folder}/bad`);
}

/** Removes drafts of killed senders. Writing a message takes moments, so an old draft has no writer. */
export function sweepDrafts(disk: BoardDisk, folder: string, now: Date): void {
  for (const name of disk.list(`${folder}/tmp`)) {
    const written = disk.changedAt(`${folder}/tmp/${name}`);
    if (written && now.getTime() - written.getTime() > draftMs) laterIfRefused(() => disk.remove(`${folder}/tmp/${name}`));
  }
}

const draftMs = 10 * 60_000;

/** How much one member has sent here since then, read or not. The names of its messages say when: see sender.ts. */
export function sentSince(
  disk: Pick<BoardDisk, "list" | "size">,
  folder: string,
  { from, sinceMs }: { from: string; sinceMs: number },
): { messages: number; bytes: number } {
  const own = new RegExp(`^(\\d{13})-${from}-\\d{4,}-[^-]+\\.json$`);
  const paths = ["new", "cur", "done"].flatMap((place) =>
    disk.list(`${folder}/${place}`).flatMap((name) => (Number(own.exec(name)?.[1] ?? 0) > sinceMs ? `${folder}/${place}/${name}` : [])),
  );
  return { messages: paths.length, bytes: paths.reduce((sum, path) => sum + (disk.size(path) ?? 0), 0) };
}

/** The file name of a message comes from its id, and ids sort by time. */
export function fileName(id: string): string {
  return `${id}.json`;
}

/** `gone`: not here, or temporarily unreadable. */
type Read = { kind: "message"; message: Message } | { kind: "unreadable"; reason: string } | { kind: "gone" };

function readMessage(disk: BoardDisk, path: string): Read {
  try {
    const bytes = disk.read(path);
    if (!bytes) return { kind: "gone" };
    const parsed = messageSchema.safeParse(JSON.parse(bytes.toString("utf8")));
    if (parsed.success) return { kind: "message", message: parsed.data };
    return { kind: "unreadable", reason: firstProblem(parsed.error) };
  } catch (error) {
    return isPassing(error) ? { kind: "gone" } : { kind: "unreadable", reason: (error as Error).message };
  }
}

/** A file with the same name may have been set aside before. */
function freeName(disk: BoardDisk, path: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path}.${number}`;
    if (disk.size(free) === undefined) return free;
  }
}
