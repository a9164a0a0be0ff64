// What is seen at home of a command that runs at a place.
import { expect, it } from "vitest";
import { wholeLines } from "../../../src/app/places/agent-members.ts";

const said = (...parts: string[]) => {
  const lines: string[] = [];
  const write = wholeLines((text) => lines.push(text));
  for (const part of parts) write(part);
  return lines;
};

it("wholeLines() passes lines on when they have ended, whole", () => {
  expect(said("one\ntw", "o", "\nthr", "ee")).toEqual(["one\n", "two\n"]);
  expect(said("10 %\r20", " %\r")).toEqual(["10 %\r", "20 %\r"]);
});

it("wholeLines() keeps nothing of a line that is too long, not even its end, and goes on with the next", () => {
  const part = "x".repeat(40_000);
  expect(said(part, part, "secret", " end\nnext\nla", "st\n")).toEqual(["\nnext\n", "last\n"]);
});
