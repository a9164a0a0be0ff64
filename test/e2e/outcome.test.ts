// Who lacked, failed or was interrupted × what kept it from being done: the exit code, the JSON and standard error of the built program agree, and
// none of it is a silent success.
import { describe, expect, it } from "vitest";
import { batchFixture, made } from "../batch/fixture.ts";
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

/** `actor`: the name that the one that it is about has in the system prompt. */
type Ran = { there: Place; cast: (actor: Part) => Record<string, Part>; args: (what: What) => string[]; actor: string };

async function cellOf({ there, cast, args, actor }: Ran, what: What): Promise<Cell> {
  const api = await provider(cast(parts[what]));
  const budget = what === "budget" ? ["--budget-usd", "0.2"] : [];
  const program = there.piped([...args(what), "--model", "claude-sonnet-5", ...budget], { env: api.env, input: "" });
  if (what === "SIGINT" || what === "SIGTERM") {
    await eventually(() => api.requests(actor).length > 0);
    process.kill(program.pid, what);
  }
  const { code } = await program.ended;
  const [last = "{}"] = program.stdout().trimEnd().split("\n").slice(-1);
  return { code, doc: JSON.parse(last) as Doc, stderr: program.stderr() };
}

/** All cells of a row run side by side, each in a place of its own. */
async function row(ran: () => Ran): Promise<Record<What, Cell>> {
  const cells = await Promise.all(whats.map(async (what) => [what, await cellOf(ran(), what)] as const));
  return Object.fromEntries(cells) as Record<What, Cell>;
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

function compare(cells: Record<What, Cell>, agent: string, wanted: Record<What, Seen>, isNamed = true): void {
  const found = Object.entries(cells).map(([what, cell]) => [what, seen(cell, agent, isNamed)] as const);
  expect(Object.fromEntries(found)).toEqual(wanted);
  for (const what of ["SIGINT", "SIGTERM"] as const) expect(cells[what].stderr).toMatch(/nterrupted/);
}

const print = ["--print", "--output-format"];
const short = (name: string) => `---\nname: ${name}\ndescription: ${name}\nmaxTurns: 1\n---\nDo what you are told.\n`;
const start = (name: string, background: boolean, type = "general") =>
  call("Agent", { description: "look", prompt: "Look.", name, background, subagent_type: type });
/** Its definition is the one with a turn limit where that is what the cell is about. */
const typeOf = (actor: Part) => (actor === parts["turn limit"] ? "short" : "general");
const thenNoted = (...answers: Part) => [...answers, ...Array.from({ length: 4 }, () => text("Noted."))];

/** A run whose definitions have a limit of one turn. */
function placeOf(ran: Omit<Ran, "there">, ...shortNames: string[]): Ran {
  const there = teamPlace();
  for (const name of shortNames) there.write(`config/agents/${name}.md`, short(name));
  return { there, ...ran };
}

describe("the outcome of a run", () => {
  it("that is a session, by what it lacks itself", async () => {
    const turns = (what: What) => (what === "turn limit" ? ["--max-turns", "1"] : []);
    const ran = () =>
      placeOf({ cast: (actor) => ({ tool: actor }), args: (what) => [...print, "json", ...turns(what), "go on now"], actor: "tool" });
    compare(await row(ran), "tool", expected, false);
  });

  it("with an agent in the foreground", async () => {
    const cast = (actor: Part) => ({ tool: thenNoted(start("probe", false, typeOf(actor))), probe: actor });
    const ran = () => placeOf({ cast, args: () => [...print, "stream-json", "go on now"], actor: "probe" }, "short");
    compare(await row(ran), "probe", agents);
  });

  it("with an agent in the background", async () => {
    const cast = (actor: Part) => ({ tool: thenNoted(start("probe", true, typeOf(actor))), probe: actor });
    const ran = () => placeOf({ cast, args: () => [...print, "json", "go on now"], actor: "probe" }, "short");
    compare(await row(ran), "probe", inBackground);
  });

  it("with an agent of an agent", async () => {
    const cast = (actor: Part) => ({
      tool: thenNoted(start("above", false)),
      above: thenNoted(start("probe", false, typeOf(actor))),
      probe: actor,
    });
    const ran = () => placeOf({ cast, args: () => [...print, "json", "go on now"], actor: "probe" }, "short");
    compare(await row(ran), "probe", agents);
  });

  it("with a worker of a coordinator", async () => {
    const order = { ...anOrder(), component: "probe", files: ["src/probe.js"], testCommand: "true" };
    const cast = (actor: Part) => ({ tool: thenNoted(call("StartWorker", order)), probe: actor });
    const args = () => [...print, "json", "--agent", "coordinator", "go on now"];
    const cells = await Promise.all(
      whats.map(async (what) => [
        what,
        await cellOf(placeOf({ cast, args, actor: "probe" }, ...(what === "turn limit" ? ["worker"] : [])), what),
      ]),
    );
    compare(Object.fromEntries(cells) as Record<What, Cell>, "probe", inBackground);
  });

  const teamArgs = () => ["team", "--print", "--output-format", "json", "--display", "in-process", "go on now"];
  const lead = (role: Record<string, string> = {}) =>
    thenNoted([call("TaskCreate", { title: "Look", description: "Look." }), call("SpawnTeammate", { name: "ada", ...role })]);
  const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." });

  it("with a teammate", async () => {
    const cast = (actor: Part) => ({
      lead: lead(typeOf(actor) === "short" ? { role: "short" } : {}),
      ada: actor.at(-1) === never ? actor : [...actor.slice(0, -1), ...(actor.length > 1 ? [completed, text("Done.")] : actor)],
    });
    compare(await row(() => placeOf({ cast, args: teamArgs, actor: "ada" }, "short")), "ada", expected);
  });

  it("with an agent of a teammate", async () => {
    const cast = (actor: Part) => ({ lead: lead(), ada: [start("probe", false, typeOf(actor)), completed, text("Done.")], probe: actor });
    compare(await row(() => placeOf({ cast, args: teamArgs, actor: "probe" }, "short")), "ada/probe", agents);
  });

  it("with a unit of a batch", async () => {
    const cells = await row(() => {
      const there = teamPlace();
      const needs = (id: string) => made(id, ".", { phase: 2, needs: ["probe"] });
      const fixture = batchFixture(there, [made("probe", "."), ...["b", "c", "d", "e"].map(needs)]);
      const args = ["batch", "--plan", fixture.plan, "--yes", "--json", "--no-pr", "--concurrency", "1", "--allow", "Bash(node --test:*)"];
      return {
        there,
        actor: "tool",
        cast: (actor) => ({ tool: actor }),
        args: (what) => [...args, ...(what === "turn limit" ? ["--max-turns", "1"] : [])],
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
