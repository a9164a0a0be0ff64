import { expect, it } from "vitest";
import { keptByChoice } from "../../src/agent/rewind/plan-files.ts";
import { agentLines } from "../../src/screen/agent-lines.ts";
import { createStyle } from "../../src/screen/style.ts";

it("says which files a rewind kept because the person chose so, apart from those that it could not put back", () => {
  const left = [
    { path: "/repo/a.txt", why: keptByChoice },
    { path: "/repo/b.txt", why: "it is a folder now" },
  ];
  const lines = agentLines({ type: "rewound", to: "", putBack: [], left, text: "", at: "" }, createStyle({ NO_COLOR: "1" }));
  expect(lines?.split("\n").slice(1)).toEqual([
    "  Files kept, as you chose:",
    "    /repo/a.txt",
    "  Files left as they are:",
    "    /repo/b.txt: it is a folder now",
  ]);
});
