import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { readFiles } from "../../../src/agent/session/read-files.ts";

const at = "2026-01-01T00:00:00.000Z";
const file = (path: string, sha256: string) => [{ path, sha256, bytes: 1 }];

type Ended = Extract<TranscriptEvent, { type: "tool_ended" }>;
const ended = (name: string, more: Partial<Ended>): Ended => ({
  type: "tool_ended",
  id: "c1",
  name,
  subject: "",
  text: "",
  isError: false,
  summary: "",
  touched: [],
  ms: 0,
  at,
  ...more,
});
const line = (time: string, path?: string): TranscriptEvent => ({
  type: "input",
  inputs: [
    { source: { kind: "user" }, text: "go" },
    ...(path === undefined ? [] : [{ source: { kind: "file" as const, path, sources: file(path, "f1") }, text: "" }]),
  ],
  at: time,
});

it("are the last versions that were read, attached, edited or written", () => {
  const events = [
    line("1", "attached.ts"),
    ended("Read", { sources: file("a.ts", "a1") }),
    ended("Edit", { sources: file("a.ts", "a2") }),
    ended("Write", { wrote: file("b.ts", "b1") }),
  ];
  expect([...readFiles(events)]).toEqual([
    ["attached.ts", "f1"],
    ["a.ts", "a2"],
    ["b.ts", "b1"],
  ]);
});

it("are no files that a search has shown in part, pictures, or calls that failed", () => {
  const media = [{ kind: "image", type: "image/png", data: "" }] as unknown as NonNullable<Ended["media"]>;
  const events = [
    ended("Grep", { sources: file("a.ts", "a1") }),
    ended("Read", { sources: file("b.png", "b1"), media }),
    ended("Read", { sources: file("c.ts", "c1"), isError: true }),
    ended("Write", { touched: ["d.ts"] }),
  ];
  expect([...readFiles(events)]).toEqual([]);
});

it("are no files that were read in what a rewind has removed", () => {
  const rewound = { type: "rewound", to: "2", at: "3" } as unknown as TranscriptEvent;
  const events = [
    line("1"),
    ended("Read", { sources: file("a.ts", "a1") }),
    line("2"),
    ended("Read", { sources: file("b.ts", "b1") }),
    rewound,
  ];
  expect([...readFiles(events).keys()]).toEqual(["a.ts"]);
});
