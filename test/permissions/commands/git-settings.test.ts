// Commands by which git writes the settings of its repository, or goes over ssh: asked about where the sandbox would keep them from it.
import { expect, it } from "vitest";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { permit } from "../../../src/permissions/permit.ts";
import { makePolicy, type Policy, type PolicyOrder, type Scope, type WrittenRule } from "../../../src/permissions/policy.ts";
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
    { shown: [], changes: { paths: ["/repo/.git/config"], words: ["git", "config", "core.editor", "vim"] }, inside: true },
    undefined,
  ]);
});

it("asks before git goes over ssh, which the proxy does not pass, whatever rules allow, and says that it needs the network", async () => {
  const policy = await policyOf({ allow: ["Bash(git push:*)"] }, { overSsh: (words) => /git@([^:]+)/.exec(words.join(" "))?.[1] });
  const questions: Question[] = [];
  const ask = async (question: Question): Promise<Answer> => {
    questions.push(question);
    return { kind: "no" };
  };
  const enter = permit({ policy, real, ask, now: () => new Date(0) });
  for (const command of ["git clone git@example.org:a/b", "git push git@example.org:a/b", "git ls-remote https://example.org/a"])
    await enter(bash(command), new AbortController().signal);
  expect(questions.map((question) => question.kind === "permission" && [question.reason, question.network, question.lacks])).toEqual(
    Array(2).fill(["git goes over ssh to example.org, and the sandbox has no way out for that", true, "ssh"]),
  );
});

const own = (text: string, scope: Scope = "user"): WrittenRule => ({ text, scope, file: "settings.json", folder: "/repo" });
const push = "git push -u https://example.org/a main";

it.each<[what: string, rules: (string | WrittenRule)[], command: string, decision: string]>([
  ["a rule for the program and its subcommand", ["Bash(git push:*)"], push, "allow"],
  ["one in the person's own settings", [own("Bash(git push *)")], push, "allow"],
  ["one for exactly this", [`Bash(${push})`], push, "allow"],
  ["rules for each part", ["Bash(git add:*)", "Bash(git push:*)"], `git add -A && ${push} 2>&1 | tail -3`, "allow"],
  ["one that is wider for the other parts", ["Bash(git:*)", "Bash(git push:*)"], `git commit -m x; ${push}`, "allow"],
  ["a rule that names no subcommand", ["Bash(git:*)"], push, "ask"],
  ["every command", ["Bash"], push, "ask"],
  ["another subcommand", ["Bash(git remote:*)", "Bash(git:*)"], push, "ask"],
  ["one of the repository", [own("Bash(git push:*)", "project")], push, "ask"],
  ["one of the project's own file, which a repository can bring", [own("Bash(git push:*)", "local")], push, "ask"],
  ["a rule for one part only", ["Bash(git push:*)"], `node build.js; ${push}`, "ask"],
  ["a file that a word names", ["Bash(git push:*)"], `${push} --receive-pack=.git/config`, "allow"],
  ["a file that another part writes", ["Bash(git show:*)", "Bash(git push:*)"], `git show --output=.git/config; ${push}`, "ask"],
])("is opened or not by %s", async (_, rules, command, decision) => {
  const policy = await policyOf({ allow: rules, trusted: true });
  expect(decide(await locate(bash(command), policy, real), policy).decision).toBe(decision);
});

it("is closed by the person's ask and deny rules all the same", async () => {
  for (const rules of [{ ask: ["Bash(git push:*)"] }, { deny: ["Edit(.git/**)"] }]) {
    const policy = await policyOf({ allow: ["Bash(git push:*)"], ...rules });
    expect(decide(await locate(bash(push), policy, real), policy).decision).not.toBe("allow");
  }
});

it("is opened to what names no program by a rule for the subcommand, and to what the words say by one for exactly this", async () => {
  const runs = async (allow: string[], command: string) => {
    const policy = await policyOf({ allow });
    const permission = await permit({ policy, real, ask: undefined })(bash(command), new AbortController().signal);
    return [permission.allowed, policy.grants.takeRun(command)];
  };
  const [paths, command] = [["/repo/.git/config"], "git config core.editor vim"];
  expect(await runs(["Bash(git config:*)"], command)).toEqual([true, { changes: { paths, words: [] }, inside: true }]);
  expect(await runs([`Bash(${command})`], command)).toEqual([true, { changes: { paths, words: command.split(" ") }, inside: true }]);
  expect(await runs(["Bash(git push:*)"], "git push https://example.org/a main")).toEqual([true, { inside: true }]);
});

it("says where nobody can be asked which rules would allow it, and offers them for a session where somebody can", async () => {
  const policy = await policyOf({ allow: ["Bash(git:*)"] });
  const alone = await permit({ policy, real, ask: undefined })(bash(`git add -A && ${push}`), new AbortController().signal);
  expect(alone).toEqual({
    allowed: false,
    reason: expect.stringMatching(
      /\.git\/config always needs a person's permission: .*It would be allowed by --allow 'Bash\(git add -A\)' --allow 'Bash\(git push -u https:\/\/example\.org\/a main\)'\.$/,
    ),
    missing: ["Bash(git add -A)", `Bash(${push})`],
  });
  const questions: Question[] = [];
  const ask = async (question: Question): Promise<Answer> => {
    questions.push(question);
    return { kind: "session", rules: [`Bash(${push})`] };
  };
  const enter = permit({ policy, real, ask, now: () => new Date(0) });
  for (const _ of [1, 2]) expect(await enter(bash(push), new AbortController().signal)).toEqual({ allowed: true });
  expect(questions.length).toBe(1);
});
