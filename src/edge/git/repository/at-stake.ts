// What a command would lose that git has not stored: for its question, from git's own status and log. Decides nothing.
import type { Unstored } from "../../../agent/ports/at-stake.ts";
import { git } from "../own-git.ts";

/** A person waits for the question. */
const limitMs = 5_000;

/** Files that are not stored, those that are nobody's output first; empty if git does not say. */
export async function uncommitted(folder: string, paths: string[]): Promise<Unstored[]> {
  const args = ["status", "--porcelain", "-z", "--no-renames", "--ignored", "--ignore-submodules=all"];
  const { code, stdout } = await git(folder, ["--literal-pathspecs", ...args, "--", ...paths], { limitMs });
  const lines = code === 0 ? stdout.toString("utf8").split("\0").filter(Boolean) : [];
  const found = lines.map((line): Unstored => ({ path: line.slice(3), state: stateOf(line) }));
  const rank = ({ path, state }: Unstored) => (state === "ignored" ? 2 : 0) + (path.endsWith("/") ? 1 : 0);
  return found.toSorted((one, other) => rank(one) - rank(other));
}

function stateOf(line: string): Unstored["state"] {
  if (line.startsWith("??")) return "untracked";
  return line.startsWith("!!") ? "ignored" : "changed";
}

/** The commits that no other branch, remote or tag has, the newest first. */
export async function commitsOnlyOn(folder: string, branch: string): Promise<string[]> {
  const others = [`--exclude=refs/heads/${branch}`, "--exclude=refs/stash", "--all"];
  const { code, stdout } = await git(folder, ["log", "--format=%h %s", `refs/heads/${branch}`, "--not", ...others, "--"], { limitMs });
  return code === 0 ? stdout.toString("utf8").split("\n").filter(Boolean) : [];
}
