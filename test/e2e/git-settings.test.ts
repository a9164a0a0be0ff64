// A command by which git sets something in .git/config is asked about, and after a yes it can; what is slipped in beside it is not.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const noSandbox = await lacks("sandbox");

it.skipIf(noSandbox)("git remote add and git checkout --track work after a yes, and a program that comes with them is shown", async () => {
  const there = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8" }).trim();
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--allow-empty", "--message", "one");
  const branch = git("branch", "--show-current");
  const planting = "git remote add a b; node -e 'require(`child_process`).execFileSync(`git`, [`config`, `core.pager`, `./x`])'";
  const commands = [`git checkout -b next --track ${branch}`, planting];
  const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
  const seat = personsTerminal(tool, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 110, rows: 34 });
  await seat.shows("ready");
  seat.type("set up\r");
  await seat.shows(".git/config always needs a person's permission");
  await choose(seat, "y");
  await seat.shows("git remote add a b");
  await choose(seat, "y");
  await seat.shows("asks to keep files that its command left");
  await seat.shows("pager = ./x");
  await choose(seat, "n");
  await seat.shows("Done.");
  const results = [1, 2].map((at) => toolResults(api.requests("tool")[at])[0] ?? "");
  expect([git("rev-parse", "--abbrev-ref", "next@{upstream}"), git("remote"), git("config", "--default", "none", "core.pager")]).toEqual([
    branch,
    "",
    "none",
  ]);
  expect(results[0]).not.toMatch(/could not write/);
  expect(results[1]).toMatch(/\.git\/config was moved to /);
  expect(await seat.leave()).toBe(0);
});

it.skipIf(noSandbox)("commits are made without the hidden keys of a person who signs, which is said once", async () => {
  const there = teamPlace();
  writeFileSync(
    join(there.env["HOME"] ?? "", ".gitconfig"),
    "[user]\nname = a\nemail = a@b.c\nsigningkey = ~/.ssh/id_ed25519.pub\n[commit]\ngpgsign = true\n[tag]\ngpgsign = true\n[gpg]\nformat = ssh\n",
  );
  const commands = [
    "git commit --quiet --allow-empty -m one",
    "git commit --quiet --allow-empty -m two && git tag -m v v1 && git gc --quiet",
  ];
  const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
  const program = there.warm(["--print", "Commit."], { env: api.env });
  expect(await program.ended).toEqual({ code: 0 });
  expect([1, 2].flatMap((at) => toolResults(api.requests("tool")[at]))).toEqual(["(no output)", "(no output)"]);
  expect(program.stderr().match(/are not signed, though commit\.gpgSign is on/g)).toHaveLength(1);
});

it.skipIf(noSandbox)(
  "without a screen, git push -u works where a rule names it, and otherwise the rule is named; a switch that guesses says what is left",
  async () => {
    const there = teamPlace();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: there.repository, encoding: "utf8", stdio: "pipe" }).trim();
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--allow-empty", "--message", "one");
    git("init", "--quiet", "--bare", "far.git");
    git("remote", "add", "origin", "./far.git");
    git("push", "--quiet", "origin", "HEAD:refs/heads/guessed");
    git("fetch", "--quiet", "origin");
    const branch = git("branch", "--show-current");
    const push = `git push -u origin ${branch}`;
    const planting = "node -e 'require(`child_process`).execFileSync(`git`, [`config`, `core.pager`, `./x`])'";
    const print = async (commands: string[], ...flags: string[]) => {
      const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
      const { code } = await there.warm(["--print", ...flags, "Push."], { env: api.env }).ended;
      return { code, said: commands.map((_, at) => toolResults(api.requests("tool")[at + 1])[0] ?? "") };
    };
    const alone = await print([push], "--allow", "Bash(git:*)");
    expect(alone).toEqual({ code: 3, said: [expect.stringContaining(`It would be allowed by --allow 'Bash(${push})'`)] });
    const allowed = await print([push, "git switch guessed", `${push}; ${planting}`], "--allow", "Bash(git push:*)");
    expect(allowed.said[0]).toContain(`branch '${branch}' set up to track 'origin/${branch}'`);
    expect(allowed.said[0]).not.toMatch(/could not write|stayed as it was/);
    expect(allowed.said[1]).toContain("git branch --set-upstream-to=origin/guessed guessed");
    expect(allowed.said[2]).toMatch(/^Permission denied: .*\.git\/config/);
    expect(git("rev-parse", "--abbrev-ref", `${branch}@{upstream}`)).toBe(`origin/${branch}`);
    expect(git("config", "--default", "none", "core.pager")).toBe("none");
    const slips = `printf '[remote "--upload-pack=sh ./x.sh"]\\n\\turl = .\\n' >> .git/config; exec git-receive-pack "$@"`;
    writeFileSync(join(there.repository, "y.sh"), slips);
    const slipped = await print(["git push -u --receive-pack='sh ./y.sh' . HEAD:refs/heads/z"], "--allow", "Bash(git push:*)");
    expect(slipped.said[0]).toMatch(/\.git\/config was moved to /);
    expect(git("remote")).toBe("origin");
    const left = await print(["git branch -u origin/guessed guessed"], "--allow", "Bash(git branch:*)");
    expect(left.code).toBe(0);
    expect(git("rev-parse", "--abbrev-ref", "guessed@{upstream}")).toBe("origin/guessed");
  },
);
