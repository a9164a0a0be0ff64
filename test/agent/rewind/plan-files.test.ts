import { expect, it } from "vitest";
import type { FileChange } from "../../../src/agent/rewind/file-versions.ts";
import { changesFrom, type FoundNow, verdictOn } from "../../../src/agent/rewind/plan-files.ts";

const path = "/repo/a";
type Steps = [before: string | null, after: string | null, written?: boolean][];
const changesOf = (steps: Steps): FileChange[] =>
  steps.map(([before, after, written = true]) => ({ path, before, after, line: "1", written }));
const content = (digest: string | null): FoundNow => ({ kind: "content", digest });
const everything = () => true;

const told = (steps: Steps, now: FoundNow, isKept: (digest: string) => boolean = everything) => {
  const verdict = verdictOn(changesOf(steps), now, isKept);
  if (verdict.kind === "left") return verdict.file.why;
  return verdict.kind === "put_back" ? [verdict.file.from, verdict.file.to] : verdict.kind;
};

it("restores the content before the first change, and removes new files", () => {
  expect(told([["1", "2"]], content("2"))).toEqual(["2", "1"]);
  expect(
    told(
      [
        ["1", "2"],
        ["2", "3"],
      ],
      content("3"),
    ),
  ).toEqual(["3", "1"]);
  expect(told([[null, "1"]], content("1"))).toEqual(["1", null]);
  expect(told([["1", "2"]], content("1"))).toBe("as_it_was");
  expect(told([[null, "1"]], content(null))).toBe("as_it_was");
});

it("leaves alone what something else has changed: since the last change, between two, or by taking the last one back", () => {
  const others = "something else has changed it since";
  expect(told([["1", "2"]], content("x"))).toBe(others);
  expect(
    told(
      [
        ["1", "2"],
        ["x", "3"],
      ],
      content("3"),
    ),
  ).toBe(others);
  expect(
    told(
      [
        ["1", "2"],
        ["2", "3"],
      ],
      content("2"),
    ),
  ).toBe(others);
  expect(told([["1", "2"]], content(null))).toBe("it was removed since");
  expect(told([["1", "2"]], { kind: "other", why: "it is a folder now" })).toBe("it is a folder now");
});

it("uses the actual file if a kill or a refusal prevented a recorded change", () => {
  const unknown: FileChange[] = [{ path, before: "1", after: "2", line: "1" }];
  expect(["1", "2", "x"].map((digest) => verdictOn(unknown, content(digest), everything).kind)).toEqual(["as_it_was", "put_back", "left"]);
  expect(
    told(
      [
        ["1", "2", false],
        ["1", "3"],
      ],
      content("3"),
    ),
  ).toEqual(["3", "1"]);
});

it("leaves files without kept content alone, and needs none for a file to remove", () => {
  expect(told([["1", "2"]], content("2"), () => false)).toBe("what it held then is not kept any more, or was too large");
  expect(told([[null, "2"]], content("2"), () => false)).toEqual(["2", null]);
});

it("takes all changes from the first of the lines on, whatever line they belong to", () => {
  const change = (name: string, line: string): FileChange => ({ path: name, before: null, after: "1", line, written: true });
  const changes = [change("a", "1"), change("b", "2"), change("a", "rewind"), change("a", "3"), change("b", "3")];
  const found = (...lines: string[]) =>
    Object.fromEntries([...changesFrom(new Set(lines), changes)].map(([name, all]) => [name, all.map(({ line }) => line)]));
  expect([found("3"), found("2", "3"), found("4")]).toEqual([{ a: ["3"], b: ["3"] }, { b: ["2", "3"], a: ["rewind", "3"] }, {}]);
});
