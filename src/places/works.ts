// What hands have below their place's folder while they work, and how others tell that nobody works there any more.
import { liveOnMs } from "./link-life.ts";

/** Written by the hands at their beginning, and touched every minute. */
export type WorkMark = { host: string; pid: number };

/** `isRunning`: whether the marked process is alive; undefined if it is, or was, another machine's. `ageMs`: since it was touched. */
export type FoundWork = { name: string; isRunning: boolean | undefined; ageMs: number };

/** Longer than hands live without a link: several machines may share the folder, and none sees the others' processes. */
const deadAfterMs = 2 * liveOnMs;

export const isDead = ({ isRunning, ageMs }: FoundWork): boolean => isRunning === false || ageMs > deadAfterMs;

/** `name`: of the work; it begins with the key of its repository. */
export type Works = {
  /** Says that this process works there; returns a function that says that it has ended. */
  begin(name: string): () => void;
  look(): FoundWork[];
  /** Programs of other versions, which only living hands need. Returns how many were removed. */
  removeOtherPrograms(own: string): number;
};

export const keyOf = (name: string) => name.slice(0, name.indexOf("-"));
