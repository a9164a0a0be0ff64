// An agent's mailbox: new/ → cur/ (shown to it) → done/ (its transcript has it). Every step is a rename, so a message is always in exactly one place.
import type { BoardDisk } from "./disk.ts";
import { type Message, messageSchema } from "./message.ts";

export interface Mailbox {
  /** What waits, in order. Nothing is moved. */
  peek(): Message[];
  /** What waits, in order, now marked as shown. `wanted` leaves the others waiting. */
  take(wanted?: (message: Message) => boolean): Message[];
  /** Shown but not acknowledged, in order: what a former process may not have got into its transcript. Nothing is moved. */
  unacknowledged(): Message[];
  /** These are safe now. Ids that are not there are passed over. Returns those that cannot be moved just now: ask again. */
  acknowledge(ids: string[]): string[];
  /** Whether a file of that id is here, acknowledged or not, readable just now or not. */
  knows(id: string): boolean;
}

/** `onUnreadable` is called once for each file that is no message; the file lies in bad/ by then. */
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
  /** By its name, which is made of its id, without reading it; a file of another name is found by what it says. */
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
    // In the order in which it moves, so that it is met wherever it is moved meanwhile.
    knows: (id) => has("new", id) || has("cur", id) || has("done", id),
  };
}

/** What the system refuses for a moment says nothing about the message: it stays where it is, and is met again at the next look. */
const passing = new Set(["EIO", "EMFILE", "ENFILE", "EACCES", "EPERM", "EAGAIN", "ENOMEM", "ENOSPC", "EDQUOT", "ESTALE", "ETIMEDOUT"]);

/** Undefined when the system refuses for now. */
function laterIfRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!isPassing(error)) throw error;
    return undefined;
  }
}

function isPassing(error: unknown): boolean {
  return passing.has((error as { code?: string }).code ?? "");
}

/** The folders of a mailbox. Harmless when they are there. */
export function makeMailbox(disk: BoardDisk, folder: string): void {
  for (const place of ["tmp", "new", "cur", "done", "bad"]) disk.makeFolder(`${folder}/${place}`);
}

/** What was being written when its sender was killed: a message takes moments, so an old one is nobody's any more. */
export function sweepDrafts(disk: BoardDisk, folder: string, now: Date): void {
  for (const name of disk.list(`${folder}/tmp`)) {
    const written = disk.changedAt(`${folder}/tmp/${name}`);
    if (written && now.getTime() - written.getTime() > draftMs) laterIfRefused(() => disk.remove(`${folder}/tmp/${name}`));
  }
}

const draftMs = 10 * 60_000;

/** A message's file is named after its id, and ids sort by time. */
export function fileName(id: string): string {
  return `${id}.json`;
}

/** `gone`: from here, or out of reach just now. */
type Read = { kind: "message"; message: Message } | { kind: "unreadable"; reason: string } | { kind: "gone" };

function readMessage(disk: BoardDisk, path: string): Read {
  try {
    const bytes = disk.read(path);
    if (!bytes) return { kind: "gone" };
    const parsed = messageSchema.safeParse(JSON.parse(bytes.toString("utf8")));
    if (parsed.success) return { kind: "message", message: parsed.data };
    const [issue] = parsed.error.issues;
    return { kind: "unreadable", reason: [issue?.path.join("."), issue?.message].filter(Boolean).join(": ") };
  } catch (error) {
    return isPassing(error) ? { kind: "gone" } : { kind: "unreadable", reason: (error as Error).message };
  }
}

/** A file of that name may have been set aside before. */
function freeName(disk: BoardDisk, path: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path}.${number}`;
    if (disk.size(free) === undefined) return free;
  }
}
