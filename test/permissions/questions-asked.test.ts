// How many questions an agent's everyday commands cause. The lists are frozen: 60 commands each, as given by an agent that explores, edits
// under acceptEdits, runs tests, builds and commits. `kind` is a kind of test, build or commit command, which may ask once.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { locate } from "../../src/permissions/call.ts";
import { type KeptByGit, noteMade, withKept } from "../../src/permissions/commands/kept-files.ts";
import { decide } from "../../src/permissions/decision.ts";
import { makePolicy, type SandboxState } from "../../src/permissions/policy.ts";
import { offers } from "../../src/permissions/questions/offers.ts";

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

/** The tree, the home, and what every machine has. */
const isThere = (path: string) =>
  /^\/(?:repo|home\/me|usr|etc|tmp|var|proc)?(?:\/|$)/.test(path) && !/^\/(?:usr|etc|var|proc)\/./.test(path);

/** Answers every question for the session with the first rules that it offers. Returns what was asked or refused. */
async function played(rows: Row[], sandbox: SandboxState, autoAllow = false): Promise<Asked[]> {
  const real = async (path: string) => path;
  const order = { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", temporary: "/home/me/.tool/state/tmp" };
  const made = await makePolicy({ ...order, mode: "acceptEdits", sandbox, autoAllow }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, privateTmp: made.policy.temporary, proxied: true, isThere };
  const asked: Asked[] = [];
  // Nothing is known of the tree: a file that a command writes and none has read before counts as new, and git tracks nothing.
  const seen = new Set<string>();
  const kept: KeptByGit = async (path, { isOurs } = {}) => (isOurs ? isOurs(path) : !seen.has(path));
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

const missing: SandboxState = { kind: "missing", why: "bwrap is not installed" };
const fresh = readLists("fixtures/everyday-fresh");

it.each([...lists, ...fresh])(
  "of %s, with the sandbox, only the network, a place outside, what is protected and lost work are asked about",
  async (_, rows) => {
    const asked = await played(rows, { kind: "active" }, true);
    const isMeant =
      /outside the working directory|needs the network|to another machine|always needs a person's permission|may be lost|would be lost|are lost/;
    expect(asked.filter(({ why }) => !isMeant.test(why))).toEqual([]);
  },
);

it.each(lists)("of %s, without it, each kind is asked about once, and at most eight commands beyond that", async (_, rows) => {
  const beyond = beyondKinds(await played(rows, missing));
  expect(beyond.length, JSON.stringify(beyond, null, 1)).toBeLessThanOrEqual(8);
});

it("the lists hold 60 commands each, of at least 20 programs", () => {
  expect(lists.map(([name]) => name)).toEqual(["go.jsonl", "javascript.jsonl", "python.jsonl", "rust.jsonl"]);
  for (const [, rows] of lists) {
    const programs = rows.flatMap(({ command }) => [...command.matchAll(/(?:^|[|;&(]\s*|\n)([a-z][\w-]*)/g)].map(([, program]) => program));
    expect([rows.length, new Set(programs).size >= 20]).toEqual([60, true]);
  }
});

// Lists of agents that use many programs, languages and services in an hour. Without a sandbox most of these are asked about once, because no
// row of a table speaks of them; the numbers are what is left to be asked then, so that a change that asks more is seen. Of these, 0.5 at the
// mean are npm ls, npm -v, go version, go env and pip freeze: settings of a tree (.npmrc, go.mod, .hg) make them connect, write or run; and 0.2
// are loops that use the names which a pattern matches without quotes: what a name says is then split, and matched again; and 0.1 are texts that
// compute or pass on what they assign (docs/decisions/only-plain-text-looks.md).
it("of the fresh lists no more is asked, without the sandbox, than recorded", async () => {
  const counts = await Promise.all(fresh.map(async ([, rows]) => beyondKinds(await played(rows, missing)).length));
  expect(Math.max(...counts)).toBeLessThanOrEqual(20);
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThanOrEqual(12.5);
});
