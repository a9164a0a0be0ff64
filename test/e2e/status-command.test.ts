// A person's own status command in a real session: what it is told, and that it harms nothing when it hangs or prints rubbish.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

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
  await eventually(() => factsIn(there.env["HOME"]!)["state"] === "ready");
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
