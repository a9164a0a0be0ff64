// A path as a call gives it: `~` is the person's home.
import { resolve } from "node:path";
import type { Policy } from "../policy.ts";

export type Places = Pick<Policy, "cwd" | "home">;

/** `~` and `~/x` are the person's home; everything else is relative to the working directory. */
export function absolute(path: string, places: Places): string {
  return resolve(fromHome(path, places));
}

export function fromHome(path: string, { cwd, home }: Places): string {
  if (path === "~" || path.startsWith("~/")) return `${home}/${path.slice(2)}`;
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}
