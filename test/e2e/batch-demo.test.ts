// The demo of batches as the README promises it, without a terminal.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

it("opens five pull requests, records one failure, and leaves nothing", async () => {
  const place = teamPlace();
  const demo = place.warm(["demo", "batch", "--print"]);
  const { code } = await demo.ended;
  const said = `${demo.stdout()}\n${aboutWork(demo.stderr())}`;
  expect(code, said).toBe(0);
  expect(said).toContain("such a batch ends with exit code 1, the demo with 0");
  expect(said).toMatch(/^Batch (\w+): 5 units done, 1 failed, 0 skipped/m);
  const told =
    / skipped, ([\d.]+)k tokens, \S+\n +estimated for its units: ([\d.]+)k to (\d+)k tokens, \$0\.00 \(from planning, \d turns\)/;
  const [, used, low, high] = told.exec(said) ?? [];
  expect([Number(low) < Number(used), Number(used) < Number(high)], said).toEqual([true, true]);
  expect(said).toMatch(/2 +✓ +Answer with ISO dates .*its test was changed: test\/time\.test\.js/);
  expect(said).toMatch(/5 +✗ +Log each invoice .*tests: node --test test\/invoices\.test\.js test\/ledger\.test\.js: ✗ 2 failed/);
  expect(readdirSync(join(place.configDir, "projects"))).toEqual([]);
  const pulls = [...said.matchAll(/^ {2}(.+): tool\/batch-\w+\/(\w+) into (?:tool\/batch-\w+\/)?(\S+)$/gm)].map(([, , unit, base]) => [
    unit,
    base,
  ]);
  const [, base = ""] = pulls[0] ?? [];
  expect(new Map(pulls as [string, string][])).toEqual(
    new Map([
      ["log", base],
      ["time", base],
      ["orders", "phase-1"],
      ["stock", "phase-1"],
      ["whole", "phase-2"],
    ]),
  );

  const id = /^Batch (\w+):/m.exec(said)?.[1] ?? "";
  const list = place.warm(["batch", "--list"]);
  expect([await list.ended, list.output()]).toMatchObject([{ code: 0 }, expect.stringMatching(/^\w+ .* 0 open +repository is gone /m)]);
  const retry = place.warm(["batch", "--retry", id]);
  expect([await retry.ended, retry.output()]).toMatchObject([
    { code: 2 },
    expect.stringMatching(
      new RegExp(`cannot continue batch ${id}: The folder .+ is gone\\. .*remove .+/batches/${id} too\\. Nothing was started`),
    ),
  ]);
  const cleared = ["removed, since its repository is gone", "There are no batches."];
  for (const line of cleared) {
    const clear = place.warm(["batch", "--gc"]);
    expect([await clear.ended, clear.output()]).toMatchObject([{ code: 0 }, expect.stringContaining(line)]);
  }
});

it("interrupted in the middle, it promises no resume, since its copy goes, and leaves no record", async () => {
  const place = teamPlace();
  const demo = place.tool(["demo", "batch", "--print"]);
  await eventually(() => demo.output().includes("units start from"));
  demo.child.kill("SIGINT");
  expect((await demo.ended).code, demo.output()).toBe(130);
  expect(demo.output()).toMatch(/^Batch \w+: .* open/m);
  expect(demo.output()).not.toMatch(/Resume|--resume|is kept|What failed/);
  expect(readdirSync(join(place.configDir, "batches"))).toEqual([]);
});
