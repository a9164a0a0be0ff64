// Links that lead outside, and files with secrets: what a pattern or a search comes to without saying so.
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/permissions/call.ts";
import type { Outliers } from "../../../src/permissions/commands/command-decision.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { makePolicy, type PolicyOrder } from "../../../src/permissions/policy.ts";

const none: Outliers = { sensitive: [], links: [], packages: () => undefined };

async function decided(command: string, found: Outliers | undefined, order: Partial<PolicyOrder> = {}): Promise<string> {
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, outliers: () => found };
  return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision;
}

describe("a link that leads out", () => {
  const out = { ...none, links: [{ path: "/repo/docs/out", target: "/etc" }] };
  it.each([
    ["cat docs/*", "ask"],
    ["cat docs/*/passwd", "ask"],
    ["cat */*/passwd", "ask"],
    ['for f in docs/*; do head "$f"; done', "ask"],
    ["cat docs/[[:alpha:]]ut/passwd", "ask"],
    ["cat docs/[[.o.]]ut", "ask"],
    ["cat docs/[\\]o]ut", "ask"],
    ["cat docs/[[:upper:]]*.md", "allow"],
    ["cat src/*", "allow"],
    ["cat docs/*.md", "allow"],
    ["grep -r x .", "allow"],
    ["grep -r x docs/*", "ask"],
    ["rg x", "allow"],
    ["find . -name '*.md' -exec cat {} +", "ask"],
    ["find . -type f -name '*.md' -exec cat {} +", "allow"],
  ])("is gone through unasked by nothing: %s is %s", async (command, expected) => {
    expect(await decided(command, out)).toBe(expected);
    expect(await decided(command, { ...none, links: [{ path: "/repo/docs/out", target: "/repo/src" }] })).toBe("allow");
  });

  it.each(["mv docs d; touch d/out/x", "mv doc* d; cat d/out/passwd", "deploy docs/*", "deploy d*/out/passwd", "deploy docs/o?t"])(
    "is neither moved nor given to a program without a question: %s",
    async (command) => {
      const order: Partial<PolicyOrder> = { mode: "acceptEdits", sandbox: { kind: "missing", why: "it is not installed" } };
      const allow = ["Bash(deploy *)"];
      expect(await decided(command, out, { ...order, allow })).toBe("ask");
      expect(await decided(command, none, { ...order, allow })).toBe("allow");
    },
  );

  it.each(["grep -R x .", "rg -L x", "find -L . -exec cat {} +"])("is followed by no search without a question: %s", async (command) => {
    expect(await decided(command, out)).toBe("ask");
  });
});

it.each([
  ["cp src/pre-commit src/h?", "../.git/hooks", "/repo/.git/hooks"],
  ["tee src/h* <<< x", "../.git/config", "/repo/.git/config"],
  ["cp a src/*/config.toml", "../.cargo", "/repo/.cargo"],
  ["tee src/h* <<< x", "/etc", "/etc"],
])("no link that a glob finds is written through to what is protected or outside: %s with a link to %s", async (command, _, target) => {
  const order: Partial<PolicyOrder> = { mode: "acceptEdits", sandbox: { kind: "missing", why: "bwrap is not installed" } };
  const to = (place: string) => ({ ...none, links: [{ path: "/repo/src/hk", target: place }] });
  expect(await decided(command, to(target), order)).toBe("ask");
  expect(await decided(command, to("/repo/lib"), order)).toBe("allow");
});

it.each([":/", "':(top)*'", "':!src'"])(
  "git's search from the top of the repository with %s comes to a file with secrets",
  async (spec) => {
    expect(await decided(`cd src && git grep -n . ${spec}`, { ...none, sensitive: ["/repo/.env"] })).toBe(
      spec.includes("!") ? "allow" : "ask",
    );
  },
);

it.each([
  "-- ..",
  "..",
  "HEAD -- ..",
  "-- /repo",
  "-- '../*'",
  "-- ../*",
  "-- ../src/..",
  "-- ':(icase)..'",
  "-- 'sr[c]/../..'",
  "-- ':!x' ..",
  "-e -- ..",
])("git's search comes to a file with secrets wherever its words lead: %s", async (words) => {
  const order: Partial<PolicyOrder> = { sandbox: { kind: "missing", why: "bwrap is not installed" } };
  const secret = { ...none, sensitive: ["/repo/.env"] };
  expect(await decided(`cd src && git grep KEY ${words}`, secret, order)).toBe("ask");
  expect(await decided(`cd src && git grep KEY ${words}`, none, { ...order, deny: ["Read(./.env)"] })).toBe("ask");
});

it.each([
  ["git grep -n KEY -- src", "allow"],
  ["git grep -A 3 KEY HEAD -- 'src/*.ts'", "allow"],
  ["cd src && git grep KEY", "allow"],
  ["git grep KEY", "ask"],
  ["git grep KEY src", "ask"],
  ["git grep -- KEY src", "ask"],
  ["git grep -A 3 -- KEY", "ask"],
  ["git grep -e a -e -- HEAD", "ask"],
  ["git grep KEY -- ':!src'", "ask"],
  ["git grep -n -e KEY -A 3 -- src", "allow"],
  ["git grep -n KEY -A 3 -- src", "allow"],
  ["git grep -n -B 1 -A 3 -- KEY", "ask"],
  ["git grep -nA 3 -m 2 -- KEY", "ask"],
  ["git grep --context 3 -- KEY", "ask"],
  ["git -C src grep KEY -- ../lib", "allow"],
  ["git -C src grep KEY -- ..", "ask"],
])("git's search is of the paths behind the dashes, where they surely are some: %s is %s", async (command, expected) => {
  expect(await decided(command, { ...none, sensitive: ["/repo/.env"] })).toBe(expected);
});

it.each([
  "git diff --text",
  "git diff -wa",
  "git diff --bin",
  "cd src && git log -p --text",
  "git show -a",
  "git stash show -p --text",
  "git stash list -p --text",
])("what git prints although attributes mark it as binary is a search of everything: %s", async (command) => {
  const order: Partial<PolicyOrder> = { sandbox: { kind: "missing", why: "bwrap is not installed" } };
  expect(await decided(command, { ...none, sensitive: ["/repo/.env"] }, order)).toBe("ask");
  expect(await decided(command, none, { ...order, deny: ["Read(secret/**)"] })).toBe("ask");
  expect(await decided(command, none, { ...order, allow: ["Bash(git *)"] })).toBe("allow");
  expect(await decided("git diff -Sdata; git log -p", { ...none, sensitive: ["/repo/.env"] }, order)).toBe("allow");
});

it.each([
  ["cat vendor/k*/*", "ask"],
  ["cat */keys/*", "ask"],
  ["cat vendor/o*", "ask"],
  ["grep -rn KEY vendor", "ask"],
  ["grep -rn KEY vendor/pkg", "ask"],
  ["cat node_modules/l*/k.txt", "ask"],
  ["grep -rn KEY .", "allow"],
  ["grep -rn KEY node_modules/lodash", "allow"],
  ["cat src/*.ts", "allow"],
  ["ls vendor/pkg", "allow"],
])("what begins in a folder of packages comes to what is there: %s is %s", async (command, expected) => {
  const links = [
    { path: "/repo/vendor/keys", target: "/home/me/.ssh" },
    { path: "/repo/vendor/one", target: "/etc/passwd" },
  ];
  const packages = (path: string) => (path.includes("/node_modules/") ? "unread" : path.includes("/vendor/") ? "read" : undefined);
  expect(await decided(command, { links, sensitive: ["/repo/vendor/pkg/.env"], packages })).toBe(expected);
});

it.each(["git add -f .", "git add -A -f", "git add --force -A"])(
  "what git is told to take in although it ignores it is read: %s",
  async (command) => {
    const order: Partial<PolicyOrder> = { mode: "acceptEdits", sandbox: { kind: "missing", why: "bwrap is not installed" } };
    expect(await decided(command, { ...none, sensitive: ["/repo/.env"] }, order)).toBe("ask");
    expect(await decided(command, none, order)).toBe("allow");
    expect(await decided("git add -A", { ...none, sensitive: ["/repo/.env"] }, order)).toBe("allow");
  },
);

it("a search of more files than can be looked through is asked about", async () => {
  expect(await decided("grep -r x .", undefined)).toBe("ask");
  expect(await decided("cat a.txt", undefined)).toBe("allow");
});
