// A person's own status command in a real session: what it is told, and that it harms nothing when it hangs or prints rubbish.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { attend } from "./attended.ts";

async function sit(statusCommand: string) {
  const api = await provider({ tool: [text("Hello.")] });
  const there = teamPlace();
  mkdirSync(there.configDir, { recursive: true });
  writeFileSync(join(there.configDir, "settings.json"), JSON.stringify({ statusCommand, model: "haiku" }));
  const seat = personsTerminal(tool, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 80, rows: 24 });
  return { there, seat };
}

it("shows the line that the command prints, from the facts that it is told", async () => {
  const { there, seat } = await sit(`cat > "$HOME/facts"; printf '\\033[31mred\\033[0m \\033[2Jline\\nsecond\\n'`);
  await seat.shows("red line");
  seat.type("hi\r");
  await seat.shows("Hello.");
  const facts = () => factsIn(there.env["HOME"]!);
  await eventually(() => facts()["state"] === "ready" && facts()["cost_usd"] === null); // before the turn it is 0
  expect(factsIn(there.env["HOME"]!)).toEqual({
    version: 1,
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    folder: there.repository,
    state: "ready",
    model: expect.stringContaining("haiku"),
    mode: "default",
    sandbox: expect.any(String),
    tokens: { used: expect.any(Number), of: expect.any(Number) },
    cost_usd: null, // this provider names a model without a price
    background: "",
    hands: null,
    team: null,
    columns: 80,
    branch: expect.stringMatching(/^ma(?:in|ster)$/),
  });
  expect(seat.everything().join("\n")).not.toContain("second");
  await seat.leave();
});

it("says once that the command hangs, kills it, and shows the built-in line meanwhile", async () => {
  const { seat } = await sit("yes | head -c 1000000 >&2; sleep 1000");
  await seat.shows("ready");
  seat.type("typed at once");
  await seat.shows("typed at once");
  await seat.shows("The status command failed: it did not end within 1 s.");
  expect(
    seat
      .screen()
      .join("\n")
      .match(/status command failed/g),
  ).toHaveLength(1);
  seat.type("\x15");
  await seat.leave();
});

/** Empty while the command writes them. */
const factsIn = (home: string): Record<string, unknown> => {
  const facts = readFileSync(join(home, "facts"), "utf8");
  return facts.endsWith("}") ? JSON.parse(facts) : {};
};

it("is told in a team which member's pane it is for, and what the member works on", async () => {
  const api = await provider({
    lead: [[call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })], text("ada works.")],
    ada: [() => new Promise(() => {})],
  });
  const place = teamPlace();
  mkdirSync(place.configDir, { recursive: true });
  const statusCommand = `cat > "$HOME/facts.$$"; mv "$HOME/facts.$$" "$HOME/told.$$"; echo told`;
  writeFileSync(join(place.configDir, "settings.json"), JSON.stringify({ statusCommand }));
  const seat = await attend(place, ["team", "--display", "tmux", "Do it."], { tmux: "inside", team: "atlas", env: api.env });
  const told = () => {
    const home = place.env["HOME"]!;
    const files = readdirSync(home).filter((name) => name.startsWith("told."));
    return files.map((name) => (JSON.parse(readFileSync(join(home, name), "utf8")) as { team: unknown }).team);
  };
  await eventually(() => told().some((team) => JSON.stringify(team) === '{"name":"atlas","member":"ada","task":"task-1"}'));
  expect(told()).toContainEqual({ name: "atlas", member: "lead", task: null });
  expect(seat.screen()).toContain("told");
  seat.press("C-c", "C-c");
  await eventually(() => seat.code() !== undefined);
});
