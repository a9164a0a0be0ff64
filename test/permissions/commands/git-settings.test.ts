// Commands by which git writes the settings of its repository, or goes over ssh: asked about where the sandbox would keep them from it.
import { expect, it } from "vitest";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { permit } from "../../../src/permissions/permit.ts";
import { makePolicy, type Policy, type PolicyOrder } from "../../../src/permissions/policy.ts";
import type { Answer, Question } from "../../../src/permissions/questions/question.ts";

const real = async (path: string) => path;
const bash = (command: string) => ({ tool: "Bash", input: { command } });

async function policyOf(order: Partial<PolicyOrder> = {}, facts: Partial<Policy> = {}): Promise<Policy> {
  const made = await makePolicy(
    { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", sandbox: { kind: "active" }, ...order },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  return { ...made.policy, proxied: true, isThere: (path) => path === "/repo/.git/config", ...facts };
}

async function decided(commands: string[], policy: Policy) {
  const found = commands.map(async (command) => [command, decide(await locate(bash(command), policy, real), policy).reason] as const);
  return Object.fromEntries(await Promise.all(found));
}

const writing = [
  "git config core.editor vim",
  "git remote add fork https://example.org/a.git",
  "git remote set-url origin https://example.org/b.git",
  "git branch -u origin/main",
  "git branch --unset-upstream",
  "git branch -m new",
  "git checkout -b f --track main",
  "git checkout -b f origin/f",
  "git switch -c f origin/f",
  "git switch -t origin/f",
  "git branch f origin/f",
  "git worktree add -b f ../w origin/f",
  "git submodule update --init",
  "cd src && git config a.b c",
];

it("is asked about as a write of the settings file is, whatever rules allow, and not without a sandbox, in the mode plan or elsewhere", async () => {
  const policy = await policyOf({ allow: ["Bash(git:*)", "Bash(cd:*)"] });
  const reason =
    "/repo/.git/config always needs a person's permission: git runs programs that it names, or gets the history from where it says";
  expect(await decided([...writing, "git push -u https://example.org/a main"], policy)).toEqual(
    Object.fromEntries([...writing, "git push -u https://example.org/a main"].map((command) => [command, reason])),
  );
  const missing = await policyOf({ allow: ["Bash(git config:*)"], sandbox: { kind: "missing", why: "gone" } });
  const elsewhere = [missing, { ...policy, mode: "plan" as const }].map((other) => decided(["git config a.b c"], other));
  expect(JSON.stringify([await Promise.all(elsewhere), await decided(["git -C ../other config a.b c"], policy)])).not.toContain(
    "always needs a person's permission: git runs",
  );
});

it("is not asked about where git only reads, or makes a branch that follows none", async () => {
  const reading = [
    "git config user.name",
    "git config --get a.b",
    "git config -l",
    "git remote -v",
    "git remote get-url origin",
    "git branch -a",
    "git branch -vv",
    "git branch --merged origin/main",
    "git branch --contains origin/main",
    "git branch -d merged",
    "git checkout -b f",
    "git switch -c f",
    "git checkout origin/main",
    "git checkout -b f --no-track origin/f",
    "git worktree add ../w",
    "git log origin/main",
  ];
  const asked = Object.entries(await decided(reading, await policyOf())).filter(([, why]) => why.includes(".git/config"));
  expect(asked).toEqual([]);
});

it("lets the approved command alone change the file, as its words say", async () => {
  const policy = await policyOf();
  const enter = permit({ policy, real, ask: async (): Promise<Answer> => ({ kind: "once" }), now: () => new Date(0) });
  await enter(bash("git config core.editor vim"), new AbortController().signal);
  expect([1, 2].map(() => policy.grants.takeRun("git config core.editor vim"))).toEqual([
    { shown: [], changes: { paths: ["/repo/.git/config"], words: ["git", "config", "core.editor", "vim"] } },
    undefined,
  ]);
});

it("asks before git goes over ssh, which the proxy does not pass, whatever rules allow, and says that it needs the network", async () => {
  const policy = await policyOf({ allow: ["Bash(git push:*)"] }, { overSsh: (words) => words.some((word) => word.startsWith("git@")) });
  const questions: Question[] = [];
  const ask = async (question: Question): Promise<Answer> => {
    questions.push(question);
    return { kind: "no" };
  };
  const enter = permit({ policy, real, ask, now: () => new Date(0) });
  for (const command of ["git clone git@example.org:a/b", "git push git@example.org:a/b", "git ls-remote https://example.org/a"])
    await enter(bash(command), new AbortController().signal);
  expect(questions.map((question) => question.kind === "permission" && [question.reason, question.network, question.lacks])).toEqual(
    Array(2).fill(["git goes over ssh there, and the sandbox has no way out for that", true, "ssh"]),
  );
});
