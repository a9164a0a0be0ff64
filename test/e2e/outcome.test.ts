// Who lacked, failed or was interrupted × what kept it from being done: the exit code, the JSON and standard error of the built program agree, and
// none of it is a silent success. What has the same exit code is seen of several agents in one run.
import { describe, expect, it } from "vitest";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { call, type Part, provider } from "../cast.ts";
import { refusal, streamed, text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { anOrder } from "../subagents/kit.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const whats = ["denied", "denied three times", "turn limit", "budget", "error", "the same again and again", "SIGINT", "SIGTERM"] as const;
type What = (typeof whats)[number];
type Doc = {
  exit_code: number;
  permission_denials: { agent: string; tool: string; subject: string; rules?: string[] }[];
  failures: { agent: string; error: string }[];
};
type Cell = { code: number | null; doc: Doc; stderr: string };

const never: Part[number] = () => new Promise(() => {});
const publish = call("Bash", { command: "npm publish" });
const look = call("Glob", { pattern: "*.none" });
/** Costs $0.30. */
const costly = streamed([look], { usage: { output_tokens: 30_000 }, model: "claude-sonnet-5" });

/** More than any agent may make that repeats itself. */
const sameCalls = 12;

/** What the one that it is about does; after that it says that it is done. */
const parts: Record<What, Part> = {
  denied: [publish, text("I could not.")],
  "denied three times": [publish, publish, publish, text("I could not.")],
  "turn limit": [look, text("More.")],
  budget: [costly, text("More.")],
  error: [refusal(400, "invalid_request_error", "No such thing.")],
  "the same again and again": [...Array.from({ length: sameCalls }, () => look), text("Enough.")],
  SIGINT: [never],
  SIGTERM: [never],
};

/** What can be seen in one run, since neither ends the other and both have the same exit code. */
const together: What[][] = [
  ["denied", "denied three times"],
  ["turn limit"],
  ["budget"],
  ["error", "the same again and again"],
  ["SIGINT"],
  ["SIGTERM"],
];
const apart = whats.map((what) => [what]);

/** The name of the one that it is about: in the system prompt, in the JSON and on standard error. */
const nameOf = (what: What) => `probe-${"abcdefgh"[whats.indexOf(what)]}`;

/** `actor`: the name that the first of those that it is about has in the system prompt. */
type Ran = { there: Place; cast: Record<string, Part>; args: string[]; actor: string };

async function cellOf({ there, cast, args, actor }: Ran, [what]: What[]): Promise<Cell> {
  const api = await provider(cast);
  const budget = what === "budget" ? ["--budget-usd", "0.2"] : [];
  const all = [...args, "--model", "claude-sonnet-5", ...budget];
  const isSignal = what === "SIGINT" || what === "SIGTERM";
  const program = isSignal ? there.piped(all, { env: api.env, input: "" }) : there.warm(all, { env: api.env });
  if (isSignal && "pid" in program) {
    await eventually(() => api.requests(actor).length > 0);
    process.kill(program.pid, what);
  }
  const { code } = await program.ended;
  const [last = "{}"] = program.stdout().trimEnd().split("\n").slice(-1);
  return { code, doc: JSON.parse(last) as Doc, stderr: program.stderr() };
}

/** All runs of a row, side by side, each in a place of its own: the cell of each of those that they are about. */
async function row(runs: What[][], ran: (whats: What[]) => Ran): Promise<Record<What, Cell>> {
  const cells = await Promise.all(
    runs.map(async (whats) => {
      const cell = await cellOf(ran(whats), whats);
      return whats.map((what) => [what, cell] as const);
    }),
  );
  return Object.fromEntries(cells.flat()) as Record<What, Cell>;
}

const reasons: Record<string, RegExp> = {
  publish: /npm publish/,
  "3 times": /3 times/,
  turns: /limit of 1 turn/,
  budget: /budget of \$0\.2/,
  error: /No such thing/,
  repeats: /repeats itself/,
  "cut off": /interrupted with the agent|session ended while/,
};

/** What the cell says about this agent: `said` is what stands on a line of standard error with its name. */
type Seen = { code: number; denied: number; failed: string[]; said: string[] };

function seen({ code, doc, stderr }: Cell, agent: string, isNamed = true): Seen {
  expect(doc.exit_code).toBe(code);
  const denied = doc.permission_denials.filter((one) => one.agent === agent);
  expect(
    denied.filter(({ tool, subject, rules = [] }) => [tool, subject, ...rules].join(" ") !== "Bash npm publish Bash(npm publish)"),
  ).toEqual([]);
  const lines = stderr.split("\n").filter((line) => !isNamed || line.includes(agent));
  const among = (texts: string[]) => Object.keys(reasons).filter((reason) => texts.some((one) => reasons[reason]?.test(one)));
  const failed = among(doc.failures.flatMap((one) => (one.agent === agent ? one.error : [])));
  return { code: code ?? -1, denied: denied.length, failed, said: among(lines) };
}

/** The same for each agent that is nobody else's. */
const expected = {
  denied: { code: 3, denied: 1, failed: [], said: ["publish"] },
  "denied three times": { code: 3, denied: 3, failed: [], said: ["publish", "3 times"] },
  "turn limit": { code: 4, denied: 0, failed: ["turns"], said: ["turns"] },
  budget: { code: 4, denied: 0, failed: ["budget"], said: ["budget"] },
  error: { code: 1, denied: 0, failed: ["error"], said: ["error"] },
  "the same again and again": { code: 1, denied: 0, failed: ["repeats"], said: ["repeats"] },
  SIGINT: { code: 130, denied: 0, failed: [], said: [] },
  SIGTERM: { code: 130, denied: 0, failed: [], said: [] },
} satisfies Record<What, Seen>;

const cutOff = { code: 130, denied: 0, failed: ["cut off"], said: ["cut off"] };
/** An agent is ended that is denied the same three times; one that runs is cut off with its session. */
const agents = {
  ...expected,
  "denied three times": { code: 3, denied: 3, failed: ["publish", "3 times"], said: ["publish", "3 times"] },
  SIGINT: cutOff,
  SIGTERM: cutOff,
};
/** Nobody waits for it, so that it waits at the first call that it lacks a permission for. */
const inBackground = { ...agents, "denied three times": agents.denied };

/** `named`: how each of them is named; undefined where the run itself is the one, which no line names. */
function compare(cells: Record<What, Cell>, named: ((what: What) => string) | undefined, wanted: Record<What, Seen>): void {
  const found = whats.map((what) => [what, seen(cells[what], named?.(what) ?? "tool", named !== undefined)] as const);
  expect(Object.fromEntries(found)).toEqual(wanted);
  for (const what of ["SIGINT", "SIGTERM"] as const) expect(cells[what].stderr).toMatch(/nterrupted/);
}

const print = ["--print", "--output-format"];
const short = (name: string) => `---\nname: ${name}\ndescription: ${name}\nmaxTurns: 1\n---\nDo what you are told.\n`;
const typeOf = (what: What) => (what === "turn limit" ? "short" : "general");
const start = (what: What, background: boolean) =>
  call("Agent", { description: "look", prompt: "Look.", name: nameOf(what), background, subagent_type: typeOf(what) });
const thenNoted = (...answers: Part) => [...answers, ...Array.from({ length: 4 }, () => text("Noted."))];
/** What each of them does, by its name. */
const acting = (whats: What[]) => Object.fromEntries(whats.map((what) => [nameOf(what), parts[what]]));
/** The name in the system prompt of the first. */
const firstOf = ([what]: What[]) => (what === undefined ? "" : nameOf(what));

/** A run whose definitions have a limit of one turn. */
function placeOf(ran: Omit<Ran, "there">, ...shortNames: string[]): Ran {
  const there = teamPlace();
  for (const name of shortNames) there.write(`config/agents/${name}.md`, short(name));
  return { there, ...ran };
}

describe("the outcome of a run", () => {
  it("that is a session, by what it lacks itself", async () => {
    const turns = ([what]: What[]) => (what === "turn limit" ? ["--max-turns", "1"] : []);
    const ran = (whats: What[]) =>
      placeOf({
        cast: { tool: parts[whats[0] ?? "error"] },
        args: [...print, "json", ...turns(whats), "go on now"],
        actor: "tool",
      });
    compare(await row(apart, ran), undefined, expected);
  });

  it.each([
    ["foreground", "stream-json", agents],
    ["background", "json", inBackground],
  ] as const)("with an agent in the %s", async (where, format, expected) => {
    const ran = (whats: What[]) =>
      placeOf(
        {
          cast: { tool: thenNoted(whats.map((what) => start(what, where === "background"))), ...acting(whats) },
          args: [...print, format, "go on now"],
          actor: firstOf(whats),
        },
        "short",
      );
    compare(await row(together, ran), nameOf, expected);
  });

  it("with an agent of an agent", async () => {
    const above = call("Agent", { description: "look", prompt: "Look.", name: "above", background: false, subagent_type: "general" });
    const ran = (whats: What[]) =>
      placeOf(
        {
          cast: { tool: thenNoted(above), above: thenNoted(whats.map((what) => start(what, false))), ...acting(whats) },
          args: [...print, "json", "go on now"],
          actor: firstOf(whats),
        },
        "short",
      );
    compare(await row(together, ran), nameOf, agents);
  });

  it("with a worker of a coordinator", async () => {
    const order = (what: What) =>
      call("StartWorker", { ...anOrder(), component: nameOf(what), files: [`src/${nameOf(what)}.js`], testCommand: "true" });
    const ran = (whats: What[]) =>
      placeOf(
        {
          cast: { tool: thenNoted(whats.map(order)), ...acting(whats) },
          args: [...print, "json", "--agent", "coordinator", "go on now"],
          actor: firstOf(whats),
        },
        ...(whats.includes("turn limit") ? ["worker"] : []),
      );
    compare(await row(together, ran), nameOf, inBackground);
  });

  const teamArgs = ["team", "--print", "--output-format", "json", "--display", "in-process", "go on now"];
  const task = (what: What) => call("TaskCreate", { title: `Look as ${nameOf(what)}`, description: "Look." });
  const completed = (at: number) => call("TaskUpdate", { id: `task-${at + 1}`, status: "completed", summary: "Done." });

  it("with a teammate", async () => {
    const spawned = (what: What) => call("SpawnTeammate", { name: nameOf(what), ...(typeOf(what) === "short" && { role: "short" }) });
    const work = (what: What, at: number): Part => {
      const part = parts[what];
      if (part.at(-1) === never) return part;
      return [...part.slice(0, -1), ...(part.length > 1 ? [completed(at), text("Done.")] : part)];
    };
    const ran = (whats: What[]) =>
      placeOf(
        {
          cast: {
            lead: thenNoted([...whats.map(task), ...whats.map(spawned)]),
            ...Object.fromEntries(whats.map((what, at) => [nameOf(what), work(what, at)])),
          },
          args: teamArgs,
          actor: firstOf(whats),
        },
        "short",
      );
    // A line of a team's names all whose work is undone: failures are seen one by one.
    const runs = together.flatMap((group) => (group.includes("error") ? group.map((what) => [what]) : [group]));
    compare(await row(runs, ran), nameOf, expected);
  });

  it("with an agent of a teammate", async () => {
    const ran = (whats: What[]) =>
      placeOf(
        {
          cast: {
            lead: thenNoted([call("TaskCreate", { title: "Look", description: "Look." }), call("SpawnTeammate", { name: "ada" })]),
            ada: [whats.map((what) => start(what, false)), completed(0), text("Done.")],
            ...acting(whats),
          },
          args: teamArgs,
          actor: firstOf(whats),
        },
        "short",
      );
    compare(await row(together, ran), (what) => `ada/${nameOf(what)}`, agents);
  });

  it("with a unit of a batch", async () => {
    const cells = await row(apart, (whats) => {
      const there = teamPlace();
      const fixture = batchFixture(there, [made("probe", "."), ...waitingFor("probe", ["b", "c", "d", "e"])]);
      const args = ["batch", "--plan", fixture.plan, "--yes", "--json", "--no-pr", "--concurrency", "1", "--allow", "Bash(node --test:*)"];
      return {
        there,
        actor: "tool",
        cast: { tool: parts[whats[0] ?? "error"] },
        args: [...args, ...(whats.includes("turn limit") ? ["--max-turns", "1"] : [])],
      };
    });
    const { budget, ...others } = cells;
    const { budget: spent, ...wanted } = expected;
    const found = Object.entries(others).map(([what, cell]) => [what, seen(cell, "probe")] as const);
    expect(Object.fromEntries(found)).toEqual(wanted);
    expect(seen(budget, "batch", false)).toEqual(spent); // it is the batch's
    for (const what of ["SIGINT", "SIGTERM"] as const) expect(cells[what].stderr).toMatch(/nterrupted/);
  });
});
