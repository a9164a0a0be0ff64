// A machine without bubblewrap: rules apply as written, and what they cannot cover needs a question, which nobody can answer here.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { programFolder, quoted } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const noLinux = await lacks("Linux");

/** A PATH with only the programs that the commands below need. */
function pathWithoutBwrap(): string {
  const bin = programFolder();
  for (const name of ["bash", "sh", "cat", "cp", "touch", "git"]) symlinkSync(join("/usr/bin", name), join(bin, name));
  return bin;
}

const commands = [
  "cat a.txt",
  "touch b.txt",
  "touch c.txt",
  "grep -r key .",
  "echo x > /tmp/tool-test-x",
  'test -w "$TMPDIR" && case $TMPDIR in */config/sandbox/*) echo inside;; esac',
];
const rules = ["Bash(cat:*)", "Bash(touch:*)", "Bash(touch c.txt)", "Bash(grep:*)", "Bash(echo:*)", "Bash(test:*)"].flatMap((rule) => [
  "--allow",
  rule,
]);

async function session(settings: object): Promise<{ results: string[]; said: string }> {
  const place = teamPlace();
  const calls = commands.map((command) => call("Bash", { command }));
  const api = await provider({ tool: [calls, text("Done.")] });
  writeFileSync(join(place.repository, "a.txt"), "a\n");
  writeFileSync(join(place.repository, ".toolignore"), "secrets/\n");
  mkdirSync(place.configDir, { recursive: true });
  writeFileSync(join(place.configDir, "settings.json"), JSON.stringify(settings));
  const env = { ...api.env, PATH: pathWithoutBwrap() };
  const program = place.warm(["--print", ...rules, "Do it."], { env });
  await program.ended;
  return { results: toolResults(api.requests("tool")[1]), said: program.stderr() };
}

const refused = (reason: string) => `Permission denied: Permission is missing and nobody can be asked here: ${reason}`;
const inTmp =
  "/tmp/tool-test-x always needs a person's permission: without a sandbox all programs of this machine share /tmp. This session's own folder for temporary files is ";
const searched = refused(
  ". contains files that rules restrict, and nothing hides them from the command. Only a person can allow it, in an interactive session.",
);

it.skipIf(noLinux)("without bubblewrap rules apply as written, which is reported once with the consequences", async () => {
  const { results, said } = await session({});
  expect(results).toEqual(["a", "(no output)", "(no output)", searched, expect.stringContaining(refused(inTmp)), "inside"]);
  expect(
    said.match(
      /Commands run without a sandbox: bwrap was not found on PATH\. Each that does more than look is asked about, and can do whatever you can\. .* doctor says more\./g,
    ),
  ).toHaveLength(1);
});

it.skipIf(noLinux)("a person who turned the sandbox off is told nothing, and has the same rules", async () => {
  const { results, said } = await session({ sandbox: { enabled: false } });
  expect(results).toEqual(["a", "(no output)", "(no output)", searched, expect.stringContaining(refused(inTmp)), "inside"]);
  expect(said).not.toContain("sandbox:");
});

it.skipIf(noLinux)("a person who requires a sandbox has no command run without one", async () => {
  const { results, said } = await session({ sandbox: { required: true, enabled: false } });
  const reason = "No command runs, because sandbox.required is set and there is no sandbox: bwrap was not found on PATH.";
  expect(results).toEqual(Array(6).fill(`Permission denied: ${reason}`));
  expect(said).toContain('No command runs: "sandbox.required" is set');
});

it.skipIf(noLinux)(
  "git does not look where an untrusted repository would make it start a program, and does once it is trusted",
  async () => {
    const status = async (flags: string[]) => {
      const place = teamPlace();
      const api = await provider({ tool: [[call("Bash", { command: "git status --short" })], text("Done.")] });
      const canary = join(place.folder, "canary");
      execFileSync("git", ["-C", place.repository, "config", "core.fsmonitor", `touch ${quoted(canary)}; false`]);
      const program = place.warm(["--print", ...flags, "Do it."], {
        env: { ...api.env, PATH: pathWithoutBwrap() },
        input: "",
      });
      await program.ended;
      return { told: toolResults(api.requests("tool")[1])[0]?.replace(place.repository, "REPO"), ran: existsSync(canary) };
    };
    const follows = "this repository is not trusted, and without a sandbox git would follow core.fsmonitor in the settings of REPO";
    const asked = refused(`${follows}. Only a person can allow it, in an interactive session.`);
    expect(await status(["--allow", "Bash(git:*)"])).toEqual({ told: asked, ran: false });
    expect(await status(["--allow", "Bash(git status --short)"])).toEqual({ told: asked, ran: false });
    expect(await status(["--allow", "Bash(git:*)", "--trust"])).toEqual({ told: "(no output)", ran: true });
  },
);

it.skipIf(noLinux)("accepted edits reach no protected file, no denied one and no state of git by a detour", async () => {
  const place = teamPlace();
  const at = (path: string) => join(place.repository, path);
  mkdirSync(at("config"));
  writeFileSync(at("config/prod.yml"), "the password\n");
  writeFileSync(at("a.txt"), "a\n");
  const head = readFileSync(at(".git/HEAD"), "utf8");
  const detours = [
    "cd .git/hooks && echo x > /proc/self/cwd/pre-commit",
    "cd .git && echo x > /dev/fd/../cwd/config",
    "cd config && cat /proc/self/cwd/prod.yml",
    "git reflog --format --output=a.txt",
    "git reflog --format=%GG",
    "echo x > .git/HEAD",
    "mkdir -p sub/.git/refs",
  ];
  const commands = [...detours, "echo b > b.txt"].map((command) => call("Bash", { command }));
  const api = await provider({ tool: [commands, text("Done.")] });
  const flags = ["--permission-mode", "acceptEdits", "--deny", "Read(config/prod.yml)"];
  const program = place.warm(["--print", ...flags, "Do it."], { env: { ...api.env, PATH: pathWithoutBwrap() }, input: "" });
  await program.ended;
  const results = toolResults(api.requests("tool")[1]);
  expect(results.map((result) => result.replace(/:.*/s, ""))).toEqual([...detours.map(() => "Permission denied"), "(no output)"]);
  const contents = [readFileSync(at("a.txt"), "utf8"), readFileSync(at(".git/HEAD"), "utf8"), readFileSync(at("b.txt"), "utf8")];
  expect(contents).toEqual(["a\n", head, "b\n"]);
  expect([existsSync(at(".git/hooks/pre-commit")), existsSync(at("sub"))]).toEqual([false, false]);
});

it.skipIf(noLinux)("accepted edits put nothing in the place of content that git lacks, and check says the same", async () => {
  const place = teamPlace();
  const at = (path: string) => join(place.repository, path);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], { cwd: place.repository });
  mkdirSync(at("d"));
  for (const name of ["assume.txt", "skip.txt", "clean.txt", "d/t.txt"]) writeFileSync(at(name), "stored\n");
  git("add", ".");
  git("commit", "-qm", "first");
  git("update-index", "--assume-unchanged", "assume.txt");
  git("update-index", "--skip-worktree", "skip.txt");
  const mine = ["assume.txt", "skip.txt", "d/t.txt", "untracked.txt"];
  for (const name of mine) writeFileSync(at(name), "mine\n");
  const asked = [": > assume.txt", "cp clean.txt skip.txt", "mv clean.txt d/t.txt", "echo x > untracked.txt", "echo x | tee untracked.txt"];
  const open = [
    "echo x >> untracked.txt",
    "echo x > clean.txt",
    "echo x > new.txt",
    "echo y > new.txt",
    "cp clean.txt d",
    "cat skip.txt 2>&1",
  ];
  const check = place.warm(
    ["permissions", "check", "--permission-mode", "acceptEdits", ...[...asked, ...open].map((command) => `Bash(${command})`)],
    { env: { PATH: pathWithoutBwrap() } },
  );
  await check.ended;
  const decisions = check
    .stdout()
    .split("\n")
    .flatMap((line) => /^(allow|ask|deny)\b/.exec(line)?.[1] ?? []);
  expect(decisions, check.stdout()).toEqual([...asked.map(() => "ask"), ...open.map(() => "allow")]);
  const api = await provider({ tool: [...[...asked, ...open].map((command) => [call("Bash", { command })]), text("Done.")] });
  const program = place.warm(["--print", "--permission-mode", "acceptEdits", "Do it."], {
    env: { ...api.env, PATH: pathWithoutBwrap() },
    input: "",
  });
  await program.ended;
  const results = [...asked, ...open].map((_, index) => toolResults(api.requests("tool")[index + 1])[0] ?? "");
  expect(results.map((result) => result.startsWith("Permission denied"))).toEqual([...asked.map(() => true), ...open.map(() => false)]);
  expect(mine.map((name) => readFileSync(at(name), "utf8"))).toEqual(["mine\n", "mine\n", "mine\n", "mine\nx\n"]);
});

it.skipIf(noLinux)("without bubblewrap `permissions` says so, and decides calls as a session here would", async () => {
  const place = teamPlace();
  const said = async (...args: string[]) => {
    const program = place.warm(["permissions", ...args], { env: { PATH: pathWithoutBwrap() } });
    await program.ended;
    return program.stdout();
  };
  const words = "on in the settings, not available here: bwrap was not found on PATH. Allowed commands can do whatever you can\n";
  expect(await said()).toContain(`Sandbox: ${words}`);
  expect(JSON.parse(await said("--json")).sandbox).toEqual({
    enabled: true,
    network: "asked",
    state: "missing",
    why: "bwrap was not found on PATH",
  });
  const checked = await said("check", "Bash(cargo tree)");
  expect([checked.split(" ")[0], checked.split("\n").at(-2)]).toEqual(["ask", `Decided for a session here. Sandbox: ${words.trimEnd()}`]);
  expect(JSON.parse(await said("check", "Bash(cargo tree)", "--json"))).toMatchObject({ decision: "ask", sandbox: "missing" });
});
