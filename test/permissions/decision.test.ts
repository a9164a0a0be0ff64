import { describe, expect, it } from "vitest";
import { policyStore } from "../../src/agent/policy-store.ts";
import { type Call, locate } from "../../src/permissions/call.ts";
import { decide, judgeFile } from "../../src/permissions/decision.ts";
import { makePolicy, type Policy, type PolicyOrder, rulesIn } from "../../src/permissions/policy.ts";

// No disk: a path leads to itself, except for the links listed here.
const links: Record<string, string> = {
  "/repo/out": "/etc",
  "/repo/env-link": "/repo/.env",
  "/repo/hooks-link": "/repo/.git/hooks/pre-commit",
};
const real = async (path: string) => {
  const link = Object.keys(links).find((from) => path === from || path.startsWith(`${from}/`));
  return link ? links[link] + path.slice(link.length) : path;
};

async function policy(order: Partial<PolicyOrder> = {}): Promise<Policy> {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

async function decision(call: Call, order: Partial<PolicyOrder> = {}) {
  const chosen = await policy(order);
  return decide(await locate(call, chosen, real), chosen);
}

const file = (tool: string, path: string): Call => ({ tool, input: { path } });
const bash = (command: string): Call => ({ tool: "Bash", input: { command } });

describe("without rules", () => {
  it.each([
    ["Read", "src/a.ts", "allow"],
    ["Read", "/repo/src/a.ts", "allow"],
    ["Read", "/etc/hosts", "ask"],
    ["Read", "../x", "ask"],
    ["Read", "~/notes", "ask"],
    ["Read", "out/passwd", "ask"],
    ["Read", ".env", "ask"],
    ["Read", ".ENV", "ask"],
    ["Read", ".e\u200bnv", "ask"],
    ["Read", "config/.env.production", "ask"],
    ["Read", "env-link", "ask"],
    ["Read", ".env.example", "allow"],
    ["Read", "certs/server.key", "ask"],
    ["Read", "id_ed25519", "ask"],
    ["Read", "keys.ts", "allow"],
    ["Read", ".git/config", "allow"],
    ["Grep", "src", "allow"],
    ["Grep", ".env", "ask"],
    ["Glob", "/", "ask"],
    ["Write", "src/a.ts", "ask"],
    ["Edit", "src/a.ts", "ask"],
    ["Write", "/etc/hosts", "deny"],
    ["Write", "../x", "deny"],
    ["Write", "~/x", "deny"],
    ["Write", "out/x", "deny"],
    ["Write", "/home/me/.tool/settings.json", "deny"],
  ])("%s of %s: %s", async (tool, path, expected) => {
    expect((await decision(file(tool, path))).decision).toBe(expected);
  });

  it("asks for Bash, allows the board's operations, and asks for unknown tools", async () => {
    const calls = [
      bash("make"),
      { tool: "TaskCreate", input: {} },
      { tool: "SendMessage", input: {} },
      { tool: "StopTeammate", input: {} },
      { tool: "Other", input: {} },
    ];
    expect((await Promise.all(calls.map((call) => decision(call)))).map(({ decision }) => decision)).toEqual([
      "ask",
      "allow",
      "allow",
      "allow",
      "ask",
    ]);
  });

  it("refuses a call that does not say what it is about", async () => {
    expect([await decision({ tool: "Bash", input: {} }), await decision({ tool: "Read", input: null })]).toEqual([
      { decision: "deny", by: "limit", reason: "Bash is refused: it has no command" },
      { decision: "deny", by: "limit", reason: "Read is refused: it has no path" },
    ]);
  });
});

describe("rules", () => {
  const order = { allow: ["Bash", "Edit", "Write"], ask: ["Bash(git push:*)"], deny: ["Bash(rm:*)"] };

  it("deny beats ask beats allow, whichever is narrower", async () => {
    expect([
      await decision(bash("make"), order),
      await decision(bash("git push origin"), order),
      await decision(bash("git push; rm x"), { ...order, allow: ["Bash(git push; rm x)"] }),
    ]).toEqual([
      {
        decision: "allow",
        by: "rule",
        rule: "Bash",
        reason: "The rule Bash allows it",
        parts: [{ text: "make", where: "", decision: "allow" }],
      },
      {
        decision: "ask",
        by: "rule",
        rule: "Bash(git push:*)",
        reason: "The rule Bash(git push:*) asks for it",
        parts: [{ text: "git push origin", where: "", decision: "ask" }],
      },
      {
        decision: "deny",
        by: "rule",
        rule: "Bash(rm:*)",
        reason: "The rule Bash(rm:*) denies it",
        parts: [
          { text: "git push", where: "", decision: "ask" },
          { text: "rm x", where: "", decision: "deny" },
        ],
      },
    ]);
  });

  it.each([
    ".git/hooks/pre-commit",
    ".GIT/config",
    "sub/.git/modules/x/hooks/y",
    ".git",
    "hooks-link",
    ".tool/settings.json",
    ".mcp.json",
    ".husky/pre-push",
    ".vscode/tasks.json",
    ".idea/x",
    ".envrc",
    ".bashrc",
    ".claude/settings.json",
    "pkg/.cursor/rules",
    ".toolignore",
    ".env",
  ])("no allow rule and no mode covers writing %s", async (path) => {
    const modes = ["default", "acceptEdits", "bypassPermissions"] as const;
    const decisions = await Promise.all(modes.map((mode) => decision(file("Edit", path), { ...order, mode })));
    expect(decisions.map(({ decision, by }) => [decision, by])).toEqual(Array(3).fill(["ask", "built-in"]));
  });

  it("no allow rule and no mode opens files outside", async () => {
    const modes = ["default", "acceptEdits", "bypassPermissions"] as const;
    const decisions = await Promise.all(modes.map((mode) => decision(file("Write", "/etc/x"), { ...order, mode })));
    expect(decisions).toEqual(
      Array(3).fill({
        decision: "deny",
        by: "limit",
        reason:
          "/etc/x is outside the working directory /repo, and files are written only inside it and in folders that the person opens with /add-dir or --add-dir",
      }),
    );
  });

  it.each([
    file("Write", "TOOL.md"),
    file("Edit", "docs/tool.md"),
    bash("echo x >> TOOL.md"),
    bash("cp AGENTS.md ./TOOL.md"),
    bash("mv TOOL.md x"),
  ])("no allow rule and no mode writes the memory file: %j", async (call) => {
    const modes = ["default", "acceptEdits", "bypassPermissions"] as const;
    const all = { allow: [...order.allow, "Edit", "Write", "Bash"] };
    const decisions = await Promise.all(modes.map((mode) => decision(call, { ...order, ...all, mode })));
    expect(decisions.map(({ decision, by }) => [decision, by])).toEqual(Array(3).fill(["deny", "limit"]));
  });

  it("protected names count below the working directory, so that a worktree may be in such a folder", async () => {
    expect((await decision(file("Edit", "src/a.ts"), { ...order, cwd: "/repo/.tool/worktrees/one" })).decision).toBe("allow");
  });
});

describe("modes", () => {
  it.each([
    ["default", "ask", "ask", "allow"],
    ["acceptEdits", "allow", "ask", "allow"],
    ["plan", "deny", "deny", "allow"],
    ["dontAsk", "deny", "deny", "allow"],
    ["bypassPermissions", "allow", "allow", "allow"],
  ] as const)("%s: Edit %s, Bash %s, Read %s", async (mode, edit, shell, read) => {
    const decisions = await Promise.all([file("Edit", "a"), bash("make"), file("Read", "a")].map((call) => decision(call, { mode })));
    expect(decisions.map(({ decision }) => decision)).toEqual([edit, shell, read]);
  });
});

it("a background command is decided like any other", async () => {
  const inBackground = (command: string) => ({ ...bash(command), input: { command, background: true } });
  for (const mode of ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const) {
    for (const command of ["make", "ls", "npm test", "tool team answer 3 yes"]) {
      const settings = { mode, allow: ["Bash(npm test)"] };
      expect(await decision(inBackground(command), settings)).toEqual(await decision(bash(command), settings));
    }
  }
});

describe("a command that acts as a person", () => {
  it.each([
    "tool team answer 3 yes",
    "tool team --team atlas send ada hello",
    "node bin/tool.js team exec --as lead",
    "cd x && TOOL_OWNER= ./bin/tool.js team task update task-1",
    "env -u TOOL_OWNER tool  team\ttask list",
    "sh -c 'tool team exec --as bo'",
    't\\ool team "answer"',
    "tool --model x team stop atlas",
    "tool permissions add allow Bash",
    "npx tool permissions remove 'Bash(rm:*)'",
    "tool secrets uninstall-hook",
    "tool --print --trust 'do it'",
    "tool -p 'do it' --permission-mode bypassPermissions",
    "x=team; tool $x answer 3",
  ])("%s is denied, whatever allows it", async (command) => {
    const { parts: _, ...denied } = await decision(bash(command), { allow: ["Bash", `Bash(${command})`], mode: "bypassPermissions" });
    expect(denied).toEqual({
      decision: "deny",
      by: "limit",
      reason: "Agents may not run commands that answer, assign or write in the name of the user or of another agent",
    });
  });

  it.each([
    "tool team status",
    "tool --version",
    "npm test",
    "echo team answer",
    "grep -r exec tool",
    "tool team status; npm exec vitest",
    "tool permissions list",
  ])("%s is not such a command", async (command) => {
    expect((await decision(bash(command), { allow: ["Bash"] })).decision).toBe("allow");
  });
});

describe("judgeFile()", () => {
  it("judges one path as Read or Write would be judged, and ignores the system's devices", async () => {
    const chosen = await policy({ allow: ["Edit(src/**)"], deny: ["Read(*.pem)"], toolignore: { text: "secrets/\n", folder: "/repo" } });
    const judged = (access: "read" | "write", path: string) => judgeFile(access, { written: path, real: path }, chosen).decision;
    expect([
      judged("read", "/repo/a"),
      judged("write", "/repo/a"),
      judged("write", "/repo/src/a"),
      judged("read", "/repo/a.pem"),
      judged("write", "/repo/secrets/a"),
      judged("write", "/etc/a"),
      judged("write", "/dev/null"),
      judged("write", "/dev/sda"),
    ]).toEqual(["allow", "ask", "allow", "deny", "deny", "deny", "allow", "deny"]);
  });
});

describe("a skill in use", () => {
  const narrowed = async (call: Call, ...skills: string[][]) => {
    const chosen = await policy({ allow: ["Bash(npm test)", "Edit", "Bash(git:*)"] });
    const store = policyStore(chosen);
    for (const [index, texts] of skills.entries()) {
      store.narrow({ skill: `skill-${index + 1}`, only: rulesIn(texts, chosen) });
    }
    const { decision, by, reason } = decide(await locate(call, chosen, real), chosen);
    return decision === "deny" ? `${by}: ${reason}` : decision;
  };
  const review = ["Read", "Bash(git diff:*)", "Edit(docs/**)", "WebFetch"];

  it.each([
    [file("Read", "a.ts"), "allow"],
    [bash("git diff HEAD"), "allow"],
    [bash("git push"), 'limit: The skill "skill-1" does not allow Bash here'],
    [bash("git diff && npm test"), 'limit: The skill "skill-1" does not allow Bash here'],
    [file("Edit", "docs/a.md"), "allow"],
    [file("Edit", "src/a.ts"), 'limit: The skill "skill-1" does not allow Edit here'],
    [file("Write", "docs/a.md"), 'limit: The skill "skill-1" does not allow Write'],
    [{ tool: "Agent", input: {} }, 'limit: The skill "skill-1" does not allow Agent'],
    [{ tool: "WebFetch", input: { url: "https://example.org/" } }, "ask"],
    [{ tool: "TaskUpdate", input: {} }, "allow"],
    [{ tool: "Skill", input: { name: "other" } }, "allow"],
    [{ tool: "RecordFailure", input: {} }, "allow"],
  ])("has what allowed-tools names, and nothing more is allowed than before: %j", async (call, expected) => {
    expect(await narrowed(call, review)).toBe(expected);
  });

  it("leaves only what all of several name", async () => {
    expect(await narrowed(bash("git diff"), review, ["Read"])).toBe('limit: The skill "skill-2" does not allow Bash');
    expect(await narrowed(file("Read", "a.ts"), review, ["Read"])).toBe("allow");
    expect(await narrowed(file("Read", "a.ts"), [])).toBe('limit: The skill "skill-1" does not allow Read');
  });

  it("is denied by a rule with its name", async () => {
    expect((await decision({ tool: "Skill", input: { name: "Deploy" } }, { deny: ["Skill(deploy)"] })).decision).toBe("deny");
    expect((await decision({ tool: "Skill", input: { name: "other" } }, { deny: ["Skill(deploy)"] })).decision).toBe("allow");
  });
});
