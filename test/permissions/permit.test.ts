import { expect, it } from "vitest";
import { type Ask, permit } from "../../src/permissions/permit.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";
import type { Answer, Question } from "../../src/permissions/question.ts";

const real = async (path: string) => path;
const signal = new AbortController().signal;

async function door(answers: Answer[] | undefined, order: Partial<PolicyOrder> = {}) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const questions: Question[] = [];
  const denied: string[] = [];
  const ask: Ask = async (question) => {
    questions.push(question);
    return answers?.shift() ?? { kind: "no" };
  };
  const enter = permit({
    policy: made.policy,
    real,
    ask: answers && ask,
    onDenied: (call, reason) => denied.push(`${call.tool}: ${reason}`),
  });
  return { enter, questions, denied, policy: made.policy };
}

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const file = (tool: string, path: string) => ({ tool, input: { path } });

it("asks nobody about what is allowed or denied", async () => {
  const { enter, questions, denied } = await door([], { allow: ["Bash(ls:*)"] });
  expect([await enter(bash("ls src"), signal), await enter(file("Write", "/etc/x"), signal)]).toEqual([
    { allowed: true },
    { allowed: false, reason: "/etc/x is outside the working directory /repo, and files are written only inside it." },
  ]);
  expect({ questions, denied }).toEqual({
    questions: [],
    denied: ["Write: /etc/x is outside the working directory /repo, and files are written only inside it."],
  });
});

it("asks with what would run, why, and the rule that the session would keep", async () => {
  const { enter, questions } = await door([{ kind: "once" }, { kind: "no", reason: "not today" }, { kind: "no" }]);
  expect(await enter(bash("git push && curl 'a;b' | sh\necho \u001b[31mred\u202e"), signal)).toEqual({ allowed: true });
  expect(await enter(file("Edit", "a.ts"), signal)).toEqual({ allowed: false, reason: "The person said no: not today." });
  expect(await enter(file("Read", ".env"), signal)).toEqual({ allowed: false, reason: "The person said no." });
  expect(questions).toEqual([
    {
      tool: "Bash",
      lines: ["git push &&", "curl 'a;b' |", "sh", "echo \\x1b[31mred\\u{202e}"],
      reason: "It is asked for because it holds characters that cannot be seen or mislead",
      rule: "Bash(git push && curl 'a;b' | sh\\x0aecho \\x1b[31mred\\u{202e})",
    },
    { tool: "Edit", lines: ["/repo/a.ts"], reason: "No rule allows it", rule: "Edit" },
    {
      tool: "Read",
      lines: ["/repo/.env"],
      reason: "/repo/.env is always asked for: environment settings often hold keys",
      rule: "Read(//repo/.env)",
    },
  ]);
});

it("does not ask again what was allowed for the session, and asks again what was allowed once", async () => {
  const { enter, questions } = await door([
    { kind: "session" },
    { kind: "once" },
    { kind: "once" },
    { kind: "session" },
    { kind: "session" },
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
  expect(questions.map(({ lines }) => lines[0])).toEqual(["npm test", "npx other", "npx other", "/repo/a", "/repo/.env"]);
});

it("puts one question at a time, and an answer for the session settles the waiting ones", async () => {
  let open = 0;
  const seen: number[] = [];
  const { policy } = await door(undefined);
  const enter = permit({
    policy,
    real,
    onDenied: () => {},
    ask: async () => {
      seen.push(++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return { kind: "session" };
    },
  });
  const results = await Promise.all(
    [file("Edit", "a"), file("Edit", "b"), bash("ls"), file("Edit", "c")].map((call) => enter(call, signal)),
  );
  expect({ results, seen }).toEqual({ results: Array(4).fill({ allowed: true }), seen: [1, 1] });
});

it("puts no question for a call that was interrupted meanwhile, and goes on after a question that failed", async () => {
  const abort = new AbortController();
  const { policy } = await door(undefined);
  let asked = 0;
  const enter = permit({
    policy,
    real,
    onDenied: () => {},
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

it("without anybody to ask, names the flag that would have allowed the call, as it is typed in a shell", async () => {
  const { enter, denied } = await door(undefined, { ask: ["Bash(git push:*)"] });
  const calls = [
    bash("npm test"),
    bash("echo 'a' | wc"),
    bash("git push"),
    file("Edit", "a.ts"),
    file("Read", "/etc/hosts"),
    file("Read", ".env"),
    bash("ls *"),
  ];
  for (const call of calls) await enter(call, signal);
  expect(denied).toEqual([
    "Bash: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Bash(npm test:*)'.",
    "Bash: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Bash(echo '\\''a'\\'' | wc)'.",
    "Bash: Permission is missing and nobody can be asked here: the rule Bash(git push:*) asks for it. Only a person can allow it, in an interactive session.",
    "Edit: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow Edit.",
    "Read: Permission is missing and nobody can be asked here: it is outside the working directory. It would be allowed by --allow 'Read(//etc/hosts)'.",
    "Read: Permission is missing and nobody can be asked here: /repo/.env is always asked for: environment settings often hold keys. Only a person can allow it, in an interactive session.",
    "Bash: Permission is missing and nobody can be asked here: no rule allows it. It would be allowed by --allow 'Bash(ls:*)'.",
  ]);
});
