// Links in protected places, as people make them: what they lead to is run as if it lay there, whether it exists already or not.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { usersRepository } from "../../../ordinary-user.ts";
import { escapeWorld } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world() {
  const made = await escapeWorld();
  onTestFinished(made.close);
  const at = (path: string) => join(made.policy.cwd, path);
  const link = (path: string, target: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    rmSync(at(path), { recursive: true, force: true });
    symlinkSync(target, at(path));
  };
  return { ...made, at, link };
}

inSandbox.each([
  ["a file", ".envrc", "build/env.sh", "mkdir build; echo x > build/env.sh", ""],
  ["a folder", ".vscode", "conf", "mkdir conf; echo x > conf/tasks.json", "tasks.json"],
])("%s that comes to be where one leads is not reached by it", async (_, path, target, command, below) => {
  const { run, at, link } = await world();
  link(path, target);
  await run(command);
  expect(existsSync(at(join(path, below)))).toBe(false);
});

inSandbox("a link on the way cannot be replaced by a folder with another file", async () => {
  const { run, at, link } = await world();
  mkdirSync(at("real"));
  writeFileSync(at("real/check"), "before");
  link("tools", "real");
  link(".husky/pre-commit", "../tools/check");
  await run("rm tools; mkdir tools; echo x > tools/check; echo x > real/check");
  expect(existsSync(at(".husky/pre-commit"))).toBe(false);
  expect(readFileSync(at("real/check"), "utf8")).toBe("before");
});

inSandbox("one of git's settings leads to what no command changes", async () => {
  const { run, at, link } = await world();
  const text = readFileSync(at(".git/config"), "utf8");
  writeFileSync(at("shared"), text);
  link(".git/config", "../shared");
  await run("echo x >> shared; echo x > other; mv other shared");
  expect(readFileSync(at(".git/config"), "utf8")).toBe(text);
});

inSandbox.each([
  ["a hook", ".git/hooks/pre-commit", "../../scripts/check"],
  ["the folder of hooks", ".git/hooks", "../scripts"],
])("%s that a link keeps in the tree is protected there, and where it does not exist yet", { timeout: 30_000 }, (_, path, target) => {
  const { there, read, person, session } = usersRepository({ "scripts/check": "before", "a.txt": "a" });
  person(`rm -rf ${path}; ln -s ${target} ${path}; ln -s ../../scripts/later .git/hooks/post-commit || true`);
  session("echo x > scripts/check; rm -f scripts/check; mv scripts gone; mkdir scripts; echo x > scripts/later");
  expect([read("scripts/check"), there("scripts/later")]).toEqual(["before", false]);
});

inSandbox.each([
  ["a log", ".git/logs/HEAD", "../../../outside/file"],
  ["the log of a branch", ".git/logs/refs/heads/main", "../../../hooks/pre-commit"],
  ["the folder of a log", ".git/logs/refs/heads/wip", "../../../../../outside"],
  ["the folder of a reference", ".git/refs/heads/wip", "../../../../outside"],
  ["a reference of another machine", ".git/refs/remotes/origin/main", "../../../../../outside/file"],
  ["a folder of files that git keeps apart", ".git/lfs/tmp", "../../../outside"],
])("%s that is a link is put aside, so that git writes nothing through it", async (_, path, target) => {
  const { run, at } = await world();
  await run(`mkdir -p ${dirname(path)}; rm -rf ${path}; ln -s ${target} ${path}; true`);
  expect(lstatSync(at(path), { throwIfNoEntry: false })).toBeUndefined();
});

inSandbox("branches may have the names of git's own files", async () => {
  const { run, at } = await world();
  const names = ["config", "hooks/a", "info", "x/commondir", "agents.md"];
  const git = "git -c user.name=a -c user.email=a@b";
  await run(`${git} commit -q --allow-empty -m a; for n in ${names.join(" ")}; do ${git} branch "$n"; done`);
  expect(names.map((name) => [name, existsSync(at(`.git/refs/heads/${name}`)), existsSync(at(`.git/logs/refs/heads/${name}`))])).toEqual(
    names.map((name) => [name, true, true]),
  );
});
