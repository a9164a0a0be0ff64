// Every protected file, planted by an allowed command: none stays where it was put, and no existing one is changed.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { protectedNames } from "../../../protected-names.ts";
import { quoted } from "../../../scratch.ts";
import { escapeWorld } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

const todos = protectedNames.filter((name) => name.includes("rebase-"));
const files = protectedNames.filter((name) => !name.includes("rebase-") && name !== ".clinerules");

async function world() {
  const made = await escapeWorld();
  onTestFinished(made.close);
  const at = (path: string) => join(made.policy.cwd, path);
  return { ...made, at };
}

const plant = (names: string[]) => names.map((name) => `mkdir -p '${dirname(name)}'; echo 'exec x' > '${name}'`).join("\n");

inSandbox("none stays that a command makes, at the top or deeper", async () => {
  const { run, at } = await world();
  const names = [...files.filter((name) => !name.startsWith(".git/")), ...todos, ...files.map((name) => `deep/er/${name}`)];
  const before = names.filter((name) => existsSync(at(name)));
  await run(plant(names));
  expect(names.filter((name) => existsSync(at(name)) && !before.includes(name))).toEqual([]);
});

inSandbox("none that is there can be written, moved or removed", async () => {
  const { run, at } = await world();
  for (const name of files) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), "before\n");
  }
  writeFileSync(at(".git/config"), "[core]\n\trepositoryformatversion = 0\n");
  await run(
    files.map((name) => `echo x >> '${name}'; echo x > other; mv -f other '${name}'; mv '${name}' moved; rm -f '${name}'`).join("\n"),
  );
  const changed = files.filter(
    (name) => !existsSync(at(name)) || !/^(before|\[core\]\n\trepositoryformatversion = 0)\n$/.test(readFileSync(at(name), "utf8")),
  );
  expect(changed).toEqual([]);
});

inSandbox(
  "a rebase works, and a command that is slipped into its list is put aside, whether it was begun here or by the person",
  async () => {
    const { run, at, policy } = await world();
    const identity = "-c user.name=a -c user.email=a@b.c";
    const git = (...args: string[]) =>
      execFileSync("git", [...identity.split(" "), ...args], {
        cwd: policy.cwd,
        stdio: "pipe",
        env: { PATH: process.env["PATH"], GIT_SEQUENCE_EDITOR: "sed -i s/^pick/edit/" },
      });
    const commit = (text: string) => {
      writeFileSync(at("a.txt"), text);
      git("add", "a.txt");
      git("commit", "--quiet", "-m", text);
    };
    for (const text of ["one", "two", "three"]) commit(text);
    const whole = await run(`git ${identity} rebase --quiet --exec 'sleep 0.3' HEAD~2 && git status --short --branch | head -1`);
    expect(whole.end).toEqual({ kind: "exited", code: 0 });
    git("rebase", "--quiet", "-i", "HEAD~2");
    const todo = ".git/rebase-merge/git-rebase-todo";
    const plain = await run("git status | head -1");
    expect([plain.denied, existsSync(at(todo))]).toEqual([undefined, true]);
    const { denied } = await run(`echo 'exec touch ${at("canary")}' >> ${todo}`);
    expect([denied?.map(({ subject }) => subject), existsSync(at(todo))]).toEqual([[at(todo)], false]);
  },
);

inSandbox("a link where git keeps a folder is put aside, and so is a strategy that is none of git's", async () => {
  const { run, at } = await world();
  const subjects = async (command: string) => (await run(command)).denied?.map(({ subject }) => subject);
  expect(await subjects("mkdir r && echo 'exec touch canary' > r/git-rebase-todo && ln -s ../r .git/rebase-merge")).toEqual([
    at(".git/rebase-merge"),
  ]);
  expect(existsSync(at(".git/rebase-merge/git-rebase-todo"))).toBe(false);
  const picking = (strategy: string) => `mkdir -p .git/sequencer; printf '[options]\n\tstrategy = ${strategy}\n' > .git/sequencer/opts`;
  expect(await subjects(picking("ours"))).toBeUndefined();
  expect(await subjects(picking("../ours"))).toEqual([at(".git/sequencer/opts")]);
  expect(await subjects("echo main > .git/BISECT_START")).toBeUndefined();
  expect(await subjects("echo -f > .git/BISECT_START")).toEqual([at(".git/BISECT_START")]);
});

inSandbox("nothing that replaces objects stays in a repository, loose or packed, and the other references do", async () => {
  const { run, at, policy } = await world();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: policy.cwd, encoding: "utf8" }).trim();
  git("switch", "--quiet", "-c", "without");
  git("commit", "--quiet", "--allow-empty", "-m", "without");
  git("switch", "--quiet", "-c", "with");
  writeFileSync(at("a.npmrc"), "registry=good\n");
  writeFileSync(at("b.npmrc"), "registry=good\n2\n");
  git("add", "--force", "a.npmrc", "b.npmrc");
  git("commit", "--quiet", "-m", "with");
  const replace = (file: string) => `git replace $(git rev-parse HEAD:${file}) $(echo evil | git hash-object -w --stdin)`;
  for (const command of [replace("a.npmrc"), `${replace("a.npmrc")} && git pack-refs --all && ${replace("b.npmrc")}`]) {
    const { denied } = await run(`${command} && git replace -l`);
    expect(denied?.map(({ subject }) => subject)).toEqual([at(".git/refs/replace")]);
    git("checkout", "--quiet", "without");
    git("checkout", "--quiet", "with");
    expect([
      git("replace", "-l"),
      readFileSync(at("a.npmrc"), "utf8"),
      git("for-each-ref", "--format=%(refname)", "refs/heads/with*"),
    ]).toEqual(["", "registry=good\n", "refs/heads/with\nrefs/heads/without"]);
  }
  git("replace", git("rev-parse", "HEAD:a.npmrc"), git("rev-parse", "HEAD:b.npmrc"));
  git("pack-refs", "--all");
  expect([(await run("git branch more && git pack-refs --all")).denied, git("replace", "-l")]).toEqual([
    undefined,
    git("rev-parse", "HEAD:a.npmrc"),
  ]);
});

inSandbox("a history is not cut where it was whole, and one that is cut may end somewhere else", async () => {
  const { run, at, policy } = await world();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: policy.cwd, encoding: "utf8" }).trim();
  for (const name of ["one", "two", "three"]) git("commit", "--quiet", "--allow-empty", "-m", name);
  const { denied } = await run("git rev-parse HEAD > .git/shallow");
  expect([denied?.map(({ subject }) => subject), git("rev-list", "--count", "HEAD")]).toEqual([[at(".git/shallow")], "3"]);
  writeFileSync(at(".git/shallow"), `${git("rev-parse", "HEAD~1")}\n`);
  expect([(await run("git rev-parse HEAD > .git/shallow")).denied, git("rev-list", "--count", "HEAD")]).toEqual([undefined, "1"]);
});

inSandbox("the next commit copies no file into .git that a command has named as a conflict", async () => {
  const { run, at } = await world();
  const plant = `mkdir -p .git/rr-cache/${"a".repeat(40)}; echo x > .git/rr-cache/${"a".repeat(40)}/preimage
    printf '${"a".repeat(40)}\\t.env\\0' > .git/MERGE_RR`;
  expect((await run(plant)).denied?.map(({ subject }) => subject)).toEqual([at(".git/MERGE_RR")]);
  expect((await run(": > .git/MERGE_RR")).denied).toBeUndefined();
});

inSandbox("a person's git does not take a folder for a repository that a command made one", async () => {
  const { run, at } = await world();
  const canary = at("src/canary"); // git starts the program there
  const plant = `mkdir -p "$dir/objects" "$dir/refs"; echo 'ref: refs/heads/main' > "$dir/HEAD"
    printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = touch canary; echo\\n' > "$dir/config"`;
  const status = (dir: string) => {
    spawnSync("git", ["status"], { cwd: dir, env: { PATH: process.env["PATH"], HOME: "/nonexistent" } });
    return existsSync(canary);
  };
  const { denied } = await run(`dir=src; ${plant}`);
  expect([denied?.map(({ subject }) => subject), status(at("src"))]).toEqual([[at("src/HEAD")], false]);
  execFileSync("sh", ["-c", `dir=${quoted(at("src"))}; ${plant}`]);
  expect(status(at("src"))).toBe(true); // had it stayed
});
