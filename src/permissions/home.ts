// A home directory as working directory: what programs run when they start, and what they are told by, mostly lies there by names of its own.
import { within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/** Whether the home, or what it lies in, is worked in. */
export const isHome = ({ cwd, home }: Pick<Policy, "cwd" | "home">): boolean => within(cwd, home);

export const homeNotice =
  "You work in your home directory. It holds many files that programs run or read as settings, and few of them are protected by name, so no rules with wildcards are offered. Start in the folder of a project.";
