// What the look for protected files finds at places where it once did not look.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { type EscapeWorld, escapeWorld, type WorldOptions } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world(options: WorldOptions = {}): Promise<EscapeWorld & { at: (path: string) => string }> {
  const made = await escapeWorld(options);
  onTestFinished(made.close);
  return { ...made, at: (path) => join(made.policy.cwd, path) };
}

inSandbox("a worktree that has the name of one of git's own folders is protected as any other", async () => {
  const { run, at } = await world();
  const names = ["logs", "refs", "lfs", "info", "hooks"];
  for (const name of names.slice(0, 3)) {
    mkdirSync(at(`.git/worktrees/${name}`), { recursive: true });
    writeFileSync(at(`.git/worktrees/${name}/commondir`), "../..\n");
  }
  await run(`for name in ${names.join(" ")}; do mkdir -p .git/worktrees/$name; echo "$PWD/evil" > .git/worktrees/$name/commondir; done`);
  const found = names.map(
    (name) => existsSync(at(`.git/worktrees/${name}/commondir`)) && readFileSync(at(`.git/worktrees/${name}/commondir`), "utf8"),
  );
  expect(found).toEqual(["../..\n", "../..\n", "../..\n", false, false]);
});

/** Folders in each other whose path is longer than any that the kernel takes, with a file at the end. */
const deep = (first: string, file: string) =>
  `(mkdir ${first} && cd ${first} && n=$(printf %0200d 0) && for i in $(seq 25); do mkdir $n && cd -P $n || exit; done; echo "$0" > ${file})`;

inSandbox("a folder whose path is too long to be looked at is put aside, and keeps nothing else from being seen", async () => {
  const { run, at, sandbox } = await world();
  const { denied } = await run(`${deep("made", ".envrc")}; mkdir z; echo x > z/.envrc; echo x > .envrc`);
  expect(denied?.map(({ subject }) => subject.replace(`${at("")}/`, "").replace(/0+/g, "0")).sort()).toEqual([
    ".envrc",
    expect.stringMatching(/^made(\/0){15,18}$/),
    "z/.envrc",
  ]);
  expect(sandbox.state()).toEqual({ kind: "active" });
});

inSandbox("what lies in such a folder of the person's is hidden, and stays", async () => {
  const { run, at, sandbox, canary } = await world({ deny: ["Read(.env)"] });
  onTestFinished(() => void execFileSync("rm", ["-r", at("theirs")])); // before the rest is removed, by paths
  execFileSync("bash", ["-c", deep("theirs", ".env"), canary], { cwd: at("") });
  const descend = `cd theirs; while [ -d "$(printf %0200d 0)" ]; do cd -P "$(printf %0200d 0)" || break; done`;
  const { output, denied } = await run(`(${descend}; cat .env); find . -name .env -exec cat {} +; echo done`);
  expect([output.includes(canary), output.includes("done\n"), denied, sandbox.state()]).toEqual([
    false,
    true,
    undefined,
    { kind: "active" },
  ]);
  expect(execFileSync("bash", ["-c", `${descend}; cat .env`], { cwd: at(""), encoding: "utf8" })).toBe(`${canary}\n`);
});
