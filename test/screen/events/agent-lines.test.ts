import { expect, it } from "vitest";
import { keptByChoice } from "../../../src/agent/rewind/plan-files.ts";
import { agentLines } from "../../../src/screen/events/agent-lines.ts";
import { createStyle } from "../../../src/screen/style.ts";

it("lists files that a rewind kept by choice, separately from those that it could not restore", () => {
  const left = [
    { path: "/repo/a.txt", why: keptByChoice },
    { path: "/repo/b.txt", why: "it is a folder now" },
  ];
  const lines = agentLines(
    { type: "rewound", to: "", line: "Fix the\nparser", putBack: [], left, text: "", at: "" },
    createStyle({ NO_COLOR: "1" }),
  );
  expect(lines?.split("\n")).toEqual([
    '  Back to before "Fix the parser". Everything after that was undone.',
    "  Files kept, as you chose:",
    "    /repo/a.txt",
    "  Files left unchanged:",
    "    /repo/b.txt: it is a folder now",
  ]);
});

it("warns that a picture was left out", () => {
  const reason = "The provider refuses an image or a document: too odd. It is left out, and the model is told.";
  expect(agentLines({ type: "media_dropped", reason, at: "" }, createStyle({ NO_COLOR: "1" }))).toBe(`  ! ${reason}`);
});
