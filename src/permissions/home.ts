// A home directory as working directory: many of its files run at the start of programs or configure them, under names of their own.
import { within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

/** Whether the working directory is the home or contains it. */
export const isHome = ({ cwd, home }: Pick<Policy, "cwd" | "home">): boolean => within(cwd, home);

export const homeNotice =
  "You work in your home directory. It holds many files that programs run or read as settings, and few of them are protected by name, so no rules with wildcards are offered. Start in the folder of a project.";
