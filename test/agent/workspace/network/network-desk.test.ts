// Who is asked about a host, how often, and to which command what was refused belongs.
import { expect, it } from "vitest";
import { fileFinder, networkDesk } from "../../../../src/agent/workspace/network/network-desk.ts";
import { makePolicy } from "../../../../src/permissions/policy.ts";

type Permission = { allowed: true } | { allowed: false; reason: string; missing?: string[] };

/** `answers`: by host, when they are given. */
async function desk(answers: Record<string, Permission>, files: string[] = []) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool" }, async (path) => path);
  if (!made.ok) throw new Error(made.reason);
  const asked: unknown[] = [];
  let [now, give] = [0, () => {}];
  const network = networkDesk({
    policy: made.policy,
    async decide({ input, hook }) {
      asked.push(hook?.ask ? hook.ask.reason : input);
      await new Promise<void>((resolve) => {
        give = resolve;
      });
      return answers[(input as { host: string }).host]!;
    },
    isThere: (file) => files.includes(file),
    monotonicMs: () => now,
    record: () => {},
  });
  const after = async (ms: number) => {
    await Promise.resolve();
    now += ms;
    give();
  };
  return { ...network, asked, after };
}

it("finds the files of package managers in the folder and directly below it", () => {
  const files = ["/repo/package.json", "/repo/api/requirements.txt", "/repo/a/b/go.mod"];
  const isThere = fileFinder("/repo", { disk: { list: () => ["a", "api", "package.json"] }, isThere: (path) => files.includes(path) });
  expect(["package.json", "requirements.txt", "go.mod"].map(isThere)).toEqual([true, true, false]);
});

it("asks once for all connections to a host while commands run, and again when none does", async () => {
  const { requests, begin, asked, after } = await desk({ "a.example": { allowed: true } }, ["package.json", "go.mod"]);
  const running = begin("npm install");
  const three = Array.from({ length: 3 }, () => requests.decide({ host: "a.example", port: 443 }));
  await after(4_000);
  expect(await Promise.all(three)).toEqual(Array(3).fill({ allowed: true }));
  expect(asked).toEqual([{ host: "a.example", port: 443, command: "npm install" }]);
  expect([running.askedMs(), running.end()]).toEqual([4_000, []]);
  const other = begin("go get x");
  const again = requests.decide({ host: "a.example", port: 443 });
  await after(10);
  await again;
  expect([asked.length, other.askedMs()]).toEqual([2, 10]);
});

it("names the hosts of all package managers of the tree where one of them is asked for", async () => {
  const { requests, asked, after } = await desk({ "sum.golang.org": { allowed: true } }, ["Cargo.toml", "go.mod"]);
  const one = requests.decide({ host: "sum.golang.org", port: 443 });
  await after(0);
  await one;
  const together = ["index.crates.io", "static.crates.io", "crates.io", "proxy.golang.org", "sum.golang.org"];
  expect(asked).toEqual([{ host: "sum.golang.org", port: 443, together }]);
});

it("reports what was refused with the commands that ran then, once, and what a connection was used for instead", async () => {
  const denied: Permission = { allowed: false, reason: "no", missing: ["Network(b.example)"] };
  const { requests, begin, after } = await desk({ "b.example": denied });
  const [one, two] = [begin("one"), begin("two")];
  const connections = [1, 2].map(() => requests.decide({ host: "b.example", port: 80 }));
  await after(0);
  expect(await Promise.all(connections)).toEqual(Array(2).fill({ allowed: false, reason: "no" }));
  const refused = { tool: "Network", subject: "b.example:80", reason: "no", rules: ["Network(b.example)"] };
  expect(one.end()).toEqual([refused]);
  requests.onRefused({ host: "::1", port: 443 }, "it does not speak TLS");
  expect(two.end()).toEqual([
    refused,
    { tool: "Network", subject: "[::1]:443", reason: "The connection to ::1 was closed: it does not speak TLS." },
  ]);
});

it("asks once more about a name that leads to this machine or a private network, with the addresses, and says what was not reached", async () => {
  const { requests, begin, asked, after } = await desk({ "a.example": { allowed: true } });
  const running = begin("curl a.example");
  const place = { host: "a.example", port: 80 };
  const [inside, here] = [{ address: "10.0.0.5", kind: "private" } as const, { address: "::1", kind: "this machine" } as const];
  const verdicts = [
    () => requests.decide(place),
    () => requests.decideAddresses(place, [inside]),
    () => requests.decideAddresses(place, [inside]),
    () => requests.decideAddresses(place, [here, inside]),
    () => requests.decideAddresses(place, [inside, here]),
    () => requests.decideAddresses(place, [{ address: "9.9.9.9", kind: "public" }]),
  ];
  for (const decide of verdicts) {
    const verdict = decide();
    await after(0);
    expect(await verdict).toEqual({ allowed: true });
  }
  expect(asked).toEqual([
    { ...place, command: "curl a.example" },
    "a.example leads to 10.0.0.5, an address of a private network, which only the rule Network(a.example) opens without a question",
    "a.example leads to ::1, an address of this machine, and 10.0.0.5, an address of a private network, which only the rule Network([::1]) with Network(a.example) opens without a question",
  ]);
  requests.onFailed(place, "connect ECONNREFUSED 10.0.0.5:80");
  expect([running.failed(), running.end(), requests.isNamed("a.example")]).toEqual([
    ["a.example:80 was not reached: connect ECONNREFUSED 10.0.0.5:80"],
    [],
    false,
  ]);
});
