// A batch whose units have their hands at places, of which one dies under every unit: each unit is done, once, and says where.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { teamPlace } from "../team-kit.ts";

it("units work at places, and one whose place dies goes on elsewhere", async () => {
  const there = teamPlace();
  const { folder, configDir } = there;
  const fixture = batchFixture(there, [made("a"), made("b"), made("red", " of nothing"), ...waitingFor("red", ["d", "e"])]);
  const died = join(folder, "died");
  there.write("dies.sh", `echo >>${died}.$$\n(sleep 1; kill -9 -$$) &\nexec "$@"\n`);
  const steady = join(folder, "steady");
  const places = {
    steady: { command: ["env"], folder: steady },
    dying: { command: ["/bin/sh", join(folder, "dies.sh")], folder: join(folder, "dying") },
  };
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(configDir, "settings.json"), JSON.stringify({ places }));
  const args = ["batch", "--plan", fixture.plan, "--yes", "--no-pr", "--json", "--script", fixture.script];
  const batch = there.warm([...args, "--allow", "Bash(node --test:*)", "--places", "dying:2,steady:1"], { env: {} });
  const { code } = await batch.ended;
  expect({ code, said: batch.stderr() }).toEqual({ code: 1, said: expect.any(String) });
  const { units } = JSON.parse(batch.stdout());
  expect(units.map(({ state }: { state: string }) => state)).toEqual(["done", "done", "failed", "skipped", "skipped"]);
  expect(units.every(({ place }: { place?: string }) => place !== "dying")).toBe(true);
  expect(units.some(({ place }: { place?: string }) => place === "steady")).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("died.")).length).toBeGreaterThan(1);
  for (const { id, branch } of units.slice(0, 2) as { id: string; branch: string }[]) {
    expect(fixture.git("rev-list", "--count", `HEAD..${branch}`).trim()).toBe("1");
    expect(fixture.git("show", `${branch}:src/new/${id}.js`)).toContain(`made = '${id}'`);
  }
  // What it worked in at the place that lives is gone with it.
  expect(readdirSync(steady).toSorted()).toEqual(["links", "program", "repositories", "state"]);
});
