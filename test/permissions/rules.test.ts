import { describe, expect, it } from "vitest";
import { type Call, locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";
import { parseRule, saysWhatItMeans, showRule } from "../../src/permissions/rules.ts";

// No disk: a path leads to itself, except for the links listed here.
const links: Record<string, string> = { "/repo/docs": "/home/me/.aws", "/repo/shared": "/repo/secret", "/home/me/work": "/repo" };
const real = async (path: string) => {
  const link = Object.keys(links).find((from) => path === from || path.startsWith(`${from}/`));
  return link ? links[link] + path.slice(link.length) : path;
};

async function decisions(calls: Call[], order: Partial<PolicyOrder>): Promise<string[]> {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  return Promise.all(calls.map(async (call) => decide(await locate(call, made.policy, real), made.policy).decision));
}

const file = (tool: string, path: string): Call => ({ tool, input: { path } });
const read = (paths: string[]) => paths.map((path) => file("Read", path));
const edit = (paths: string[]) => paths.map((path) => file("Edit", path));
const shown = (text: string) => {
  const parsed = parseRule(text);
  return parsed.ok ? showRule(parsed.rule) : parsed.reason;
};

describe("a rule as a person writes it", () => {
  it.each([
    ["Bash", "Bash"],
    ["Edit(*)", "Edit"],
    [" Bash( npm test ) ", "Bash(npm test)"],
    ["Bash(echo (a) | wc)", "Bash(echo (a) | wc)"],
    ["Bash(node --test:*)", "Bash(node --test:*)"],
    ["Bash(*)", "Bash"],
    ["Read(//etc/hosts)", "Read(//etc/hosts)"],
    ["Read( src/** )", "Read(src/**)"],
    ["Edit(~/notes)", "Edit(~/notes)"],
    ["TaskCreate", "TaskCreate"],
    ["WebFetch(domain:Example.COM.)", "WebFetch(domain:example.com)"],
    ["WebFetch(domain:*.Example.com)", "WebFetch(domain:*.example.com)"],
    ["WebFetch(domain:bücher.example)", "WebFetch(domain:xn--bcher-kva.example)"],
    ["mcp__github", "mcp__github"],
    ["mcp__github__*", "mcp__github"],
    ["mcp__github__create_issue(*)", "mcp__github__create_issue"],
    ["Agent(reviewer)", "Agent(reviewer)"],
  ])("%s is parsed", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ["bash", 'no tool is called "bash"'],
    ["", "it does not have the form Tool or Tool(…)"],
    ["Bash(", 'it does not end in ")"'],
    ["bash(ls)", 'no tool is called "bash". Did you mean Bash?'],
    ["Bash()", "the parentheses are empty"],
    ["Bash(:*)", 'there is no program before the "*"'],
    ["Bash(r\u200bm:*)", "it contains invisible or misleading characters"],
    ["Read(s\uFFFDcrets/**)", "a character of it could not be read"],
    ["Read(!src)", 'it cannot begin with "!"'],
    ["Read(*.{pem,key})", "braces are not supported"],
    ["Read([a)", 'a "[" has no "]"'],
    ["Read(a\\)", "it ends in a backslash"],
    ["Read(a/../b)", '".." is allowed only at the beginning'],
    ["Read(a\nb)", "it has a line break"],
    ["TaskCreate(x)", "TaskCreate takes no parentheses"],
    ["mcp__github(x)", "mcp__github takes no parentheses"],
    ["mcp__", "write mcp__server for all tools of a server"],
    ["WebFetch(example.com)", "write WebFetch(domain:example.com)"],
    ["WebFetch(domain:a/b)", "write WebFetch(domain:example.com)"],
    ["Agent(a b)", "write Agent(name)"],
  ])("%j is refused, never taken for a rule that covers nothing", (text, reason) => {
    expect(shown(text)).toContain(`Cannot use the permission rule "${text}": ${reason}`);
  });

  it("for one file is displayed so that it parses as that file", () => {
    const paths = ["/a", "/a b", "/a*", "/[a]", "/#a", "/!a", "/{a,b}", "/a ", "/é"];
    const rules = paths.map((path) => ({ tool: "Read", kind: "file", path }) as const);
    expect(rules.map(saysWhatItMeans)).toEqual(paths.map(() => true));
  });
});

describe("a path rule", () => {
  it.each([
    ["Read(.env)", ["/repo/.env", "/repo/a/.env"], ["/repo/.envrc", "/x/.env"]],
    ["Read(a/b)", ["/repo/a/b", "/repo/a/b/c"], ["/repo/x/a/b"]],
    ["Read(./a)", ["/repo/a", "/repo/a/b"], ["/repo/x/a"]],
    ["Read(/a)", ["/etc/tool/a"], ["/repo/a"]],
    ["Read(//a/*)", ["/a/b", "/a/b/c"], ["/a", "/repo/a/b"]],
    ["Read(~/a)", ["/home/me/a", "/home/me/a/b"], ["/repo/a"]],
    ["Read(../a)", ["/a", "/a/b"], ["/repo/a"]],
    ["Read(.)", ["/repo/a"], ["/a"]],
    ["Read(~)", ["/home/me/a"], ["/a"]],
    ["Read(//)", ["/a", "/x/y"], []],
    ["Read(**/*.pem)", ["/repo/a.pem", "/repo/x/y/a.pem"], ["/repo/a.pem.txt"]],
    ["Read(src/*.ts)", ["/repo/src/a.ts"], ["/repo/src/x/a.ts", "/repo/src/a.tsx"]],
    ["Read(src/**/t)", ["/repo/src/t", "/repo/src/a/b/t"], ["/repo/t"]],
    ["Read(#a)", ["/repo/#a"], ["/repo/a"]],
    ["Read(a//b/./c)", ["/repo/a/b/c"], ["/repo/c"]],
  ])("%s denies %j and leaves %j", async (text, hit, missed) => {
    const rule = { text, scope: "managed", folder: "/etc/tool" } as const;
    expect(await decisions(read([...hit, ...missed]), { deny: [rule], allow: ["Read(//)"] })).toEqual([
      ...hit.map(() => "deny"),
      ...missed.map((path) => (path.endsWith(".env") || path.endsWith(".envrc") ? "ask" : "allow")),
    ]);
  });

  it("denies every name that a file system may treat as the same, and a folder with its contents", async () => {
    const paths = ["SECRET/a", "secret", "Secre\u0301t/../secret/x", "s\u200becret/a", "shared/x", "docs/x"];
    expect(await decisions(read(paths), { deny: ["Read(secret/**)", "Read(docs)"] })).toEqual(paths.map(() => "deny"));
  });

  it("allows only what is written so, and only if both the written and the real path are covered", async () => {
    const order = { allow: ["Edit(src/**)", "Edit(shared/**)", "Read(docs/**)", "Read(//home/me/repo/**)"] };
    expect(await decisions(edit(["src/a", "src/x/y", "SRC/a", "src", "other/a", "shared/a"]), order)).toEqual([
      "allow",
      "allow",
      "ask",
      "ask",
      "ask",
      "ask",
    ]);
    expect(await decisions(read(["docs/credentials", "~/repo/a", "/etc/x"]), order)).toEqual(["ask", "allow", "ask"]);
  });

  it("through a link that its pattern names denies the link's target", async () => {
    expect(await decisions(read(["secret/a", "shared/a", "other"]), { deny: ["Read(shared/**)"] })).toEqual(["deny", "deny", "allow"]);
  });

  it("about names applies in every working directory", async () => {
    const order = { deny: ["Read(*.pem)", "Edit(gen/**)"], directories: ["/lib"] };
    expect(await decisions([...read(["/lib/a.pem", "/lib/a"]), ...edit(["/lib/gen/a"])], order)).toEqual(["deny", "allow", "ask"]);
  });

  it("of Read covers every way to read, of Edit every way to write", async () => {
    const calls = ["Read", "Grep", "Glob", "Edit", "Write"].map((tool) => file(tool, "/repo/a"));
    expect(await decisions(calls, { deny: ["Read(a)"] })).toEqual(["deny", "deny", "deny", "deny", "ask"]);
    expect(await decisions(calls, { deny: ["Edit(a)"] })).toEqual(["allow", "allow", "allow", "deny", "deny"]);
    expect(await decisions(calls, { deny: ["Write(a)"] })).toEqual(["allow", "allow", "allow", "deny", "deny"]);
    expect(await decisions(calls, { allow: ["Edit(a)"] })).toEqual(["allow", "allow", "allow", "allow", "allow"]);
    expect(await decisions(calls, { allow: ["Write(a)"] })).toEqual(["allow", "allow", "allow", "ask", "allow"]);
    const outside = ["Read", "Grep"].map((tool) => file(tool, "/etc/a"));
    expect(await decisions(outside, { allow: ["Grep"] })).toEqual(["ask", "allow"]);
  });
});

describe("a star at the end of a path", () => {
  const far = ["src/a.ts", "src/sub", "src/sub/b.ts", "src/sub/deep/c.ts"];

  it.each([
    ["Edit(src/*)", ["allow", "allow", "ask", "ask"]],
    ["Edit(/src/*.ts)", ["allow", "ask", "ask", "ask"]],
    ["Edit(src/**)", ["allow", "allow", "allow", "allow"]],
    ["Edit(src)", ["allow", "allow", "allow", "allow"]],
    ["Edit(src/*/*)", ["ask", "ask", "allow", "ask"]],
    ["Edit(*.ts)", ["allow", "ask", "allow", "allow"]],
    ["Edit(s*)", ["ask", "allow", "ask", "ask"]],
  ])("covers one level in an allow: %s", async (rule, expected) => {
    const order = { allow: [{ text: rule, scope: "user" as const, folder: "/repo" }] };
    expect(await decisions(edit(far), order)).toEqual(expected);
  });

  it("covers everything below in a deny and an ask, and opens no search that goes deeper", async () => {
    expect(await decisions(edit(far), { deny: ["Edit(src/*)"] })).toEqual(["deny", "deny", "deny", "deny"]);
    const outside = ["/other/src/a.ts", "/other/src/sub/b.ts"];
    const order = { allow: ["Read(//other/src/*)"] };
    expect(await decisions([...read(outside), file("Grep", "/other/src/sub")], order)).toEqual(["allow", "ask", "ask"]);
  });
});

describe("rules about other things", () => {
  it("compare hosts by whole labels", async () => {
    const urls = [
      "https://example.com/a",
      "https://a.example.com",
      "https://badexample.com",
      "https://example.com.evil.org",
      "https://example.com@evil.org",
    ];
    const calls = urls.map((url): Call => ({ tool: "WebFetch", input: { url } }));
    expect(await decisions(calls, { allow: ["WebFetch(domain:example.com)"] })).toEqual(["allow", "ask", "ask", "ask", "ask"]);
    expect(await decisions(calls, { allow: ["WebFetch(domain:*.example.com)"] })).toEqual(["ask", "allow", "ask", "ask", "ask"]);
    for (const rule of ["WebFetch(domain:example.com)", "WebFetch(domain:*.example.com)"]) {
      const decided = ["deny", "deny", "allow", "allow", "allow"];
      expect(await decisions(calls, { allow: ["WebFetch"], deny: [rule] })).toEqual(decided);
    }
  });

  it("ask for addresses of this machine and of private networks, unless a rule of the user names the host", async () => {
    const hosts =
      "localhost 127.0.0.1 127.1 2130706433 0x7f.1 10.1.2.3 169.254.169.254 [::1] [::ffff:10.0.0.1] [fd00::1] printer nas.local".split(" ");
    const calls = hosts.map((host): Call => ({ tool: "WebFetch", input: { url: `http://${host}/` } }));
    expect(await decisions(calls, { allow: ["WebFetch"] })).toEqual(hosts.map(() => "ask"));
    expect(await decisions(calls.slice(0, 1), { allow: ["WebFetch(domain:localhost)"] })).toEqual(["allow"]);
    expect(await decisions(calls.slice(0, 1), { allow: [{ text: "WebFetch(domain:localhost)", scope: "project" }] })).toEqual(["ask"]);
    expect(await decisions([{ tool: "WebFetch", input: { url: "file:///etc/passwd" } }], { allow: ["WebFetch"] })).toEqual(["deny"]);
  });

  it("name a server or one of its tools, and an agent", async () => {
    const calls = ["mcp__github__create_issue", "mcp__github__list", "mcp__githubber__list", "mcp__other__x"].map(
      (tool): Call => ({ tool, input: {} }),
    );
    expect(await decisions(calls, { allow: ["mcp__github"], deny: ["mcp__github__create_issue"] })).toEqual([
      "deny",
      "allow",
      "ask",
      "ask",
    ]);
    const agents = ["reviewer", "Reviewer", "other"].map((agent): Call => ({ tool: "Agent", input: { subagent_type: agent } }));
    expect(await decisions(agents, { allow: ["Agent"], deny: ["Agent(reviewer)"] })).toEqual(["deny", "deny", "allow"]);
    // Starting one needs no rule: it works under the rules of the agent that starts it.
    expect(await decisions(agents, { ask: ["Agent(reviewer)"] })).toEqual(["ask", "ask", "allow"]);
  });
});

describe("sensitive files", () => {
  const sensitive = read([".env", "config/server.pem", "~/.ssh/config"]);

  it("are opened by a rule of the user that names such files, by none that covers everything, and by none of a repository", async () => {
    const named = ["Read(.env)", "Read(*.pem)", "Read(~/.ssh/**)"];
    expect(await decisions(sensitive, { allow: named })).toEqual(["allow", "allow", "allow"]);
    expect(await decisions(sensitive, { allow: ["Read", "Read(**)", "Read(//)", "Read(~/**)"] })).toEqual(["ask", "ask", "ask"]);
    for (const scope of ["project", "local"] as const) {
      expect(await decisions(sensitive, { allow: named.map((text) => ({ text, scope })) })).toEqual(["ask", "ask", "ask"]);
    }
  });
});

describe("an agent's definition", () => {
  it("removes every tool and use that it does not name, and allows nothing by itself", async () => {
    const tools = ["Read", "Edit(src/**)", "Bash(git log:*)", "mcp__github", "NoSuchTool"];
    const calls: Call[] = [
      file("Read", "a"),
      file("Grep", "a"),
      file("Edit", "src/a"),
      file("Write", "src/a"),
      file("Edit", "b"),
      ...["git log -3", "git log; ls", "ls"].map((command): Call => ({ tool: "Bash", input: { command } })),
      ...["mcp__github__list", "mcp__other__x", "TaskCreate"].map((tool): Call => ({ tool, input: {} })),
    ];
    expect(await decisions(calls, { tools, allow: ["Bash", "mcp__other"], mode: "bypassPermissions" })).toEqual([
      "allow",
      "deny",
      "allow",
      "deny",
      "deny",
      "allow",
      "deny",
      "deny",
      "allow",
      "deny",
      "deny",
    ]);
    expect(await decisions([file("Edit", "src/a")], { tools })).toEqual(["ask"]);
  });
});
