import { describe, expect, it } from "vitest";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { makePolicy, type PolicyOrder, type SandboxState } from "../../../src/permissions/policy.ts";

const real = async (path: string) => path;

async function decision(command: string, order: Partial<PolicyOrder>) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", autoAllow: false, ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const { parts: _, ...decided } = decide(await locate({ tool: "Bash", input: { command } }, made.policy, real), made.policy);
  return decided;
}

const missing: SandboxState = { kind: "missing", why: "it is not installed" };
const sandboxes: SandboxState[] = [{ kind: "active" }, { kind: "off" }, missing];
const underEach = (command: string, order: Partial<PolicyOrder>) =>
  Promise.all(sandboxes.map(async (sandbox) => (await decision(command, { ...order, sandbox })).decision));

it("lets no place outside hide that a rule denies it", async () => {
  const order = { allow: ["Bash(deploy *)"], deny: ["Edit(//etc/**)"] };
  expect(await underEach("deploy /etc/hosts", order)).toEqual(["deny", "deny", "deny"]);
  expect(await decision("deploy /etc/hosts", order)).toMatchObject({ by: "rule", rule: "Edit(//etc/**)" });
});

describe("a wildcard rule covers the program that it names, used as its words say", () => {
  it.each([
    ["npm --prefix web run build", "npm run build *"],
    ["npm exec tsc", "npm *"],
    ["npx rm x", "npx *"],
    ["npx vitest run -c vitest.e2e.config.ts", "npx vitest *"],
    ["uv run pytest -q", "uv run pytest *"],
    ["go test -exec=./x ./...", "go test *"],
    ["cargo +nightly clippy", "cargo clippy *"],
    ["make -j4 -C web test", "make test *"],
    ["FEATURE=on npm test", "npm test *"],
    ["git -C web commit -F - <<'END'\nSubject\nEND", "git commit *"],
    ["find . -name x -exec rm {} +", "find *"],
    ["sh -c 'make x'", "sh -c *"],
    ['npm test -- -t "$NAME"', "npm test *"],
  ])("%s is covered by Bash(%s)", async (command, rule) => {
    expect((await decision(command, { allow: [`Bash(${rule})`], sandbox: { kind: "active" } })).decision).toBe("allow");
  });

  it.each([
    ["npm --prefix ../other test", "npm *"],
    ["pytest --junitxml=../report.xml", "pytest *"],
    ["pytest -c/etc/x.ini", "pytest *"],
    ["PYTHONPATH=/srv/x pytest", "pytest *"],
    ["GOFLAGS=-toolexec=./x go test", "go test *"],
    ["NODE_OPTIONS=--require=./x npm test", "npm test *"],
    ["PATH=.:$PATH npm test", "npm test *"],
    ["go test -coverprofile=.git/hooks/x", "go test *"],
    ["make --file=/srv/other.mk", "make *"],
    ["git commit -F /etc/hostname", "git commit *"],
    ["git merge-file a b /etc/hostname", "git *"],
    ["timeout 5 rm x", "timeout *"],
    ["xargs rm", "xargs *"],
    ["find $(rm x)", "find *"],
    ["sh -c 'rm x' --version", "* --version"],
    ["cp -r c .cargo", "cp *"],
    ["rsync -a c/ .github", "rsync *"],
    ["git mv c .github", "git mv *"],
    ["git add .cargo; git mv c/config.toml .cargo", "git *"],
    ["git read-tree -u --prefix=.cargo HEAD:c", "git *"],
    ["git config -f .cargo/config.toml a.b c", "git config *"],
    ["git -c core.attributesFile= diff", "git *"],
    ["git --config-env=include.path=X diff", "git *"],
    ["$PROGRAM x", "*"],
  ])("%s is more than that, and Bash(%s) does not cover it", async (command, rule) => {
    expect((await decision(command, { allow: [`Bash(${rule})`], sandbox: { kind: "active" } })).decision).not.toBe("allow");
  });
});

describe("a word that names a link is judged by where it leads, whatever it looks like", () => {
  const links: Record<string, string> = {
    "/repo/pw": "/etc/passwd",
    "/repo/envlink": "/repo/.env",
    "/repo/up": "/other/repo",
    "/repo/z": "/etc/passwd",
    "/repo/7": "/etc",
    "/repo/in": "/repo/src",
  };
  const leads = async (path: string) => links[path] ?? path;
  const decidedWithLinks = async (command: string) => {
    const order = {
      cwd: "/repo",
      home: "/home/me",
      configDir: "/home/me/.tool",
      allow: ["Bash(deploy *)", "Bash(git *)"],
      sandbox: missing,
    };
    const made = await makePolicy(order, leads);
    if (!made.ok) throw new Error(made.reason);
    return decide(await locate({ tool: "Bash", input: { command } }, made.policy, leads), made.policy).decision;
  };

  it.each(
    "xargs -a pw echo,xargs --arg-file=pw echo,xargs -apw echo,xargs -az echo,git -C up log -p,git blame -Sz a.ts,git blame -cSz a.ts,deploy envlink,deploy -fpw,deploy -xz,deploy 7".split(
      ",",
    ),
  )("%s", async (command) => {
    expect(await decidedWithLinks(command)).toBe("ask");
    expect(await decidedWithLinks(command.replace(/pw|up|envlink|z|7/, "in"))).toBe("allow");
  });
});

describe("/tmp", () => {
  const temporary = "/home/me/.tool/state/tmp";

  async function decidedWithTmp(command: string, order: Partial<PolicyOrder>) {
    const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", temporary, ...order }, real);
    if (!made.ok) throw new Error(made.reason);
    const policy = Object.assign(made.policy, { privateTmp: temporary });
    return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision;
  }

  it.each([
    ["echo x > /tmp/f", {}, "allow"],
    ["cat /tmp/f; ls /tmp", {}, "allow"],
    ["npm test > /tmp/out.txt 2>&1; tail /tmp/out.txt", { allow: ["Bash(npm test *)"] }, "allow"],
    ["cat /tmp/../etc/hosts", {}, "ask"],
    ["cat /tmp/.env", {}, "ask"],
    ["echo x > /tmp/f", { mode: "plan" }, "allow"],
    ["echo x > f", { mode: "plan" }, "allow"],
    ["echo x > f", { mode: "plan", autoAllow: false }, "deny"],
    ["echo x > f", { mode: "plan", deny: ["Edit(f)"] }, "deny"],
    ["cat /tmp/f", { deny: ["Read(//tmp/**)"] }, "deny"],
    ["echo x > /tmp/f", { sandbox: { kind: "missing", why: "none" } }, "ask"],
    ["echo x > /tmp/f", { sandbox: { kind: "missing", why: "none" }, allow: ["Edit"] }, "ask"],
    ["echo x > /tmp/f", { sandbox: { kind: "missing", why: "none" }, allow: ["Edit(//tmp/**)"] }, "allow"],
    [`echo x > ${temporary}/f`, { sandbox: { kind: "missing", why: "none" } }, "allow"],
    ["cat f", { cwd: "/tmp/repo" }, "allow"],
    ["echo x > f", { cwd: "/tmp/repo" }, "allow"],
    ["echo x > f", { cwd: "/tmp/repo", autoAllow: false }, "ask"],
  ] as [string, Partial<PolicyOrder>, string][])("%s under %j: %s", async (command, order, expected) => {
    expect(await decidedWithTmp(command, { sandbox: { kind: "active" }, ...order })).toBe(expected);
  });
});

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

describe("where the sandbox is missing", () => {
  it.each([
    ["npm test", ["Bash"]],
    ["npm test", ["Bash(npm test:*)"]],
    ["npm test -- a", ["Bash(npm *)"]],
    ["rm a.txt", ["Bash(rm:*)"]],
    ["ls; npm test", ["Bash(ls:*)", "Bash(npm test:*)"]],
    ["timeout 5 npm test", ["Bash(npm test:*)"]],
    ["git branch new", ["Bash(git branch:*)"]],
  ])("%s is covered by %j as in the sandbox", async (command, allow) => {
    expect(await underEach(command, { allow })).toEqual(["allow", "allow", "allow"]);
  });

  it.each([
    ["git push", ["Bash(git pull:*)"]],
    ["npm run lint", ["Bash(npm test:*)"]],
  ])("%s is covered by %j no more than in the sandbox", async (command, allow) => {
    expect(await underEach(command, { allow })).toEqual(["ask", "ask", "ask"]);
  });

  it.each(["cat .env", "cat ./src/../.env", "cat .en*", "base64 < .env", "sh -c 'cat .env'", "find . -name '*' -exec cat {} +"])(
    "a command that names a path to a denied file does not run: %s",
    async (command) => {
      expect(["ask", "deny"]).toContain((await decision(command, { allow: ["Bash"], deny: ["Read(.env)"], sandbox: missing })).decision);
    },
  );
});

describe("where the sandbox is lost", () => {
  const sandbox = { kind: "lost", why: "a folder could not be watched" } as const;

  it.each([
    { allow: ["Bash(npm test)"] },
    { allow: ["Bash"] },
    { mode: "bypassPermissions" as const },
    { allow: ["Bash"], mode: "acceptEdits" as const },
  ])("only the user allows a command, whatever the rules: %j", async (order) => {
    expect(await decision("npm test", { ...order, sandbox })).toEqual({
      decision: "ask",
      by: "built-in",
      reason: "The sandbox is lost, and what commands left may run outside it now: a folder could not be watched",
    });
  });

  it("a deny stays a deny, and nobody is asked in the mode dontAsk", async () => {
    expect([
      (await decision("rm a", { allow: ["Bash"], deny: ["Bash(rm:*)"], sandbox })).decision,
      (await decision("npm test", { allow: ["Bash"], mode: "dontAsk", sandbox })).decision,
    ]).toEqual(["deny", "deny"]);
  });
});

it("where settings require a sandbox and there is none, no command runs", async () => {
  const sandbox = { kind: "refused", why: "bwrap was not found on PATH" } as const;
  expect(await decision("ls", { allow: ["Bash"], mode: "bypassPermissions", sandbox })).toEqual({
    decision: "deny",
    by: "limit",
    reason: "No command runs, because sandbox.required is set and there is no sandbox: bwrap was not found on PATH",
  });
});

describe("a folder that is changed with everything in it", () => {
  const order = {
    allow: ["Edit", "Bash(rm:*)", "Bash(mv:*)", "Bash(chmod:*)", "Bash(cp:*)"],
    deny: ["Edit(a/b/**)", "Edit(*.lock)", "Edit(prod/*.yml)", "Read(secrets/*)"],
  };

  it.each([
    ["rm -rf .", "ask"],
    ["rm -rf a", "ask"],
    ["rm -rf a/b", "deny"],
    ["rm -rf a*", "ask"],
    ["rm -rf dist", "allow"],
    ["rm -rf *.log", "allow"],
    ["mv a c", "ask"],
    ["mv a* c", "ask"],
    ["mv prod c", "ask"],
    ["mv pro? c", "ask"],
    ["mv -v --backup prod c", "ask"],
    ["rm -r prod", "ask"],
    ["mv secrets c", "ask"],
    ["mv secre* c; cat c/key", "ask"],
    ["mv src c", "allow"],
    ["chmod 644 prod", "allow"],
    ["chmod +x prod; rm -r prod", "ask"],
    ["chmod -R +x .", "ask"],
    ["chmod -R +x dist", "allow"],
    ["cp -r dist/. .", "ask"],
    ["cp -r src/. dist", "allow"],
    ["cp dist/x .", "allow"],
  ])("%s: %s", async (command, expected) => {
    expect((await decision(command, order)).decision).toBe(expected);
  });
});

describe("the mode bypassPermissions", () => {
  const order = { mode: "bypassPermissions" as const };

  it("asks if a file is not known and rules restrict files", async () => {
    expect((await decision('cat "$x"', order)).decision).toBe("allow");
    expect((await decision('cat "$x"', { ...order, deny: ["Read(.env)"] })).decision).toBe("ask");
  });

  it("asks if a denied program is named to one that runs its arguments", async () => {
    expect((await decision("docker run i rm x", order)).decision).toBe("allow");
    expect((await decision("docker run i rm x", { ...order, deny: ["Bash(rm:*)"] })).decision).toBe("ask");
    expect((await decision("at now <<< 'rm x'", { ...order, deny: ["Bash(rm:*)"] })).decision).toBe("ask");
  });
});

describe("a search below a folder that contains restricted files", () => {
  const allow = ["Bash(grep:*)", "Bash(cat:*)", "Bash(rg:*)", "Bash(git grep:*)"];

  it.each([
    ["grep -r key .", { deny: ["Read(secrets/**)"] }],
    ["grep -r key src", { deny: ["Read(*.pem)"] }],
    ["rg key", { deny: ["Read(/repo/secrets/**)"] }],
    ["grep -y -r key", { deny: ["Read(secrets/**)"] }],
    ["rg --no-config key", { deny: ["Read(secrets/**)"] }],
    ["rg --pre cat key", { deny: ["Read(secrets/**)"] }],
    ["git grep --no-index key", { deny: ["Read(secrets/**)"] }],
    ["git grep --open-files-in-pager=cat key", { deny: ["Read(secrets/**)"] }],
    ["cat src/*", { toolignore: { text: "src/private\n", folder: "/repo" } }],
  ])("%s finds nothing of it in the sandbox, and is asked for without one (%j)", async (command, order) => {
    expect(await underEach(command, { allow, ...order })).toEqual(["allow", "ask", "ask"]);
  });

  it("is asked for if the rule asks, because the sandbox shows those files", async () => {
    expect(await underEach("grep -r key .", { allow, ask: ["Read(secrets/**)"] })).toEqual(["ask", "ask", "ask"]);
  });

  it("is denied if the folder itself is", async () => {
    expect(await underEach("grep -r key secrets/a", { allow, deny: ["Read(secrets/**)"] })).toEqual(["deny", "deny", "deny"]);
  });

  it("is allowed if the rule is about other folders", async () => {
    expect(await underEach("grep -r key src", { allow, deny: ["Read(./secrets/**)"] })).toEqual(["allow", "allow", "allow"]);
  });
});

describe("git in a tree that others work in", () => {
  const inSharedTree = async (command: string, order: Partial<PolicyOrder>) => {
    const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
    if (!made.ok) throw new Error(made.reason);
    const policy = { ...made.policy, sharedTree: true };
    return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy);
  };
  const orders: Partial<PolicyOrder>[] = [
    { allow: ["Bash(git *)", "Bash(cd *)"] },
    { allow: ["Bash"] },
    { mode: "bypassPermissions" },
    { sandbox: { kind: "active" } },
  ];

  it.each([
    "git stash",
    "git stash pop",
    "git checkout main",
    "git checkout -b mine",
    "git reset",
    "git reset --soft HEAD~1",
    "git clean -fd",
    "git switch -c mine",
    "git rebase main",
    "git merge main",
    "git pull",
    "cd src && git -C .. stash -u",
    "sh -c 'git stash'",
    "env -u X git stash",
    "command git checkout -- src/a.ts",
    "echo src/a.ts | xargs git checkout --",
    "git restore src/a.ts",
    "git restore -SW .",
    "git checkout-index -fa",
    "git sparse-checkout set src",
  ])("%s needs permission whatever rule allows it", async (command) => {
    const decisions = await Promise.all(orders.map((order) => inSharedTree(command, order)));
    expect(decisions.map(({ decision }) => decision)).toEqual(orders.map(() => "ask"));
    expect(decisions[0]?.reason).toBe("It changes a working tree that others are working in, which always needs permission");
  });

  it.each(["git co main", "git -c alias.s=stash s", "sh -c 'git co main'", "git-co main", 'git "$VERB"'])(
    "%s needs permission, because it may be an alias or a program",
    async (command) => {
      const decisions = await Promise.all(orders.map((order) => inSharedTree(command, order)));
      expect(decisions.map(({ decision }) => decision)).toEqual(orders.map(() => "ask"));
      expect((await inSharedTree(command, { allow: ["Bash"] })).reason).toContain(
        "it may change a working tree that others are working in",
      );
    },
  );

  it.each([
    "git stash list",
    "git restore --staged src/a.ts",
    "git hash-object src/a.ts",
    "git --version",
    "git clean -n",
    "git status",
    "git add src/a.ts",
    "git commit -m x src/a.ts",
    "git diff main",
    "git branch -a",
  ])("%s is not", async (command) => expect((await inSharedTree(command, { mode: "bypassPermissions" })).decision).toBe("allow"));

  it("a deny rule takes precedence", async () => {
    expect((await inSharedTree("git stash", { deny: ["Bash(git stash *)"] })).decision).toBe("deny");
  });
});

describe("a pathspec of git is a pattern", () => {
  const order = {
    allow: ["Bash(git *)"],
    deny: ["Edit(prod/**)", "Read(secret/**)"],
    sandbox: missing,
  };

  it.each([
    ["git checkout HEAD~1 -- 'pro*'", "deny"],
    ["git checkout HEAD~1 -- ':(top)prod'", "deny"],
    ["cd src && git checkout HEAD~1 -- ':(top)prod'", "deny"],
    ["git checkout HEAD~1 -- ':(icase)PROD'", "deny"],
    ["git checkout HEAD~1 -- ':!src'", "ask"],
    ["cd src && git checkout HEAD~1 -- :/", "ask"],
    ["cd src && git checkout HEAD~1 -- ':!x'", "ask"],
    ["git restore '*'", "ask"],
    ["git restore '*x'", "ask"],
    ["git rm 'pr*/x'", "deny"],
    ["git clean -fdx ':(top)pro?'", "deny"],
    ["git stash push -- 'pro*'", "deny"],
    ["git add 'sec*'", "deny"],
    ["git log -p -- 'sec*'", "deny"],
    ["git log -p -- '.en*'", "ask"],
    ["git add 'src/*.ts' && git commit -m 'a: * b'", "allow"],
    ["git diff -- 'src/*.ts'", "allow"],
    ["git branch --list 'sec*'", "allow"],
  ])("%s: %s", async (command, expected) => {
    expect((await decision(command, order)).decision).toBe(expected);
  });

  it("asks in the sandbox too where a rule asks", async () => {
    const asking: Partial<PolicyOrder> = { allow: ["Bash(git *)"], ask: ["Edit(prod/**)"], sandbox: { kind: "active" } };
    expect((await decision("git checkout HEAD~1 -- '*x'", asking)).decision).toBe("ask");
    expect((await decision("git checkout HEAD~1 -- 'src/*'", asking)).decision).toBe("allow");
  });
});

// A shell or make may run what a value says, and open what it names.
describe("a variable that programs are given", () => {
  const order = { allow: ["Bash(make test)", "Bash(npm test)"], deny: ["Read(.env)", "Read(prod.env)"], sandbox: missing };
  it.each([
    "CI=1 NODE_ENV=test npm test",
    "RETRIES=3 npm test",
    "DEBUG=app:* npm test",
    "DATABASE_URL=postgres://me@localhost:5432/test npm test",
    "DATABASE_URL=sqlite:///test.db npm test",
    "export NODE_ENV=test && npm test",
    "v='x; touch y'; make test",
    "for CI in 1 2; do make test; done",
    "export v=1; w='x; touch y'; make test",
  ])("is allowed with a plain value: %s", async (command) => {
    expect((await decision(command, order)).decision).toBe("allow");
  });

  it.each([
    "TESTS='x; touch y' make test",
    "TESTS='$(shell touch y)' make test",
    "v='x; touch y' make test",
    "VITE_A=-x make test",
    "export TESTS='x; touch y' && make test",
    "env TESTS='x; touch y' make test",
    "export v=1; v='x; touch y'; make test",
    `export v=; : \${v:='x; touch y'}; make test`,
    "declare -x v=1; read v < a; make test",
    "CI='x; touch y'; make test",
    `CI=; : \${CI:='x; touch y'}; make test`,
    "read CI < a; make test",
    "for CI in 'x; touch y'; do make test; done",
    "for CI in $(cat a); do make test; done",
    "TESTS=/etc/hosts make test",
    "TESTS=.. make test",
    "TESTS=$X make test",
    "APP_ENV=$X make test",
    "export NODE_ENV=$(cat mode) && make test",
    "TESTS=x://a make test",
    "DATABASE_URL=file:///etc/hosts make test",
    "DATABASE_URL=sqlite:////etc/hosts make test",
    "DATABASE_URL=x://a/../../b make test",
    "FLAVOUR=a make test",
    "export RETRIES=3; make test", // what runs behind it may be anything
  ])("is asked about with any other, or one that is not known: %s", async (command) => {
    expect((await decision(command, order)).decision).toBe("ask");
  });

  it.each([
    "TESTS=.env make test",
    "TESTS=*.env make test",
    "export TESTS=.env && make test",
    "CI=.env; make test",
    "for CI in .env; do make test; done",
    "DATABASE_URL=sqlite:///.env make test",
  ])("gives what it names, which rules deny: %s", async (command) => {
    expect((await decision(command, order)).decision).toBe("deny");
  });
});

// git compares two folders by itself, as with --no-index, where it finds no repository, or one of them is outside of it.
describe("git diff of two places", () => {
  const decided = async (command: string, isThere?: (path: string) => boolean) => {
    const made = await makePolicy(
      {
        cwd: "/repo",
        home: "/home/me",
        configDir: "/home/me/.tool",
        deny: ["Read(.env)"],
        sandbox: missing,
        allow: ["Bash(git diff --no-index *)"],
      },
      real,
    );
    if (!made.ok) throw new Error(made.reason);
    const policy = { ...made.policy, directories: ["/other"], ...(isThere && { isThere }) };
    return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision;
  };
  const comparing = ["git diff a b", "git diff --stat -- a b", "git --no-pager diff a b", "cd src && git diff a b", "git diff main b"];

  it.each(comparing)("takes in what is below them, unless a repository is around both: %s", async (command) => {
    const found = [undefined, (path: string) => !path.endsWith("/.git"), (path: string) => path !== "/repo/src/.git"];
    expect(await Promise.all(found.map((isThere) => decided(command, isThere)))).toEqual(["ask", "ask", "allow"]);
  });

  it.each([
    "git diff a /other/b",
    "git diff /repo/a /repo/b",
    "cd module && git diff ../a ../b",
    "cd .git && git diff ../a ../b",
    "git diff --no-index a b",
  ])("does so in a repository, too: %s", async (command) => {
    expect(await decided(command, () => true)).toBe("ask");
  });

  it("is free of that otherwise", async () => {
    const commands = ["git diff", "git diff HEAD", "git diff --stat main...HEAD", "git diff -- src"];
    expect(await Promise.all(commands.map((command) => decided(command)))).toEqual(commands.map(() => "allow"));
  });
});
