// A file that .toolignore hides does not appear in what git prints from its history, inside the sandbox and without one.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { teamPlace } from "../team-kit.ts";

it.each([true, false])("git log -p says of a hidden file only that it changed; sandbox: %s", async (enabled) => {
  const place = teamPlace();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], { cwd: place.repository, encoding: "utf8" });
  writeFileSync(join(place.repository, ".toolignore"), "notes.txt\n");
  writeFileSync(join(place.repository, "notes.txt"), "xyzzy\n");
  writeFileSync(join(place.repository, "a.txt"), "plugh\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const commands = ["git log -p --format=%s", "sh -c 'git show HEAD:notes.txt'", "printf 'git show' > s.sh; sh s.sh | grep -c xyzzy"];
  const api = await provider({ tool: [...commands.map((command) => [call("Bash", { command })]), text("Done.")] });
  mkdirSync(place.configDir);
  writeFileSync(join(place.configDir, "settings.json"), JSON.stringify({ sandbox: { enabled } }));
  const program = place.warm(["--print", "--permission-mode", "bypassPermissions", "Do it."], { env: api.env });
  await program.ended;
  const [log, whole, script] = [1, 2, 3].map((at) => toolResults(api.requests("tool")[at])[0] ?? "");
  const shown = { binary: log!.includes("Binary files /dev/null and b/notes.txt differ"), other: log!.includes("+plugh") };
  expect({ ...shown, hidden: log!.includes("xyzzy") }, `${log}\n${program.stderr()}`).toEqual({
    binary: true,
    other: true,
    hidden: false,
  });
  expect(whole).toContain("notes.txt is hidden from agents by line 1 of .toolignore");
  expect(script).toContain("0");
  expect(readdirSync(join(place.configDir, "sandbox"))).toEqual([]);
});

const hasSandbox = !(await lacks("sandbox"));
const confined: [string, boolean][] = [
  ["in the sandbox, whatever attributes the tree has or a command writes", true],
  ["without one, where it would be printed a person is asked", false],
];

it.each(confined.filter(([, enabled]) => hasSandbox || !enabled))(
  "attributes of the tree that show a denied file do not show it: %s",
  async (_, enabled) => {
    const place = teamPlace();
    const at = (path: string) => join(place.repository, path);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], { cwd: place.repository, encoding: "utf8" });
    mkdirSync(at("secrets"));
    writeFileSync(at("secrets/a.txt"), "xyzzy\n");
    writeFileSync(at("a.txt"), "plugh\n");
    git("add", ".");
    git("commit", "-qm", "first");
    const shows = "printf '*.txt diff\\n' > .gitattributes";
    const session = async (commands: string[]) => {
      const api = await provider({ tool: [...commands.map((command) => [call("Bash", { command })]), text("Done.")] });
      const flags = ["--permission-mode", "acceptEdits", "--deny", "Read(secrets/**)"];
      const program = place.warm(["--print", ...flags, "Do it."], { env: api.env, input: "" });
      await program.ended;
      return commands.map((_, index) => toolResults(api.requests("tool")[index + 1])[0] ?? "");
    };
    mkdirSync(place.configDir, { recursive: true });
    writeFileSync(join(place.configDir, "settings.json"), JSON.stringify({ sandbox: { enabled } }));
    const meaning = (result: string) =>
      result.includes("xyzzy") ? "shown" : result.startsWith("Permission") ? "asked" : result.includes("+plugh") ? "hidden" : result;
    const before = await session(["git log -p", "git show HEAD"]);
    expect(before.map(meaning)).toEqual(["hidden", "hidden"]);
    const after = await session([`${shows} && git log -p`, shows, "git log -p", "git show HEAD", "git status --short"]);
    const wanted = enabled ? ["hidden", "(no output)", "hidden", "hidden"] : ["asked", "(no output)", "asked", "asked"];
    expect(after.slice(0, 4).map(meaning)).toEqual(wanted);
    expect(after[4]).toBe("?? .gitattributes");
    expect(git("log", "-p")).toContain("+xyzzy");
    expect([existsSync(at(".git/info/attributes")), git("status", "--short")]).toEqual([false, "?? .gitattributes\n"]);
  },
);
