// Files left by a command that would run later are moved while the command still runs, so that nothing the user starts in the meantime runs
// them.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { type EscapeWorld, escapeWorld, type WorldOptions } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(options: WorldOptions = {}): Promise<EscapeWorld> {
  const made = await escapeWorld(options);
  onTestFinished(made.close);
  return made;
}

/** Appears complete at once, as by a rename. */
const hook = (canary: string) =>
  `mkdir new; printf '#!/bin/sh\\ntouch ${canary}\\n' > new/pre-commit; chmod +x new/pre-commit; mv new .husky`;

inSandbox("a person who commits while a command runs does not run the hook that it planted", async () => {
  const here = await world();
  const { cwd } = here.policy;
  const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, stdio: "pipe" });
  const canary = join(here.tree.path, "canary");
  git("config", "core.hooksPath", ".husky");
  const running = here.run(`${hook(canary)}; touch planted; while [ ! -e stop ]; do sleep 0.02; done; ls -d .husky`);
  await eventually(() => existsSync(join(cwd, "planted")) && !existsSync(join(cwd, ".husky")));
  git("add", "src");
  git("commit", "--quiet", "-m", "By the person");
  writeFileSync(join(cwd, "stop"), "");
  const { output, denied } = await running;
  expect([existsSync(canary), denied?.map(({ subject }) => subject)]).toEqual([false, [join(cwd, ".husky")]]);
  expect(output).toMatch(/\.husky was moved to .*\/put-aside\/1-\.husky: such a file runs later/);
});

inSandbox("what lies deeper is moved too, and what comes up again and again is asked about once, as a whole", async () => {
  const asked: string[] = [];
  const here = await world({ mayStay: async (path) => asked.push(path) > 0 });
  const again = (n: number) =>
    `mkdir -p a/b/new; echo ${n} > a/b/new/${n}; mv a/b/new a/b/.vscode; while [ -e a/b/.vscode ]; do sleep 0.02; done`;
  const { end } = await here.run([1, 2, 3].map(again).join("; "));
  const at = join(here.policy.cwd, "a/b/.vscode");
  expect([end, asked, [1, 2, 3].map((n) => readFileSync(join(at, String(n)), "utf8"))]).toEqual([
    { kind: "exited", code: 0 },
    [at],
    ["1\n", "2\n", "3\n"],
  ]);
});

inSandbox("a repository that a command makes for itself is there until it ends", async () => {
  const here = await world();
  const { output, denied } = await here.run("git init -q made && sleep 0.5 && git -C made status --short && echo fine");
  expect([output.split("\n")[0], denied?.map(({ subject }) => subject)]).toEqual(["fine", [join(here.policy.cwd, "made/.git")]]);
});

inSandbox(
  "nobody is asked about what comes up while another command still runs: back where it was, it would be moved away again",
  async () => {
    const asked: string[] = [];
    const here = await world({ mayStay: async (path) => asked.push(path) > 0 });
    const { cwd } = here.policy;
    const other = here.run("touch up; while [ ! -e stop ]; do sleep 0.02; done");
    await eventually(() => existsSync(join(cwd, "up")));
    await here.run("mkdir .vscode; echo x > .vscode/tasks.json");
    expect([asked, existsSync(join(cwd, ".vscode"))]).toEqual([[], false]);
    writeFileSync(join(cwd, "stop"), "");
    await other;
  },
);
