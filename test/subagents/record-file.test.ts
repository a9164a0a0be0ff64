import { expect, it } from "vitest";
import { openRecords } from "../../src/subagents/record-file.ts";
import { aRecord } from "./kit.ts";

it("makes the folder of the transcripts first, so that one sync of the folder above keeps it and the record", () => {
  const done: string[] = [];
  const disk = {
    read: () => undefined,
    makeFolder: (path: string, options?: { durable: boolean }) => void done.push(`make ${path} ${options?.durable}`),
    replace: (path: string) => void done.push(`replace ${path}`),
  };
  const records = openRecords(disk, "/p/s");
  const record = aRecord({ transcript: "/p/s/subagents/agent-a-1.jsonl" });
  records.put(record);
  expect(done).toEqual(["make /p/s/subagents false", "replace /p/s/agents.json"]);
  expect(records.find(record.id)).toBe(record);
});
