// Repositories whose own folder is not called `.git`: no command leaves in one what a person's git runs, and git works in them as in any other.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ownFolders } from "../../../../src/edge/git/repository/own-folders.ts";
import { locate } from "../../../../src/permissions/call.ts";
import { decide } from "../../../../src/permissions/decision.ts";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { policyFor, realDisk } from "../../../tools/agent.ts";
import { tree } from "../../../tools/tree.ts";
import { escapeWorld, openAt } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };

/** `cwd`: of the session. `own`: git's own folder. `work`: where the person commits. All relative to the folder in which `make` runs. */
const layouts = {
  "a worktree beside its bare repository": {
    make: "git clone -q --bare seed p.git; git -C p.git worktree add -q ../wt",
    cwd: "wt",
    own: "p.git",
    work: "wt",
  },
  "a worktree inside its bare repository": {
    make: "git clone -q --bare seed p.git; git -C p.git worktree add -q hooks-of-ui",
    cwd: "p.git/hooks-of-ui",
    own: "p.git",
    work: "p.git/hooks-of-ui",
  },
  "a bare repository as the working directory": {
    make: "git clone -q --bare seed p.git; git -C p.git worktree add -q wt",
    cwd: "p.git",
    own: "p.git",
    work: "p.git/wt",
  },
  "a folder that names .bare, from above": {
    make: "mkdir top; git clone -q --bare seed top/.bare; echo 'gitdir: ./.bare' > top/.git; git -C top worktree add -q wt",
    cwd: "top",
    own: "top/.bare",
    work: "top/wt",
  },
  "a worktree of .bare": {
    make: "mkdir top; git clone -q --bare seed top/.bare; echo 'gitdir: ./.bare' > top/.git; git -C top worktree add -q wt",
    cwd: "top/wt",
    own: "top/.bare",
    work: "top/wt",
  },
  "a folder of its own inside the tree": {
    make: "git clone -q seed top --separate-git-dir=store; mv store top/store; echo 'gitdir: store' > top/.git; git -C top config core.worktree ..",
    cwd: "top",
    own: "top/store",
    work: "top",
  },
};
type Layout = (typeof layouts)[keyof typeof layouts];

async function session({ make, cwd, own, work }: Layout) {
  const world = await escapeWorld();
  onTestFinished(world.close);
  const at = (path: string) => join(realpathSync(world.tree.path), "lay", path);
  mkdirSync(at("seed"), { recursive: true });
  const seed = `git init -q seed && git -C seed ${identity.join(" ")} commit -q --allow-empty -m seed`;
  execFileSync("bash", ["-ec", `${seed}; ${make}`], { cwd: at(""), env, stdio: "pipe" });
  const agent = await openAt(at(cwd), world);
  onTestFinished(agent.close);
  const canary = join(dirname(at("")), "canary");
  const program = `#!/bin/sh\ntouch '${canary}'\n`;
  writeFileSync(at("program"), program);
  chmodSync(at("program"), 0o755);
  /** What a person does next; true if that has run the program. */
  const isRun = () => {
    const git = (...args: string[]) => spawnSync("git", [...identity, ...args], { cwd: at(work), env });
    git("status");
    git("commit", "-q", "--allow-empty", "-m", "by the person");
    git("log", "-1");
    spawnSync("git", ["push", "-q", at(own), "HEAD:refs/heads/pushed"], { cwd: at("seed"), env });
    return existsSync(canary);
  };
  return { run: agent.run, own: at(own), work: at(work), program: at("program"), isRun };
}

const attacks = {
  config: 'git config -f "$OWN/config" core.fsmonitor "$PROGRAM"; echo "[core] fsmonitor = $PROGRAM" >> "$OWN/config"',
  "a hook": 'mkdir -p "$OWN/hooks"; for h in pre-commit post-receive; do cp "$PROGRAM" "$OWN/hooks/$h"; done',
  "the folder of hooks moved": 'mv "$OWN/hooks" "$OWN/before"; mkdir "$OWN/hooks"; cp "$PROGRAM" "$OWN/hooks/pre-commit"',
  "the settings of a worktree":
    'for d in "$OWN" "$OWN"/worktrees/*; do echo "[core] fsmonitor = $PROGRAM" > "$d/config.worktree"; done; git config -f "$OWN/config" extensions.worktreeConfig true',
  "the whole folder replaced":
    'mv "$OWN" "$OWN-moved" && cp -r "$OWN-moved" "$OWN"; cp "$PROGRAM" "$OWN/hooks/pre-commit"; echo "[core] fsmonitor = $PROGRAM" >> "$OWN/config"',
  "not taken for one meanwhile":
    'mv "$OWN/objects" "$OWN/o"; mkdir -p "$OWN/hooks"; cp "$PROGRAM" "$OWN/hooks/pre-commit"; sleep 0.4; mv "$OWN/o" "$OWN/objects"',
};

inSandbox.each(Object.keys(layouts) as (keyof typeof layouts)[])(
  "%s: none of the attacks runs a program, and a commit works",
  async (name) => {
    const ran: string[] = [];
    for (const [attack, command] of Object.entries(attacks)) {
      const { run, own, work, program, isRun } = await session(layouts[name]);
      const there = `OWN='${own}'; PROGRAM='${program}'`;
      const git = `git -C '${work}' ${identity.join(" ")}`;
      const commit = `echo a > '${work}/a.ts' && ${git} add a.ts && ${git} commit -q -m "by the agent" && ${git} checkout -q -b next && ${git} status --short -uno`;
      expect(await run(commit)).toEqual({ end: { kind: "exited", code: 0 }, output: "" });
      await run(`${there}; ${command}`);
      if (isRun()) ran.push(attack);
    }
    expect(ran).toEqual([]);
  },
);

inSandbox("a bare repository in the tree can be pushed to, and gets no hook", async () => {
  const { run, own, work, program, isRun } = await session({
    make: "git clone -q seed top; git clone -q --bare seed top/fixtures.git",
    cwd: "top",
    own: "top/fixtures.git",
    work: "top",
  });
  expect(await run(`cd '${work}' && git push -q fixtures.git HEAD:refs/heads/other`)).toEqual({
    end: { kind: "exited", code: 0 },
    output: "",
  });
  for (const command of Object.values(attacks)) await run(`OWN='${own}'; PROGRAM='${program}'; ${command}`);
  expect(isRun()).toBe(false);
});

/** A bare repository in the tree of a session. */
async function withFixtures() {
  const world = await escapeWorld({ packages: false });
  onTestFinished(world.close);
  const at = (path: string) => join(world.policy.cwd, path);
  execFileSync("git", ["init", "-q", "--bare", at("fixtures.git")], { env });
  return { ...world, at };
}

const evil = (folder: string) => `git init -q ${folder}; git -C ${folder} config core.fsmonitor 'touch canary'`;

inSandbox("a repository among what git keeps of a bare one is put aside as anywhere", async () => {
  const { run, at } = await withFixtures();
  const places = ["objects/zz/r", "refs/r", "logs/r", "lfs/r"].map((place) => `fixtures.git/${place}`);
  await run(
    `${places.map(evil).join("; ")}; ln -s ${places[0]} app; mkdir fixtures.git/objects/.vscode; echo x > fixtures.git/objects/.vscode/tasks.json`,
  );
  expect(places.filter((place) => existsSync(at(`${place}/.git`)))).toEqual([]);
  expect(existsSync(at("fixtures.git/objects/.vscode"))).toBe(false);
});

inSandbox.each(["objects", "refs"])("a bare repository stays one to an agent that begins while its %s are away", async (part) => {
  const world = await withFixtures();
  const { run, at } = world;
  await run(`mv fixtures.git/${part} fixtures.git/away`);
  const other = await openAt(world.policy.cwd, world);
  onTestFinished(other.close);
  const before = readFileSync(at("fixtures.git/config"), "utf8");
  await other.run(
    "echo x > fixtures.git/hooks/pre-receive; git config -f fixtures.git/config core.fsmonitor x; echo x >> fixtures.git/config",
  );
  await run(`mv fixtures.git/away fixtures.git/${part}`);
  expect([existsSync(at("fixtures.git/hooks/pre-receive")), readFileSync(at("fixtures.git/config"), "utf8")]).toEqual([false, before]);
});

inSandbox("what a command that still runs has made of a folder makes no repository of it for the next one", async () => {
  const { run, at } = await withFixtures();
  const making =
    "cd src; mkdir objects refs; echo 'ref: refs/heads/x' > HEAD; touch ../up; while [ ! -e ../go ]; do sleep 0.02; done; echo done";
  const running = run(making);
  await eventually(() => existsSync(at("up")));
  await run("true");
  await run(`${evil("src/objects/proj")}; echo more`);
  writeFileSync(at("go"), "");
  expect((await running).output).toContain("done\n");
  await run("true");
  expect(["src/a.ts", "src/HEAD", "src/objects/proj/.git"].map((path) => existsSync(at(path)))).toEqual([true, false, false]);
});

inSandbox("git looks into no repository by a link in the index of a bare one with a work tree", async () => {
  const { run, at } = await withFixtures();
  const dot = "git --git-dir=fixtures.git --work-tree=.";
  await run(`${evil("node_modules/evil")}; ${dot} update-index --add --cacheinfo 160000,${"1".repeat(40)},node_modules/evil`);
  expect(existsSync(at("node_modules/evil/.git"))).toBe(false);
});

it("the tool Write is asked about what git runs in such a folder, and about no folder of that name elsewhere", async () => {
  const folder = tree({
    "p/src/hooks/use-a.ts": "",
    "p/.bare/HEAD": "ref: refs/heads/main\n",
    "p/.bare/objects/a": "",
    "p/.bare/refs/a": "",
  });
  onTestFinished(folder.remove);
  const policy = { ...(await policyFor(folder.at("p"), { mode: "acceptEdits" })), ...ownFolders() };
  const decided = async (path: string) => {
    const call = { tool: "Write", input: { path: folder.at(`p/${path}`), content: "" } };
    return decide(await locate(call, policy, realDisk.real), policy).decision;
  };
  const asked = [
    ".bare/hooks/pre-commit",
    ".bare/config",
    ".bare/info/attributes",
    ".bare/worktrees/wt/config.worktree",
    ".bare/FETCH_HEAD",
    "x/HEAD",
  ];
  expect(await Promise.all(asked.map(decided))).toEqual(asked.map(() => "ask"));
  const plain = ["src/hooks/use-b.ts", "src/config", ".bare/wt/src/hooks/use-a.ts", ".bare/notes.md"];
  expect(await Promise.all(plain.map(decided))).toEqual(plain.map(() => "allow"));
});
