// Files that run later or set what agents may do: a question comes before any allow rule, and commands in the sandbox cannot change them
// under any name.
import { expect, it } from "vitest";
import { type Call, locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";
import { pathClasses } from "../../src/permissions/sandbox/sandbox-view.ts";
import { protectedNames } from "../protected-names.ts";

const real = async (path: string) => path;
const order: PolicyOrder = { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool" };
const allow = ["Edit", "Bash(echo:*)"].map((text) => ({ text, scope: "user" as const, folder: "/repo" }));

async function policy(more: Partial<PolicyOrder>) {
  const made = await makePolicy({ ...order, allow, ...more }, real);
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

it.each(["active", "missing"] as const)(
  "with the sandbox %s each needs permission for a tool and for a command, at any depth",
  async (kind) => {
    const chosen = await policy({ sandbox: kind === "active" ? { kind } : { kind, why: "not installed" } });
    const wrong: string[] = [];
    for (const name of protectedNames.flatMap((each) => [each, `deep/er/${each}`, each.toUpperCase()])) {
      const calls: Call[] = [
        { tool: "Write", input: { path: name } },
        { tool: "Bash", input: { command: `echo x > '${name}'` } },
      ];
      for (const call of calls) {
        const { decision } = decide(await locate(call, chosen, real), chosen);
        if (decision !== "ask") wrong.push(`${decision} ${call.tool} ${name}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

it("is protected in the sandbox at any depth; similar names are not", async () => {
  const standing = pathClasses(await policy({ sandbox: { kind: "active" } }));
  const meaning = (path: string) => standing({ path: `/repo/${path}`, kind: "file" })?.rules;
  expect(protectedNames.flatMap((name) => [name, `deep/er/${name}`]).filter((name) => meaning(name) !== true)).toEqual([]);
  // Most of these only name programs that run when somebody starts them, like any code in the tree.
  const plain = [
    ..."package.json Makefile Justfile tox.ini conftest.py .eslintrc.js .gitattributes .gitignore .editorconfig .nvmrc .python-version".split(
      " ",
    ),
    ...".github/workflows/ci.yml .gitlab-ci.yml compose.yml flake.nix gradle.properties sitecustomize.py .bundle/config uv.toml".split(" "),
    ..."mise.md opencode.ts src/claude.ts lefthook/a.ts .cargo/audit.toml rebase-merge/a docs/agents/a.md vim/a.vim src/mise.ts".split(" "),
    ...".git/HEAD .git/worktrees/w/HEAD components/Head/a.ts head docs/rules.md my.rules .venv/bin/activate src/devcontainer.json .env.example src/helix/a.toml".split(
      " ",
    ),
  ];
  expect(plain.filter((name) => meaning(name) !== undefined)).toEqual([]);
});

it("HEAD as a revision is no file", async () => {
  const commands = [
    "git checkout HEAD -- a.ts",
    "git restore --source HEAD a.ts",
    "git checkout origin/HEAD",
    "node release.js --base=HEAD",
  ];
  const rules = ["Bash(git:*)", "Bash(node:*)"].map((text) => ({ text, scope: "user" as const, folder: "/repo" }));
  const chosen = await policy({ sandbox: { kind: "active" }, allow: rules });
  const decisionOf = async (command: string) => decide(await locate({ tool: "Bash", input: { command } }, chosen, real), chosen).decision;
  expect(await Promise.all(commands.map(decisionOf))).toEqual(commands.map(() => "allow"));
  expect(await decisionOf("cp a.ts HEAD")).toBe("ask");
});

it("TOOL.md is written by nobody but the user", async () => {
  const chosen = await policy({ sandbox: { kind: "active" } });
  const { decision } = decide(await locate({ tool: "Write", input: { path: "TOOL.md" } }, chosen, real), chosen);
  expect(decision).toBe("deny");
});

const states = ".git/HEAD .git/index .git/packed-refs .git/refs/heads/main .git/objects/ab/c .git/ORIG_HEAD sub/.git/HEAD .GIT/index".split(
  " ",
);

it.each(["active", "missing"] as const)(
  "with the sandbox %s git alone writes below a .git folder, and commands there are git",
  async (kind) => {
    const made = await policy({ mode: "acceptEdits", sandbox: kind === "active" ? { kind } : { kind, why: "not installed" } });
    const chosen = { ...made, isThere: (path: string) => path === "/repo/.git/index" };
    const decisionOf = async (call: Call) => decide(await locate(call, chosen, real), chosen).decision;
    const written = await Promise.all(states.map((path) => decisionOf({ tool: "Write", input: { path } })));
    expect(written).toEqual(states.map(() => "ask"));
    const commands = [...states.map((path) => `echo x > ${path}`), "mv .git/index y", "mkdir -p sub/.git/refs", "touch .git/refs/a"];
    const asked = await Promise.all(commands.map((command) => decisionOf({ tool: "Bash", input: { command } })));
    // What stands in packed-refs may replace objects.
    const isOpen = (command: string) => kind === "active" && !command.includes("packed-refs");
    expect(asked).toEqual(commands.map((command) => (isOpen(command) ? "allow" : "ask")));
    const looks = ["cat .git/HEAD", "ls .git/refs", "git status", "wc -l .git/packed-refs", "git add a.ts"];
    const open = await Promise.all(looks.map((command) => decisionOf({ tool: "Bash", input: { command } })));
    expect([...open, await decisionOf({ tool: "Read", input: { path: ".git/HEAD" } })]).toEqual([...looks, ""].map(() => "allow"));
  },
);
