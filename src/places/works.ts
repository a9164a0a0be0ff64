// What hands have below their place's folder while they work, and how others tell that nobody works there any more.
import { liveOnMs } from "./link-life.ts";

/** `isRunning`: whether the process that marked it lives; undefined if that is not seen from here. `ageMs`: since it was touched, every minute. */
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
