// A session of an ordinary user in a repository: root lists every folder, whatever its rights are.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { quoted } from "./scratch.ts";

const isRoot = process.getuid?.() === 0;

/** Put before a command line, runs it as an ordinary user. */
export const asUser = isRoot ? ["setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups"] : [];

export type UsersRepository = {
  at(path: string): string;
  there(path: string): boolean;
  read(path: string): string;
  /** Runs a command of the person's own in the repository. */
  person(command: string): string;
  /** The results of these calls of Bash in one session, the built program's. */
  session(...commands: string[]): string[];
};

/** `files`: committed. */
export function usersRepository(files: Record<string, string>): UsersRepository {
  const folder = mkdtempSync(join(tmpdir(), "tool-user-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (path: string) => join(folder, "work", path);
  const env = { PATH: process.env["PATH"], HOME: join(folder, "home"), TMPDIR: join(folder, "tmp"), LANG: "C.UTF-8" };
  for (const name of ["home/.tool", "tmp", "work"]) mkdirSync(join(folder, name), { recursive: true });
  if (isRoot) execFileSync("chown", ["-R", "12345:12345", folder]);
  chmodSync(folder, 0o755);
  const [program, ...args] = [...asUser, "bash", "-c"];
  const person = (command: string) => execFileSync(program, [...args, command], { cwd: at("."), env, encoding: "utf8" });
  for (const [name, text] of Object.entries(files))
    person(`mkdir -p "$(dirname ${quoted(name)})"; printf %s ${quoted(text)} > ${quoted(name)}`);
  person("git init -q . && git config user.name t && git config user.email t@localhost && git add -f . && git commit -qm first");
  return {
    at,
    person,
    there: (path) => existsSync(at(path)),
    read: (path) => readFileSync(at(path), "utf8"),
    session(...commands) {
      const script = join(folder, "script.json");
      const replies = [...commands.map((command) => ({ calls: [{ Bash: { command } }] })), { say: "Done." }];
      writeFileSync(
        script,
        JSON.stringify({ version: 1, agents: ["tool"], scenes: [{ name: "go", agent: ["tool"], when: "go", replies }] }),
      );
      const words = [process.execPath, resolve("bin/tool.js"), "--script", script, "--print", "--output-format", "stream-json", "go"];
      const [first = "", ...rest] = [...asUser, ...words];
      const { stdout } = spawnSync(first, rest, { cwd: at("."), env, encoding: "utf8" });
      const events = stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      return events.flatMap(({ type, text }) => (type === "tool_ended" ? [String(text)] : []));
    },
  };
}
