// The sandbox in the built program: what runs without a question, what does not, and what is hidden from commands.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { teamPlace, tool } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");

it.skipIf(noSandbox)("commands run unasked, keep what git does not have, and see no secrets", async () => {
  const commands = [
    'node -e \'require("fs").writeFileSync("made", "")\'',
    'node -e \'const fs = require("fs"); for (const at of fs.readdirSync(".", { recursive: true })) try { console.log(at, String(fs.readFileSync(at))) } catch {}\' | grep -a -e canary -e here',
    "git add -A && git status --short && git -c user.name=x -c user.email=x@example.com commit -qam work; git show --stat --format= HEAD",
    "rm tracked.txt",
    "rm mine.txt",
    "ln -s mine.txt link && rm -rf link/ && sh -c 'rm -f ./mine.txt'",
    "git push origin main",
    "cat .env",
  ];
  const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
  const there = teamPlace();
  const at = (path: string) => join(there.repository, path);
  mkdirSync(at("certs"));
  for (const [path, content] of Object.entries({
    ".env": "KEY=canary-env",
    "certs/a.pem": "canary-pem",
    "tracked.txt": "x",
    ".gitignore": ".env\nmine.txt\n",
  }))
    writeFileSync(at(path), `${content}\n`);
  writeFileSync(at("mine.txt"), "only here\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], { cwd: there.repository });
  git("add", "-A");
  git("commit", "-qm", "first");
  const program = there.warm(["--print", "Do what is to be done."], { env: api.env });
  const { code } = await program.ended;
  const results = commands.map((_, index) => toolResults(api.requests("tool")[index + 1])[0] ?? "");
  const denied = results.map((result) => result.startsWith("Permission denied"));
  expect(results[1]).toContain("mine.txt only here");
  expect(denied).toEqual([false, false, false, false, true, true, true, true]);
  expect(results.join("\n")).not.toMatch(/canary/);
  expect([existsSync(at("made")), existsSync(at("mine.txt")), existsSync(at("tracked.txt")), code]).toEqual([true, true, false, 3]);
  // A masked file that git tracks is neither committed empty nor lost.
  expect(String(git("show", "HEAD:certs/a.pem"))).toBe("canary-pem\n");
});

it.skipIf(noSandbox)("in the mode plan commands run on a tree that they cannot change", async () => {
  const commands = [
    'node -e \'require("fs").writeFileSync("made", "")\'',
    "touch made",
    "node -p 6*7 > /tmp/answer && cat /tmp/answer",
    "git commit -qm x --allow-empty",
  ];
  const api = await provider({ tool: [commands.map((command) => call("Bash", { command })), text("Done.")] });
  const there = teamPlace();
  const program = there.warm(["--print", "--permission-mode", "plan", "Look."], { env: api.env });
  await program.ended;
  const [byCode, touched, answer, committed] = toolResults(api.requests("tool")[1]);
  expect([byCode, touched, committed].map((result) => /EROFS|Read-only file system|In plan mode/.test(result ?? ""))).toEqual([
    true,
    true,
    true,
  ]);
  expect([answer, existsSync(join(there.repository, "made"))]).toEqual(["42", false]);
});

it.skipIf(noSandbox)("says at the first start, and only then, that commands in the sandbox are not asked about", async () => {
  const there = teamPlace();
  const api = await provider({ tool: [] });
  const begin = () => personsTerminal(tool, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 100, rows: 30 });
  const first = begin();
  await first.shows("Commands run in a sandbox without a question");
  expect(first.screen().join(" ").replaceAll(/\s+/g, " ")).toContain("tool config set sandbox.autoAllow false");
  await first.leave();
  const second = begin();
  await second.shows("· sandbox");
  second.type("!echo here\r");
  await second.shows("here");
  expect(second.screen().join(" ")).not.toContain("Commands run in a sandbox");
  await second.leave();
});
