// How many questions an agent's everyday commands cause. The lists are frozen: 60 commands each, as given by an agent that explores, edits
// under acceptEdits, runs tests, builds and commits. `kind` is a kind of test, build or commit command, which may ask once.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { type KeptByGit, noteMade, withKept } from "../../src/permissions/kept-files.ts";
import { offers } from "../../src/permissions/offers.ts";
import { makePolicy, type SandboxState } from "../../src/permissions/policy.ts";

const row = z.object({ command: z.string(), kind: z.string().optional() });
type Row = z.infer<typeof row>;
const readLists = (folder: string) =>
  readdirSync(folder).map((name): [string, Row[]] => [
    name,
    readFileSync(`${folder}/${name}`, "utf8")
      .trim()
      .split("\n")
      .map((line) => row.parse(JSON.parse(line))),
  ]);
const lists = readLists("fixtures/everyday-agents");

type Asked = { kind: string | undefined; command: string; why: string };

/** The questions beyond one for each kind. */
const beyondKinds = (asked: Asked[]) =>
  asked.filter(({ kind }, at) => kind === undefined || asked.findIndex((other) => other.kind === kind) < at);

/** Answers every question for the session with the first rules that it offers. Returns what was asked or refused. */
async function played(rows: Row[], sandbox: SandboxState, autoAllow = false): Promise<Asked[]> {
  const real = async (path: string) => path;
  const order = { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", temporary: "/home/me/.tool/state/tmp" };
  const made = await makePolicy({ ...order, mode: "acceptEdits", sandbox, autoAllow }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, privateTmp: made.policy.temporary };
  const asked: Asked[] = [];
  // Nothing is known of the tree: a file that a command writes and none has read before counts as new, and git tracks nothing, but ignores
  // build output.
  const seen = new Set<string>();
  const kept: KeptByGit = async (path, counts) => (counts ? counts.isOurs(path) || counts.isOutput(path) : !seen.has(path));
  for (const { command, kind } of rows) {
    const call = await withKept(await locate({ tool: "Bash", input: { command } }, policy, real), policy, kept);
    await noteMade(call, policy, kept);
    if (call.subject.kind === "command") for (const { real: path } of call.subject.files.values()) seen.add(path);
    const decision = decide(call, policy);
    if (decision.decision === "allow") continue;
    const [first] = decision.decision === "ask" ? offers(call, decision, policy) : [];
    asked.push({ kind, command, why: `${decision.decision}: ${decision.reason} → ${first?.texts.join(", ")}` });
    for (const rule of first?.rules ?? []) policy.grants.grant(rule, { kind: "session" });
  }
  return asked;
}

describe.each(lists)("%s", (_, rows) => {
  it.each<[string, SandboxState]>([
    ["with the sandbox", { kind: "active" }],
    ["without it", { kind: "missing", why: "bwrap is not installed" }],
  ])("asks once for each kind, and at most twice beyond that, %s", async (_name, sandbox) => {
    const beyond = beyondKinds(await played(rows, sandbox));
    expect(beyond.length, JSON.stringify(beyond, null, 1)).toBeLessThanOrEqual(2);
  });
});

it.each(lists)("of %s nothing is asked under x but what leaves the tree", async (_name, rows) => {
  const asked = await played(rows, { kind: "active" }, true);
  expect(asked.filter(({ why }) => !/outside the working directory|needs the network/.test(why))).toEqual([]);
});

it("the lists hold 60 commands each, of at least 20 programs", () => {
  expect(lists.map(([name]) => name)).toEqual(["go.jsonl", "javascript.jsonl", "python.jsonl", "rust.jsonl"]);
  for (const [, rows] of lists) {
    const programs = rows.flatMap(({ command }) => [...command.matchAll(/(?:^|[|;&(]\s*|\n)([a-z][\w-]*)/g)].map(([, program]) => program));
    expect([rows.length, new Set(programs).size >= 20]).toEqual([60, true]);
  }
});

// Lists that were not used to write the tables. The remaining questions are intended: inline code, `ps`, `env`, a daemon, the network, a
// place outside, /tmp without a sandbox, `git stash`, switching to another branch, a link, names that only a command's output gives,
// commands that follow the tree's settings before any of its code may run (`yarn -v`, `cargo tree`), and programs without a row (`sqlite3`,
// `shellcheck`). The second lists cover rare uses; the third, fourth and sixth an ordinary hour; the fifth a monorepo, work with make, a
// service with a database, and data scripts; the seventh and later ones agents that use pipes, loops, here-documents and various tools.
const left: Record<string, number> = {
  "general-2.jsonl": 10,
  "go-10.jsonl": 6,
  "go-11.jsonl": 1,
  "go-2.jsonl": 7,
  "go-3.jsonl": 2,
  "go-4.jsonl": 2,
  "go-5.jsonl": 5,
  "go-7.jsonl": 2,
  "go-8.jsonl": 4,
  "go-9.jsonl": 2,
  "go-rust-6.jsonl": 0,
  "go.jsonl": 6,
  "javascript-10.jsonl": 3,
  "javascript-11.jsonl": 2,
  "javascript-2.jsonl": 7,
  "javascript-3.jsonl": 0,
  "javascript-4.jsonl": 3,
  "javascript-5.jsonl": 4,
  "javascript-7.jsonl": 2,
  "javascript-8.jsonl": 4,
  "javascript-9.jsonl": 1,
  "javascript-python-6.jsonl": 1,
  "javascript.jsonl": 5,
  "mixed-7.jsonl": 5,
  "python-10.jsonl": 3,
  "python-11.jsonl": 2,
  "python-2.jsonl": 7,
  "python-3.jsonl": 1,
  "python-4.jsonl": 2,
  "python-5.jsonl": 6,
  "python-7.jsonl": 4,
  "python-8.jsonl": 5,
  "python-9.jsonl": 6,
  "python.jsonl": 3,
  "rust-10.jsonl": 6,
  "rust-11.jsonl": 1,
  "rust-2.jsonl": 6,
  "rust-3.jsonl": 1,
  "rust-4.jsonl": 4,
  "rust-5.jsonl": 5,
  "rust-7.jsonl": 5,
  "rust-8.jsonl": 5,
  "rust-9.jsonl": 3,
  "rust.jsonl": 3,
  "typescript-monorepo-7.jsonl": 9,
};

it.each(readLists("fixtures/everyday-fresh"))(
  "of the fresh list %s no more questions are asked than recorded, without the sandbox",
  async (name, rows) => {
    const beyond = beyondKinds(await played(rows, { kind: "missing", why: "bwrap is not installed" }));
    expect(beyond.length, JSON.stringify(beyond, null, 1)).toBeLessThanOrEqual(left[name]!);
  },
);
