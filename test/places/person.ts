// A person with a repository and a place of theirs, for tests of the built program.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { programFiles, programPack } from "../../src/edge/places/program-pack.ts";
import { teamPlace } from "../team-kit.ts";

type PlaceCommand = (folder: string) => { command: string[]; arguments?: string; node?: string };

/**
 * A repository with a commit, a file that git ignores, and the place `far` in the person's settings. The program is there from earlier hands,
 * unless the test is about its way there: `program: "missing"`.
 */
export function personWithPlace(command: PlaceCommand, { program }: { program: "there" | "missing" } = { program: "there" }) {
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
  if (program === "there") leaveProgramAt(far);
  const places = { far: { folder: far, ...command(folder) } };
  writeFileSync(join(configDir, "settings.json"), JSON.stringify({ places, permissions: { deny: ["Read(hidden.txt)"] } }));
  return { ...there, git, far };
}

/** As hands leave it that have ended: with what V8 made of it, so that the next ones need not compile it. */
function leaveProgramAt(place: string): void {
  const packageDir = resolve(".");
  const { list, files } = programFiles(packageDir);
  const at = join(place, "program", programPack(packageDir).hash);
  const write = (path: string, content: Buffer, mode: number) => {
    mkdirSync(dirname(join(at, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(at, path), content, { mode });
  };
  write("files.json", list, 0o600);
  for (const { path, content, mode } of files) write(path, content, mode);
  const caches = readdirSync("dist/chunks").filter((name) => name.endsWith(".cache"));
  for (const name of caches) copyFileSync(join("dist/chunks", name), join(at, "dist/chunks", name));
}

/** A command that joins its arguments as ssh does, behind a shell that prints and leaves its process id. */
export const joining = (folder: string) => ({ command: ["/bin/sh", join(folder, "join.sh")], arguments: "joined" });
