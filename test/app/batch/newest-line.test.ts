import { expect, it } from "vitest";
import { newestLine } from "../../../src/app/batch/newest-line.ts";

it("reports the last line with something in it, redacted, at most once a second, and nothing after the end", async () => {
  const said: string[] = [];
  let nowMs = 5_000;
  const redacted = async (text: string) => text.replace("hunter2", "<secret>");
  const newest = newestLine({ monotonicMs: () => nowMs }, { redacted, report: (line) => void said.push(line) });
  const add = async (text: string, ms: number) => {
    nowMs += ms;
    newest.add(text);
    await Promise.resolve();
    await Promise.resolve();
  };
  await add("first\nsecond \n\n", 0);
  await add("too soon\n", 500);
  await add("password hunter2\r", 600);
  await add("\u001b[2K", 2_000);
  newest.end();
  await add("after the end\n", 2_000);
  expect(said).toEqual(["second", "password <secret>", "password <secret>"]);
});
