// A home directory as working directory: what programs run when they start, and what they are told by, mostly lies there by names of its own.
import { within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/** Whether the home, or what it lies in, is worked in. */
export const isHome = ({ cwd, home }: Pick<Policy, "cwd" | "home">): boolean => within(cwd, home);

export const homeNotice =
  "You work in your home directory. Most files that programs run or are set up by lie there, and few of them are protected by name: no rule with a wildcard is offered. Start in the folder of a project.";
