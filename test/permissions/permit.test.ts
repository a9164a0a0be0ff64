import { expect, it, vi } from "vitest";
import { policyStore } from "../../src/agent/policy-store.ts";
import { type Ask, permit } from "../../src/permissions/permit.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";
import type { Answer, PermissionQuestion, Question } from "../../src/permissions/questions/question.ts";
import { parseRule } from "../../src/permissions/rules.ts";

const real = async (path: string) => path;
const signal = new AbortController().signal;

async function door(answers: Answer[] | undefined, order: Partial<PolicyOrder> = {}) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const questions: PermissionQuestion[] = [];
  const written: string[] = [];
  const ask: Ask = async (question) => {
    questions.push(permission(question));
    return answers?.shift() ?? { kind: "no" };
  };
  const enter = permit({
    policy: made.policy,
    real,
    ask: answers && ask,
    now: () => new Date(0),
    always: {
      file: ".tool/settings.local.json",
      addRule(rule) {
        if (rule.includes("full")) throw new Error("no space left");
        written.push(rule);
      },
      onFailed: (reason) => written.push(reason),
    },
  });
  return { enter, questions, written, policy: made.policy };
}

function permission(question: Question): PermissionQuestion {
  if (question.kind !== "permission") throw new Error(question.kind);
  return question;
}

/** Answers "session" with the first rule offered. */
const forSession = (question: Question): Answer => ({ kind: "session", rules: permission(question).offers[0]?.rules ?? [] });

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const file = (tool: string, path: string) => ({ tool, input: { path } });

it("does not ask about calls that are allowed or denied", async () => {
  const { enter, questions } = await door([], { allow: ["Bash(ls:*)"] });
  expect([await enter(bash("ls src"), signal), await enter(file("Write", "/etc/x"), signal)]).toEqual([
    { allowed: true },
    {
      allowed: false,
      reason:
        "/etc/x is outside the working directory /repo, and files are written only inside it and in folders that the person opens with /add-dir or --add-dir.",
    },
  ]);
  expect(questions).toEqual([]);
});

it("asks with what would run, why, and the rules that an answer may add", async () => {
  const { enter, questions } = await door([{ kind: "once" }, { kind: "no", reason: "not today" }, { kind: "no" }]);
  expect(await enter(bash("git push && curl 'a;b' | sh\necho \u001b[31mred\u202e"), signal)).toEqual({ allowed: true });
  expect(await enter({ tool: "Edit", input: { path: "a.ts", old_string: "one\n", new_string: "two\nthree" } }, signal)).toEqual({
    allowed: false,
    reason: "The person said no: not today.",
  });
  expect(await enter(file("Read", ".env"), signal)).toEqual({ allowed: false, reason: "The person said no." });
  const part = (text: string) => ({ text, where: "", allowed: false });
  const common = { kind: "permission", change: [], moreChange: 0, file: ".tool/settings.local.json" };
  expect(questions).toEqual([
    {
      ...common,
      tool: "Bash",
      parts: [
        { ...part("git push"), marks: ["sends"] },
        ...["curl 'a;b'", "sh"].map(part),
        { ...part("echo \u001b[31mred\u202e"), allowed: true, harmless: true },
      ],
      reason: "It needs permission because it contains invisible or misleading characters",
      // The user could not agree to a rule whose text cannot be shown as it is.
      offers: [],
    },
    {
      ...common,
      tool: "Edit",
      parts: [part("/repo/a.ts")],
      edits: true,
      change: ["- one", "+ two", "+ three"],
      reason: "No rule allows it",
      offers: [
        { rules: ["Edit(./a.ts)"], always: true },
        { rules: ["Edit"], always: true },
      ],
    },
    {
      ...common,
      tool: "Read",
      parts: [part("/repo/.env")],
      reason: "/repo/.env always needs a person's permission: environment settings often hold keys",
      // No settings file lifts a question that is always asked.
      offers: [{ rules: ["Read(./.env)"], always: false }],
    },
  ]);
});

it("says what a write does to an existing file, compared when its question's turn comes", async () => {
  const { enter, questions } = await door([]);
  const write = { tool: "Write", input: { path: "AGENTS.md", content: "one\ntwo\n" } };
  const many = Array.from({ length: 401 }, (_, index) => `- ${index}`);
  for (const replaced of [{ lines: ["- zwei", "+ two"] }, { lines: many }, { lines: [], note: "nothing" }, { note: "binary" }, undefined])
    await enter({ ...write, replaces: async () => replaced }, signal);
  expect(questions.map(({ replaces, change, moreChange, note }) => [replaces, change, moreChange, note])).toEqual([
    [true, ["- zwei", "+ two"], 0, undefined],
    [true, many.slice(0, 400), 1, undefined],
    [true, [], 0, "nothing"],
    [true, ["@@ -0,0 +1,2 @@", "+one", "+two"], 0, "binary"],
    [undefined, ["@@ -0,0 +1,2 @@", "+one", "+two"], 0, undefined],
  ]);
});

it("marks on each part what it deletes, overwrites or sends, and whether it names a place outside", async () => {
  const { enter, questions } = await door([]);
  await enter(bash("npm test && sh -c 'rm -rf src; git push -f' && cp ../other/a.ts a.ts > /dev/null; python3 -c 'print(1)'"), signal);
  expect(questions[0]?.parts.map(({ text, marks }) => [text, marks])).toEqual([
    ["npm test", undefined],
    ["sh -c 'rm -rf src; git push -f'", undefined],
    ["rm -rf src", ["deletes"]],
    ["git push -f", ["overwrites history", "sends"]],
    ["cp ../other/a.ts a.ts > /dev/null", ["outside"]],
    ["python3 -c 'print(1)'", ["any code"]],
  ]);
});

it("offers everything that stays in the sandbox if that would allow it, and the network once if it is needed", async () => {
  const { enter, questions } = await door([], { sandbox: { kind: "active" }, autoAllow: false });
  for (const command of ["make x", "npm install", "make x && git push", "git reset --hard"]) await enter(bash(command), signal);
  expect(questions.map(({ sandbox, network, team }) => [sandbox, network, team])).toEqual([
    [true, undefined, undefined],
    [undefined, true, undefined],
    [undefined, true, undefined],
    [undefined, undefined, undefined],
  ]);
  const without = await door([], { sandbox: { kind: "missing", why: "it is gone" } });
  const open = await door([], { sandbox: { kind: "active" }, network: true });
  for (const { enter: other } of [without, open]) await other(bash("npm install"), signal);
  expect([...without.questions, ...open.questions].map(({ sandbox, network }) => [sandbox, network])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

it("asks no more about what stays in the sandbox once the user allowed all of it, until the sandbox is lost or the grant is revoked", async () => {
  const { enter, questions, policy } = await door([{ kind: "sandbox", for: "session" }], { sandbox: { kind: "active" }, autoAllow: false });
  for (const command of ["make x", "make y", "node -e 1"]) expect(await enter(bash(command), signal)).toEqual({ allowed: true });
  expect([questions.length, policy.grants.given]).toEqual([1, [{ rule: "x", kind: "session", since: new Date(0).toISOString() }]]);
  const store = policyStore(policy);
  store.setSandbox({ kind: "lost", why: "it is gone" });
  expect((await enter(bash("make y"), signal)).allowed).toBe(false);
  store.setSandbox({ kind: "active" });
  expect([policy.grants.revoke("x"), policy.grants.revoke("x")]).toEqual([true, false]);
  expect((await enter(bash("make y"), signal)).allowed).toBe(false);
});

it("lets only the approved call run with the network, or see a file that is otherwise masked", async () => {
  const { enter, policy } = await door([{ kind: "once", network: true }, { kind: "once" }, { kind: "once" }], {
    sandbox: { kind: "active" },
    autoAllow: true,
  });
  const passes: unknown[] = [];
  for (const command of ["npm install", "npm install", "cat .env", "make x"]) {
    await enter(bash(command), signal);
    passes.push(policy.grants.takeRun(command), policy.grants.takeRun(command));
  }
  expect(passes).toEqual([
    { network: true, shown: [], inside: true },
    undefined,
    { inside: true },
    undefined,
    { shown: ["/repo/.env"], inside: true },
    undefined,
    { inside: true },
    undefined,
  ]);
  // An unused one-time permission expires with the next call.
  const again = await door([{ kind: "once", network: true }, { kind: "once" }], { sandbox: { kind: "active" } });
  for (const command of ["npm ci", "npm ci"]) await again.enter(bash(command), signal);
  expect(again.policy.grants.takeRun("npm ci")).toEqual({ inside: true });
});

it("lets a command run where it was decided: in the sandbox, or without it once that is lost", async () => {
  const made = await makePolicy(
    { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", sandbox: { kind: "active" }, autoAllow: false },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  const { policy } = made;
  const ask = async (): Promise<Answer> => {
    policyStore(policy).setSandbox({ kind: "lost", why: "it is gone" });
    return { kind: "once" };
  };
  const enter = permit({ policy, real, ask, now: () => new Date(0) });
  await Promise.all(["make x", "make y"].map((command) => enter(bash(command), signal)));
  expect(["make x", "make y"].map((command) => policy.grants.takeRun(command))).toEqual([{ inside: true }, undefined]);
});

it("offers to let one file be written, those of its folder, and every one", async () => {
  const { enter, questions } = await door([]);
  for (const call of [file("Write", "src/a [1].ts"), file("Edit", ".envrc")]) await enter(call, signal);
  expect(questions.map(({ offers }) => offers)).toEqual([
    [
      { rules: ["Edit(src/a \\[1\\].ts)"], always: true },
      { rules: ["Edit(src/**)"], always: true },
      { rules: ["Edit"], always: true },
    ],
    [{ rules: ["Edit(./.envrc)"], always: false }],
  ]);
});

it("does not ask again about a call allowed for the session, and asks again about one allowed once", async () => {
  const { enter, questions, policy, written } = await door([
    { kind: "session", rules: ["Bash(npm test)"] },
    { kind: "once" },
    { kind: "once" },
    { kind: "session", rules: ["Edit"] },
    { kind: "session", rules: ["Read(./.env)"] },
  ]);
  for (const call of [
    bash("npm test"),
    bash("npm test"),
    bash("npx other"),
    bash("npx other"),
    file("Edit", "a"),
    file("Edit", "b"),
    file("Read", ".env"),
    file("Read", ".env"),
  ]) {
    expect(await enter(call, signal)).toEqual({ allowed: true });
  }
  expect(questions.map(({ parts }) => parts[0]?.text)).toEqual(["npm test", "npx other", "npx other", "/repo/a", "/repo/.env"]);
  expect(written).toEqual([]);
  const since = "1970-01-01T00:00:00.000Z";
  expect(policy.grants.given).toEqual([
    { rule: "Bash(npm test)", kind: "session", since },
    { rule: "Edit", kind: "session", since },
    { rule: "Read(//repo/.env)", kind: "session", since },
  ]);
});

it("stores a rule that is always allowed; one that cannot be stored applies to the session, and the user is told", async () => {
  const { enter, questions, written } = await door([
    { kind: "always", rules: ["Bash(npm test)"] },
    { kind: "always", rules: ["Bash(make full)"] },
  ]);
  for (const call of [bash("npm test"), bash("npm test"), bash("make full"), bash("make full")])
    expect(await enter(call, signal)).toEqual({ allowed: true });
  expect({ asked: questions.length, written }).toEqual({
    asked: 2,
    written: [
      "Bash(npm test)",
      "Cannot write Bash(make full) to .tool/settings.local.json: no space left. It applies to this session only.",
    ],
  });
});

it("accepts no rule that was not offered, and no answer to another question", async () => {
  const { enter, policy } = await door([
    { kind: "session", rules: ["Bash"] },
    { kind: "always", rules: ["Read(./.env)"] },
    { kind: "approve", mode: "acceptEdits" },
  ]);
  const no = (kind: string) => ({ allowed: false, reason: `The person said no: "${kind}" is not an answer to this question.` });
  expect([await enter(bash("make"), signal), await enter(file("Read", ".env"), signal), await enter(bash("make"), signal)]).toEqual([
    no("session"),
    no("always"),
    no("approve"),
  ]);
  expect(policy.grants.given).toEqual([]);
});

it("asks one question at a time, and an answer for the session settles the waiting ones", async () => {
  let open = 0;
  const seen: number[] = [];
  const { policy } = await door(undefined);
  const enter = permit({
    policy,
    real,
    now: () => new Date(0),
    ask: async (question) => {
      seen.push(++open);
      await Promise.resolve();
      open--;
      return forSession(question);
    },
  });
  const results = await Promise.all(
    [file("Edit", "a"), file("Write", "a"), bash("make"), file("Edit", "a")].map((call) => enter(call, signal)),
  );
  expect({ results, seen }).toEqual({ results: Array(4).fill({ allowed: true }), seen: [1, 1] });
});

it("closes an open question that a new grant of the team settles, and keeps one that a change does not settle", async () => {
  const { policy } = await door(undefined);
  const closed: unknown[] = [];
  const changes: (() => void)[] = [];
  const enter = permit({
    policy,
    real,
    team: { refresh: async () => undefined },
    now: () => new Date(0),
    changed: () => new Promise((resolve) => changes.push(resolve)),
    ask: (question, closing) =>
      new Promise((resolve) => {
        closing.addEventListener("abort", () => {
          closed.push([permission(question).parts[0]?.text, permission(question).team, closing.reason]);
          resolve({ kind: "no" });
        });
      }),
  });
  const [first, second] = [enter(bash("make x"), signal), enter(bash("make y"), signal)];
  const change = async (rule: string, many: number) => {
    await vi.waitUntil(() => changes.length === many);
    const parsed = parseRule(rule);
    if (parsed.ok) policy.grants.adoptTeam([{ rule: parsed.rule, since: "" }]);
    changes.at(-1)?.();
  };
  await change("Bash(make z)", 1);
  await change("Bash(make x)", 2);
  expect(await first).toEqual({ allowed: true });
  await change("Bash(make *)", 3);
  expect(await second).toEqual({ allowed: true });
  expect(closed).toEqual([
    ["make x", true, "answered by your new rule Bash(make x)"],
    ["make y", true, "answered by your new rule Bash(make *)"],
  ]);
});

it("does not ask about a call that was interrupted meanwhile, and continues after a question that failed", async () => {
  const abort = new AbortController();
  const { policy } = await door(undefined);
  let asked = 0;
  const enter = permit({
    policy,
    real,
    now: () => new Date(0),
    ask: async () => {
      if (++asked === 1) throw new Error("the screen is gone");
      return { kind: "once" };
    },
  });
  const [first, second, third] = [enter(bash("a"), signal), enter(bash("b"), abort.signal), enter(bash("c"), signal)];
  abort.abort();
  await expect(first).rejects.toThrow("the screen is gone");
  expect([await second, await third, asked]).toEqual([
    { allowed: false, reason: "The call was interrupted before anybody answered." },
    { allowed: true },
    2,
  ]);
});

it("says that nobody answered, and not that the person said no, when the call ends while its question is open", async () => {
  const abort = new AbortController();
  const { policy } = await door(undefined);
  const enter = permit({
    policy,
    real,
    now: () => new Date(0),
    ask: async () => {
      abort.abort();
      return undefined;
    },
  });
  expect(await enter(bash("npm test"), abort.signal)).toEqual({
    allowed: false,
    reason: "The call was interrupted before anybody answered.",
  });
});

it("if nobody can be asked, names the flag that would have allowed the call, as typed in a shell", async () => {
  const { enter } = await door(undefined, { ask: ["Bash(git push:*)"] });
  const calls = [
    bash("npm test"),
    bash("make 'a' | wc"),
    bash("git push"),
    file("Edit", "a.ts"),
    file("Write", "src/b.ts"),
    file("Read", "/etc/hosts"),
    file("Read", ".env"),
    bash("ps *"),
  ];
  const denied: unknown[] = [];
  for (const call of calls) denied.push(await enter(call, signal));
  const reasons = denied.map((permission, index) => `${calls[index]?.tool}: ${(permission as { reason: string }).reason}`);
  expect(reasons).toEqual([
    "Bash: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Bash(npm test)', or with others like it by --allow 'Bash(npm test *)'.",
    "Bash: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Bash(make '\\''a'\\'')', or with others like it by --allow 'Bash(make a *)'.",
    "Bash: Permission is missing and nobody can be asked here: the rule Bash(git push:*) asks for it. Only a person can allow it, in an interactive session.",
    "Edit: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Edit(./a.ts)'.",
    "Write: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Edit(src/**)'.",
    "Read: Permission is missing and nobody can be asked here: it is outside the working directory. It would be allowed by --allow 'Read(//etc/hosts)'.",
    "Read: Permission is missing and nobody can be asked here: /repo/.env always needs a person's permission: environment settings often hold keys. It would be allowed by --allow 'Read(./.env)'.",
    "Bash: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Bash(ps *)'.",
  ]);
});

it("does not ask about a call that would fail anyway, and says why it does", async () => {
  const { enter, questions } = await door([{ kind: "once" }]);
  const result = { text: 'Cannot edit "a": there is no such file.', isError: true, summary: "refused" };
  const call = { ...file("Edit", "a"), obstacle: async () => result };
  expect(await enter(call, signal)).toEqual({ allowed: false, reason: result.text, obstacle: result });
  expect(questions).toEqual([]);
  expect((await enter({ ...call, obstacle: async () => undefined }, signal)).allowed).toBe(true);
});
