// What a teammate says of its tests, and what the harness saw of them, side by side wherever a person or the lead's model looks.
import { expect, it } from "vitest";
import { call, newest, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

const red = `import { test } from "node:test";\ntest("keeps the currency", () => { throw new Error("no"); });\ntest("adds", () => {});\n`;

it("a task that is completed over a red test says so, to the lead and to the person; its teammate is spawned after it in the same reply", async () => {
  const place = teamPlace();
  place.write("repo/red.test.mjs", red);
  const api = await provider({
    lead: [
      [
        call("TaskCreate", { title: "Keep the currency", description: "Do it.", assignee: "ada" }),
        call("TaskCreate", { title: "Say hello", description: "Do it.", depends: ["task-1"] }),
        call("SpawnTeammate", { name: "ada" }),
      ],
      text("Waiting."),
      text("Reported."),
    ],
    ada: [
      call("Bash", { command: "node --test red.test.mjs" }),
      call("TaskUpdate", { id: "task-1", status: "completed", summary: "Its tests pass." }),
      text("Done."),
      call("TaskUpdate", { id: "task-2", status: "completed", summary: "Said." }),
      text("Done."),
    ],
  });
  const run = place.warm(["team", "--print", "--display", "in-process", "--allow", "Bash(node --test *)", "Do it."], { env: api.env });
  expect(await run.ended, run.output()).toMatchObject({ code: 0 });

  const seen = "1 of 2 failed: keeps the currency";
  expect(toolResults(api.requests("lead")[1]).slice(0, 2)).toEqual(["Created task-1: Keep the currency.", "Created task-2: Say hello."]);
  expect(newest(api.requests("lead")[2])).toContain(`- task-1 Keep the currency (ada): Its tests pass. [last test ✗ ${seen}]`);
  expect(newest(api.requests("lead")[2])).toContain("- task-2 Say hello (ada): Said. [no test was run]");
  expect(run.output()).toContain(seen);
  const outputOf = async (...args: string[]) => {
    const shown = place.warm(args);
    await shown.ended;
    return shown.output();
  };
  const { tasks } = JSON.parse((await outputOf("team", "report", "--json")).trim().split("\n").at(-1) ?? "");
  expect(tasks.map(({ evidence }: { evidence: unknown }) => evidence)).toEqual([
    { kind: "test", command: "node --test red.test.mjs", result: "failed", summary: seen, at: expect.any(String) },
    { kind: "none" },
  ]);
  expect(await outputOf("team", "status")).toMatch(/^task-1 is completed by ada: last test . 1 of 2 failed: keeps the currency/m);
});
