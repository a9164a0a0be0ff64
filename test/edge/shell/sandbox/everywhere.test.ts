// What a command leaves to be run later is found wherever the person's programs would find it, and however much lies around it.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { escapeWorld } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(folder?: string) {
  const made = await escapeWorld({ packages: false, ...(folder !== undefined && { folder }) });
  onTestFinished(made.close);
  return { ...made, at: (path: string) => join(made.policy.cwd, path) };
}

inSandbox.each([
  ["installed packages", "node_modules/e", "node_modules/e"],
  ["installed packages, deeper, by several links", "node_modules/e/f", "l/e/f"],
  ["what git-lfs keeps", ".git/lfs/e", ".git/lfs/e"],
  ["objects of git, from a folder above", ".git/objects/aa/e/f", ".git/objects/aa"],
  ["references of git", ".git/refs/x/e", ".git/refs/x/e"],
])("a repository in %s, which a link gives a place in the tree, starts nothing at the person's git status", async (_, place, target) => {
  const { run, at, tree } = await world();
  await run(`mkdir -p ${place} && cd ${place} && git init -q . && echo a > a && git add a && git config core.fsmonitor 'touch ran; false'`);
  await run(`ln -s node_modules l; rm -rf src; ln -s ${target} src`);
  await run(`mkdir -p ${place} && cd ${place} && git init -q . && echo a > a && git add a && git config core.fsmonitor 'touch ran; false'`);
  const inside = ["", "e/f"].map((below) => at(join("src", below))).filter((path) => existsSync(path));
  for (const cwd of inside) spawnSync("git", ["status"], { cwd, env: { PATH: process.env["PATH"], HOME: tree.at("home") } });
  expect(existsSync(at(`${place}/ran`))).toBe(false);
  expect(inside.length).toBeGreaterThan(0);
});

inSandbox("what lay in a covered folder before stays, where a link is made to it", async () => {
  const { run, at, snapshot } = await world();
  const kept = () => snapshot().filter((line) => line.includes("/.git/hooks") || line.includes("/.git/info"));
  const before = kept();
  await run(
    "ln -s .git there; ln -s .git/hooks hooked; ln -s ../.git/info src/info; mkdir .git/lfs; ln -s ../hooks .git/lfs/h; ln -s .git/lfs l",
  );
  expect([kept(), existsSync(at("hooked/pre-commit"))]).toEqual([before, true]);
});

inSandbox("among more folders than a look before a command visits", { timeout: 60_000 }, async () => {
  const { run, at, sandbox } = await world("/dev/shm"); // a disk takes half a minute to remove so many
  const names = ["a/.envrc", "AGENTS.md", "a/7/8/.vscode"];
  const made =
    "for i in {1..101}; do mkdir -p a/$i/{1..200}; done; mkdir a/7/8/.vscode; for f in a/.envrc AGENTS.md a/7/8/.vscode/tasks.json; do echo x > $f; done";
  const meanwhile = "while [ -e a/.envrc ] || [ -e AGENTS.md ] || [ -e a/7/8/.vscode ]; do sleep 0.05; done; echo gone while it runs";
  expect((await run(`${made}; ${meanwhile}`)).output).toMatch(/^gone while it runs\n/m);
  expect(names.filter((name) => existsSync(at(name)))).toEqual([]);
  const { end } = await run("true");
  const why = `A person must remove folders or turn the sandbox off. There are more than 20000 folders below the working directory, most of them in ${at("a")}, too many to cover for each command`;
  expect(end).toEqual({ kind: "failed", reason: expect.stringContaining(`${why}. No command runs until there are fewer`) });
  rmSync(at("a"), { recursive: true });
  expect([(await run("echo on")).output, sandbox.state()]).toEqual(["on\n", { kind: "active" }]);
});

inSandbox(
  "beside an index that is larger than git's are, which no session waits for: it is moved away, and commands go on",
  { timeout: 60_000 },
  async () => {
    const { run, at, sandbox } = await world();
    const { output } = await run("git status --short; truncate -s 300M .git/index; echo x > .envrc; echo done");
    const why = "nobody can tell where git would look because of such an index (`git reset` makes a new one)";
    expect(output).toMatch(/done\n[\s\S]*\.git\/index was moved to \S+\/put-aside\/\d-index: /);
    expect([output.includes(why), sandbox.state().kind, existsSync(at(".envrc")), existsSync(at(".git/index"))]).toEqual([
      true,
      "active",
      false,
      false,
    ]);
    expect((await run("echo on")).output).toBe("on\n");
  },
);
