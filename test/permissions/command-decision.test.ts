import { describe, expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { type CommandSandbox, makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";

const real = async (path: string) => path;

async function decision(command: string, order: Partial<PolicyOrder>) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const { parts: _, ...decided } = decide(await locate({ tool: "Bash", input: { command } }, made.policy, real), made.policy);
  return decided;
}

const sandboxes: CommandSandbox[] = ["active", "off", "unavailable"];
const underEach = (command: string, order: Partial<PolicyOrder>) =>
  Promise.all(sandboxes.map(async (sandbox) => (await decision(command, { ...order, sandbox })).decision));

describe("a write by a command", () => {
  it.each([
    ["echo b > b.txt", "Write", "allow"],
    ["echo b > b.txt", "Edit", "allow"],
    ["echo b >> src/b.txt", "Write(src/**)", "allow"],
    ["echo b >> src/b.txt", "Edit(src/**)", "allow"],
    ["echo b > lib/b.txt", "Write(src/**)", "ask"],
    ["echo b > /etc/b", "Write", "deny"],
    ["echo b > .git/config", "Write", "ask"],
    ["cp a b", "Write", "allow"],
    ["ls 2>&1 | tee log", "Write", "allow"],
  ])("%s under Bash and %s: %s", async (command, rule, expected) => {
    expect((await decision(command, { allow: ["Bash", rule] })).decision).toBe(expected);
  });

  it.each(["Write(src/**)", "Edit(src/**)"])("is denied by %s", async (rule) => {
    expect(await decision("echo b > src/b", { allow: ["Bash", "Write", "Edit"], deny: [rule] })).toEqual({
      decision: "deny",
      by: "rule",
      rule,
      reason: `The rule ${rule} denies it`,
    });
  });
});

describe("where the sandbox is wanted and cannot be had", () => {
  it.each([
    ["npm test", ["Bash"]],
    ["npm test", ["Bash(npm test:*)"]],
    ["npm test -- a", ["Bash(npm *)"]],
    ["rm a.txt", ["Bash(rm:*)"]],
    ["ls; npm test", ["Bash(ls:*)", "Bash(npm test:*)"]],
    ["find . -exec rm {} +", ["Bash"]],
    ["timeout 5 npm test", ["Bash(npm test:*)"]],
    ["git branch new", ["Bash(git branch:*)"]],
  ])("%s is not covered by %j", async (command, allow) => {
    expect((await decision(command, { allow, sandbox: "unavailable" })).decision).toBe("ask");
  });

  it("the reason says what is missing", async () => {
    expect(await decision("npm test", { allow: ["Bash(npm:*)"], sandbox: "unavailable" })).toEqual({
      decision: "ask",
      by: "default",
      reason: "The sandbox is not available here, and without it only a rule for exactly this command allows what may change something",
    });
  });

  it.each([
    ["npm test", ["Bash(npm test)"]],
    ["cd src && timeout 5 npm test | tail -3", ["Bash(npm test)", "Bash(tail:*)"]],
    ["npm test && npm run lint", ["Bash(npm test && npm run lint)"]],
    ["git status --short | head", ["Bash(git status:*)", "Bash(head:*)"]],
    ["git log --oneline | wc -l", ["Bash"]],
    ["grep -rn TODO src", ["Bash(grep:*)"]],
  ])("%s is covered by %j", async (command, allow) => {
    expect((await decision(command, { allow, sandbox: "unavailable" })).decision).toBe("allow");
  });

  it("a person who turned it off, and one who bypasses every question, has the rules as they are", async () => {
    expect([
      await underEach("npm test", { allow: ["Bash(npm test:*)"] }),
      await underEach("npm test", { mode: "bypassPermissions" }),
      await underEach("npm test", { allow: ["Bash"], mode: "acceptEdits" }),
      await underEach("npm test", { allow: ["Bash"], mode: "dontAsk" }),
    ]).toEqual([
      ["allow", "allow", "ask"],
      ["allow", "allow", "allow"],
      ["allow", "allow", "ask"],
      ["allow", "allow", "deny"],
    ]);
  });
});

describe("a folder that is changed with all that it holds", () => {
  const order = { allow: ["Edit", "Bash(rm:*)", "Bash(mv:*)", "Bash(chmod:*)", "Bash(cp:*)"], deny: ["Edit(a/b/**)", "Edit(*.lock)"] };

  it.each([
    ["rm -rf .", "ask"],
    ["rm -rf a", "ask"],
    ["rm -rf a/b", "deny"],
    ["rm -rf a*", "ask"],
    ["rm -rf dist", "allow"],
    ["rm -rf *.log", "allow"],
    ["mv a c", "ask"],
    ["chmod -R +x .", "ask"],
    ["chmod -R +x dist", "allow"],
    ["cp -r dist/. .", "ask"],
    ["cp dist/x .", "allow"],
  ])("%s: %s", async (command, expected) => {
    expect((await decision(command, order)).decision).toBe(expected);
  });
});

describe("names that another command lists", () => {
  const order = {
    allow: ["Bash(find:*)", "Bash(git ls-files:*)", "Bash(wc:*)", "Bash(xargs:*)"],
    deny: ["Read(./secrets/**)"],
    sandbox: "active" as const,
  };

  it.each([
    ["wc -l $(git ls-files)", "allow"],
    ["wc -l $(find src -type f)", "allow"],
    ["wc -l $(find secrets -type f)", "deny"],
    ["for f in $(find src); do wc -l $f; done", "allow"],
    ["for f in $(find src; find /etc); do wc -l $f; done", "ask"],
    ["for f in $(find src); do cd secrets; wc -l $f; done", "ask"],
    ["find src | (cd lib; xargs wc)", "ask"],
    ["find 'src /etc/shadow' | xargs wc", "ask"],
  ])("%s: %s", async (command, expected) => {
    expect((await decision(command, order)).decision).toBe(expected);
  });
});

describe("the mode bypassPermissions", () => {
  const order = { mode: "bypassPermissions" as const };

  it("asks where a file is not known and rules stand against files", async () => {
    expect((await decision('cat "$x"', order)).decision).toBe("allow");
    expect((await decision('cat "$x"', { ...order, deny: ["Read(.env)"] })).decision).toBe("ask");
  });

  it("asks where a denied program is named to one that runs what it is given", async () => {
    expect((await decision("docker run i rm x", order)).decision).toBe("allow");
    expect((await decision("docker run i rm x", { ...order, deny: ["Bash(rm:*)"] })).decision).toBe("ask");
    expect((await decision("at now <<< 'rm x'", { ...order, deny: ["Bash(rm:*)"] })).decision).toBe("ask");
  });
});

describe("a search below a folder in which a rule stands against files", () => {
  const allow = ["Bash(grep:*)", "Bash(cat:*)", "Bash(rg:*)"];

  it.each([
    ["grep -r key .", { deny: ["Read(secrets/**)"] }],
    ["grep -r key src", { deny: ["Read(*.pem)"] }],
    ["rg key", { deny: ["Read(/repo/secrets/**)"] }],
    ["cat src/*", { toolignore: { text: "src/private\n", folder: "/repo" } }],
  ])("%s finds nothing of it in the sandbox, and is asked for without one (%j)", async (command, order) => {
    expect(await underEach(command, { allow, ...order })).toEqual(["allow", "ask", "ask"]);
  });

  it("is asked for wherever the rule asks, since the sandbox shows those files", async () => {
    expect(await underEach("grep -r key .", { allow, ask: ["Read(secrets/**)"] })).toEqual(["ask", "ask", "ask"]);
  });

  it("is denied where the folder itself is", async () => {
    expect(await underEach("grep -r key secrets/a", { allow, deny: ["Read(secrets/**)"] })).toEqual(["deny", "deny", "deny"]);
  });

  it("is free where the rule speaks of other folders", async () => {
    expect(await underEach("grep -r key src", { allow, deny: ["Read(./secrets/**)"] })).toEqual(["allow", "allow", "allow"]);
  });
});
