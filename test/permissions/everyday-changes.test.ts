// Which commands on git and on backups the mode acceptEdits covers, and the first rule offered for a command.
import { describe, expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { offers } from "../../src/permissions/offers.ts";
import { makePolicy, type PermissionMode } from "../../src/permissions/policy.ts";

async function decided(command: string, mode: PermissionMode) {
  const real = async (path: string) => path;
  const made = await makePolicy(
    { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", temporary: "/home/me/.tool/state/tmp", mode },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  const call = await locate({ tool: "Bash", input: { command } }, made.policy, real);
  const decision = decide(call, made.policy);
  return { decision: decision.decision, first: decision.decision === "ask" ? offers(call, decision, made.policy)[0]?.texts : undefined };
}

describe("in the mode acceptEdits", () => {
  it.each([
    "git checkout -b fix/x",
    "git switch -c fix-x",
    "git branch fix/x",
    "git mv src/a.ts src/b.ts",
    "git rm src/a.ts",
    "git restore --staged src/a.ts src/b.ts",
    "git add -A",
    "git add src/a.ts test",
    "git reset",
    "git reset HEAD src/a.ts",
    "git reset -q -- src/a.ts",
    "sed -i.bak s/a/b/ src/a.ts",
    'tmp=$(mktemp) && jq .a a.json > "$tmp" && mv "$tmp" a.json',
  ])("needs no answer, which it does in the mode default and is refused in the mode plan: %s", async (command) => {
    const modes: PermissionMode[] = ["acceptEdits", "default", "plan"];
    expect((await Promise.all(modes.map((mode) => decided(command, mode)))).map(({ decision }) => decision)).toEqual([
      "allow",
      "ask",
      "deny",
    ]);
  });

  it.each(["d=$(mktemp -d); cp a.ts $d/b.ts; ls $d", 'cp a.ts "$TMPDIR/a.ts" && head "$TMPDIR/a.ts"'])(
    "needs none in the modes default and plan either if only temporary files of the session change: %s",
    async (command) => {
      const modes: PermissionMode[] = ["acceptEdits", "default", "plan"];
      expect((await Promise.all(modes.map((mode) => decided(command, mode)))).map(({ decision }) => decision)).toEqual([
        "allow",
        "allow",
        "allow",
      ]);
    },
  );

  it.each([
    "git checkout -B x",
    "git checkout -b x origin/main",
    "git checkout main",
    "git switch -C x",
    "git branch -f x",
    "git branch -D x",
    "git -c core.hooksPath=x checkout -b y",
    "git mv -f a b",
    "git mv a ../b",
    "git mv a .git/hooks/post-checkout",
    "git mv x/CLAUDE.md .",
    "git rm -f a",
    "git add -f a",
    "git add -p",
    "git add ../a",
    "git add .env",
    "git -c core.fsmonitor=./x add a",
    "git clean -f",
    "git rm '*.ts'",
    "git rm .husky/pre-commit",
    "git restore a",
    "git restore --staged --worktree a",
    "git reset --hard",
    "git reset HEAD~1",
    "git stash",
    "sed -i.md s/a/b/ CLAUDE",
    "touch rust-toolchain.toml",
    'TMPDIR=/etc; cp a.ts "$TMPDIR/a.ts"',
    'TMPDIR=/etc tmp=$(mktemp) && cp a.ts "$tmp"',
    'mktemp() { echo /etc/x; }; tmp=$(mktemp) && cp a.ts "$tmp"',
    'eval x; cp a.ts "$TMPDIR/a.ts"',
    'cp a.ts "$(mktemp -p /etc)"',
    'cp a.ts "$(mktemp -d)/../../../etc/x"',
    'cp a.ts "$TMPDIR/../x"',
    "cp a.ts '$TMPDIR/../../x'",
  ])("is not allowed: %s", async (command) => {
    expect((await decided(command, "acceptEdits")).decision).not.toBe("allow");
  });
});

it.each([
  ["pnpm vitest run src/a.test.ts", "Bash(pnpm vitest *)"],
  ["pnpm exec tsc --noEmit", "Bash(pnpm exec tsc *)"],
  ["yarn jest -i", "Bash(yarn jest *)"],
  ["./target/release/parse --version", "Bash(./target/release/parse *)"],
  ["make -C tools check", "Bash(make check *)"],
  ["make -j4 test", "Bash(make test *)"],
  ["git stash push -m wip", "Bash(git stash *)"],
  ["git stash drop", "Bash(git stash drop)"],
  ["go mod vendor", "Bash(go mod vendor *)"],
  ["python3 -m json.tool a.json", "Bash(python3 -m json.tool *)"],
  ["pnpm exec sh -c x", "Bash(pnpm exec sh -c x)"],
])("offers a rule for the kind first: %s", async (command, rule) => {
  expect((await decided(command, "default")).first).toEqual([rule]);
});
