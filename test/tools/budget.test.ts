// However long the output, one call stays within its budget of the context window, and says how to read the rest.
import { afterAll, beforeAll, expect, it } from "vitest";
import { toolUser } from "./agent.ts";
import { type Tree, tree } from "./tree.ts";

const longLine = `start ${"x".repeat(100_000)} needle ${"y".repeat(100_000)} end`;
let folder: Tree;
beforeAll(() => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`many/${"deep/".repeat(5)}file-${n}.txt`, `needle ${n}\n`]));
  folder = tree({ "min.js": `${longLine}\n`, "lines.txt": "a line of text\n".repeat(50_000), ...many });
});
afterAll(() => folder.remove());

it.each([
  ["Read", { path: "min.js" }, 2_200, /\[long lines are cut; Grep shows the part around a match\]$/],
  ["Read", { path: "lines.txt" }, 65_000, /\[lines 1-\d+ of 50000; go on with offset \d+\]$/],
  ["Grep", { pattern: "needle", path: "min.js" }, 400, /needle/],
  ["Grep", { pattern: "needle", path: "many" }, 32_000, /\[\d+ more; use a narrower path or pattern\]$/],
  ["Glob", { pattern: "**/*" }, 32_000, /\[\d+ more; use a narrower pattern\]$/],
  ["Bash", { command: "cat min.js lines.txt" }, 32_000, /bytes cut/],
])("%s %j gives at most %i characters and says how to continue", async (tool, input, most, wayOn) => {
  const use = await toolUser(folder.path);
  const { text } = await use(tool, input);
  expect(text.length).toBeLessThanOrEqual(most);
  expect(text).toMatch(wayOn);
});
