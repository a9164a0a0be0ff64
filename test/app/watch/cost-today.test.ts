import { describe, expect, it } from "vitest";
import { type CostDisk, costToday } from "../../../src/app/watch/cost-today.ts";

const now = new Date(2026, 0, 2, 12);
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const reply = (costUsd: number | null, at = now) =>
  `${JSON.stringify({ type: "reply", usage, costUsd, model: "m", at: at.toISOString() })}\n`;
const yesterday = new Date(2026, 0, 1, 23);

function diskOf(files: Record<string, { text: string; at: Date }>): CostDisk {
  const paths = () => Object.keys(files);
  return {
    list: (folder) => [
      ...new Set(paths().flatMap((path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0]! : []))),
    ],
    changedAt: (path) => files[path]?.at,
    readFrom: (path, offset) => ({ bytes: Buffer.from(files[path]!.text).subarray(offset), size: files[path]!.text.length }),
  };
}

describe("costToday()", () => {
  it("adds up today's requests of sessions and of their agents", () => {
    const disk = diskOf({
      "/p/app/a.jsonl": { text: reply(5, yesterday) + reply(1), at: now },
      "/p/app/a/subagents/agent-1.jsonl": { text: reply(0.5), at: now },
      "/p/app/old.jsonl": { text: reply(7, yesterday), at: yesterday },
      "/p/lib/b.jsonl": { text: reply(0.25), at: now },
    });
    expect(costToday(disk, "/p", { everyMs: 1_000 })(now)).toEqual({ costUsd: 1.75, isPartial: false });
  });

  it("reads on where it was, takes a line that was half written once it is whole, and says when a price is unknown", () => {
    const files = { "/p/app/a.jsonl": { text: reply(1) + reply(2).slice(0, 20), at: now } };
    const today = costToday(diskOf(files), "/p", { everyMs: 1_000 });
    expect(today(now).costUsd).toBe(1);
    files["/p/app/a.jsonl"] = { text: reply(1) + reply(2) + reply(null), at: new Date(now.getTime() + 5) };
    expect(today(now)).toEqual({ costUsd: 3, isPartial: true });
  });

  it("begins again at midnight", () => {
    const files = { "/p/app/a.jsonl": { text: reply(1), at: now } };
    const today = costToday(diskOf(files), "/p", { everyMs: 1_000 });
    today(now);
    expect(today(new Date(2026, 0, 3, 0, 1)).costUsd).toBe(0);
  });
});
