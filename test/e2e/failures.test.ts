// Items that an agent records as failed are on disk at once and in the report at the end.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

it("records failures of the session and its agents, continues, and lists them at the end", async () => {
  const api = await provider({
    tool: [
      [
        call("RecordFailure", { item: "a.ts", error: "no tests\nsecond line" }),
        call("Agent", { description: "port b", prompt: "Port b.ts", name: "bee" }),
      ],
      text("One of three done."),
    ],
    bee: [call("RecordFailure", { item: "b.ts", error: "does not compile" }), text("b.ts failed.")],
  });
  const there = teamPlace();
  const program = there.warm(["--print", "--output-format", "json", "Port all"], { env: api.env });
  const { code } = await program.ended;
  const path = failuresFile(there.configDir);
  const failures = [
    { item: "a.ts", error: "no tests\nsecond line", agent: "tool" },
    { item: "b.ts", error: "does not compile", agent: "bee" },
  ];
  const byItem = (list: { item: string }[]) => list.toSorted((a, b) => (a.item < b.item ? -1 : 1));
  const result = JSON.parse(program.stdout());
  expect([code, result.ending, byItem(result.failures)]).toEqual([1, "fault", failures]);
  const kept = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(byItem(kept)).toEqual(failures.map((failure) => ({ ...failure, at: expect.any(String) })));
  expect(toolResults(api.requests("bee")[1])).toEqual(["Recorded. Go on with the other items, and name this one in your report."]);
  expect(aboutWork(program.stderr())).toContain(`tool: 2 items are recorded in ${path}\n`);
  expect(program.stderr()).toContain("tool: a.ts: no tests\ntool: bee: b.ts: does not compile\n");
});

function failuresFile(configDir: string): string {
  const projects = join(configDir, "projects");
  const [found] = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("failures.jsonl"));
  return join(projects, found ?? "");
}
