// A person with a repository and a place of theirs, for tests of the built program.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { teamPlace } from "../team-kit.ts";

/** A repository with a commit, a file that git ignores, and the place `far` in the person's settings. */
export function personWithPlace(command: (folder: string) => { command: string[]; arguments?: string; node?: string }) {
  const there = teamPlace();
  const { repository, folder, configDir } = there;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trimEnd();
  for (const [key, value] of [["name", "Test"] as const, ["email", "test@localhost"] as const]) git("config", `user.${key}`, value);
  writeFileSync(join(repository, ".gitignore"), "ignored.txt\n");
  writeFileSync(join(repository, "a.txt"), "one\n");
  writeFileSync(join(repository, "secret.txt"), 'github_token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"\n');
  git("add", ".");
  git("commit", "--quiet", "--message", "The first one");
  writeFileSync(join(repository, "ignored.txt"), "home's own\n");
  writeFileSync(join(folder, "join.sh"), `echo "Welcome"\necho $$ >${folder}/pid\nexec sh -c "$*"\n`);
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  const far = join(folder, "far");
  const places = { far: { folder: far, ...command(folder) } };
  writeFileSync(join(configDir, "settings.json"), JSON.stringify({ places, permissions: { deny: ["Read(hidden.txt)"] } }));
  return { ...there, git, far };
}

/** A command that joins its arguments as ssh does, behind a shell that prints and leaves its process id. */
export const joining = (folder: string) => ({ command: ["/bin/sh", join(folder, "join.sh")], arguments: "joined" });
