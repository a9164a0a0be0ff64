// A person at a terminal decides about a plan: what they see, and how an impossible answer is refused.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { batchFixture, made } from "../batch/fixture.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

const five = ["a", "b", "c", "d", "e"].map((id) => made(id));

function seatAt({ env, repository }: ReturnType<typeof teamPlace>, { plan, script }: { plan: string; script: string }, flags: string[]) {
  const argv = [...tool, "batch", "--plan", plan, "--script", script, ...flags];
  return personsTerminal(argv, { env, cwd: repository, columns: 150, rows: 40 });
}

it("a plan is drawn without a visible escape, wrong numbers are named, and Ctrl-C ends with 130", async () => {
  const there = teamPlace();
  const fixture = batchFixture(there, five);
  const seat = seatAt(there, fixture, ["--no-pr"]);
  await seat.shows("3  drop units");
  seat.type("d 2 99\r");
  await seat.shows('Cannot drop "99": give numbers of units, 1 to 5');
  await seat.shows("3  drop units");
  seat.type("3");
  await seat.shows("Which unit is dropped?");
  seat.type("xyz\r");
  await seat.shows('Cannot drop "xyz"');
  await seat.shows("3  drop units");
  seat.type("d 2\r");
  await seat.shows("4 units would be left");
  await eventually(() => seat.screen().at(-1)?.includes("type to say no and why")); // until then Ctrl-C would send a signal
  expect(seat.everything().join("\n")).not.toMatch(/\\x1b|\\u\{?1b|␛|\^\[/);
  seat.type("\x03");
  await seat.shows("The plan was not approved. Nothing was changed.");
  expect(await seat.ended).toBe(130);
  expect(existsSync(join(there.configDir, "batches"))).toBe(false);
});

it("Ctrl-C at a question before the plan ends with 130, and no with 1, as no to the plan does", async () => {
  const there = teamPlace();
  const fixture = batchFixture(there, five);
  const ask = async (keys: string, { flags = [] as string[], question = "Continue?", said = "The batch was not started." } = {}) => {
    const seat = seatAt(there, fixture, flags);
    await seat.shows(question);
    seat.type(keys);
    await seat.shows(said);
    return seat.ended;
  };
  expect([await ask("\x03"), await ask("n\r")]).toEqual([130, 1]);
  const refused = { flags: ["--no-pr"], question: "3  drop units", said: "The plan was refused: too many files. Nothing was changed." };
  expect(await ask("too many files\r", refused)).toBe(1);
  expect(existsSync(join(there.configDir, "batches"))).toBe(false);
});

it("a terminal that goes away, or SIGTERM, leaves the question", async () => {
  const there = teamPlace();
  const fixture = batchFixture(there, five);
  const [gone, killed] = [seatAt(there, fixture, ["--no-pr"]), seatAt(there, fixture, ["--no-pr"])];
  for (const seat of [gone, killed]) await seat.shows("3  drop units");
  gone.hangUp();
  process.kill(killed.pid, "SIGTERM");
  await killed.shows("The plan was not approved. Nothing was changed.");
  expect(await killed.ended).toBe(130);
  await gone.ended;
  expect(existsSync(join(there.configDir, "batches"))).toBe(false);
});

it("fewer than 5 units are offered to sub-agents of a session", async () => {
  const there = teamPlace();
  const fixture = batchFixture(there, ["a", "b", "c"].map((id) => made(id)).concat(made("d", ".", { phase: 2, needs: ["a"] })));
  const seat = seatAt(there, fixture, ["--no-pr"]);
  await seat.shows("The plan has 4 units, and a batch has at least 5. Have it done by sub-agents of a session?");
  seat.type("y\r");
  await seat.shows("4. Make d (after 1)");
  await seat.shows("Files: src/new/d.js. Test: `node --test test/d.test.js`");
  await seat.shows("ready");
  expect(await seat.leave()).toBe(0);
});
