import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failuresPath, failuresText, openFailures, recordFailureTool } from "../../../src/agent/result/failures.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { scratchFolder } from "../../scratch.ts";

const at = "1970-01-01T00:00:00.000Z";
const one = (item: string) => ({ at, agent: "tool", item, error: "it broke" });

describe("openFailures()", () => {
  it("keeps records, separates them from earlier ones, and skips torn lines", () => {
    const path = failuresPath(join(scratchFolder(), "session.jsonl"));
    openFailures(disk, path).record(one("old"));
    appendFileSync(path, '{"at":"x","agent":"to');
    const failures = openFailures(disk, path);
    expect(failures.fresh()).toEqual([]);
    failures.record(one("a.ts"));
    openFailures(disk, path).record({ ...one("b.ts"), agent: "worker" });
    expect(failures.fresh()).toEqual([one("a.ts"), { ...one("b.ts"), agent: "worker" }]);
    expect(
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}")),
    ).toHaveLength(3);
  });
});

describe("RecordFailure", () => {
  const tool = (kept: unknown[]) =>
    recordFailureTool({
      failures: { record: (failure) => void kept.push(failure) },
      agent: "tool",
      now: () => new Date(0),
      redacted: async (text) => text.replaceAll("hunter2", "[secret]"),
      written: async () => void kept.push("written"),
    });

  it("has it on disk before it answers, short and without secrets", async () => {
    const kept: unknown[] = [];
    const result = await tool(kept).run(
      { item: " a.ts ", error: `hunter2 ${"x".repeat(4_000)}` },
      { signal: new AbortController().signal },
    );
    expect(result).toMatchObject({ isError: false, summary: "recorded" });
    expect(kept).toEqual([{ ...one("a.ts"), error: `[secret] ${"x".repeat(3_000 - 8)}…` }, "written"]);
  });

  it("wants both", async () => {
    const kept: unknown[] = [];
    expect(await tool(kept).run({ item: "a.ts", error: " " }, { signal: new AbortController().signal })).toMatchObject({ isError: true });
    expect(kept).toEqual([]);
  });
});

it("lists failures by item", () => {
  expect(failuresText([], "f.jsonl")).toBe("");
  expect(failuresText([one("a.ts"), { ...one("b.ts"), error: "two\nlines" }], "f.jsonl")).toBe(
    "2 items failed, recorded in f.jsonl:\n  a.ts: it broke\n  b.ts: two",
  );
});
