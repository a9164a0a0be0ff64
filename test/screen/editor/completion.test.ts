import { expect, it } from "vitest";
import { createCompletion } from "../../../src/screen/editor/completion.ts";

const paths = ["src/a.ts", "src/", "odd\x1b[2J.ts", "src/two words.ts"];
const completion = createCompletion({
  commands: () => [
    { name: "help", summary: "keys" },
    { name: "compact", summary: "room\x1b[2J" },
  ],
  files: async (prefix) => paths.filter((path) => path.startsWith(prefix)),
  agents: () => ["ada", "sam"],
});

async function offered(line: string, force = false): Promise<string[]> {
  const found = await completion.getSuggestions([line], 0, line.length, { signal: new AbortController().signal, force });
  return (found?.items ?? []).map(({ value }) => value);
}

it.each([
  ["/", ["/help", "/compact"]],
  ["/co", ["/compact"]],
  ["look /co", []],
  ["ask @s", ["@sam", "@src/a.ts", "@src/"]],
  ["@ad", ["@ada"]],
  ["@odd", []],
  ["plain sr", []],
])("for %j offers %j", async (line, values) => {
  expect(await offered(line)).toEqual(values);
});

it("offers paths at Tab without an @", async () => {
  expect(await offered("cat src/", true)).toEqual(["src/a.ts", "src/"]);
});

it("adds a blank after a complete word, but not after a folder", () => {
  const item = { value: "@src/", label: "src/" };
  expect(completion.applyCompletion(["see @s now"], 0, 6, item, "@s")).toEqual({ lines: ["see @src/now"], cursorLine: 0, cursorCol: 9 });
  expect(completion.applyCompletion(["/he"], 0, 3, { value: "/help", label: "/help" }, "/he")).toEqual({
    lines: ["/help "],
    cursorLine: 0,
    cursorCol: 6,
  });
});

it("does not change a line that has changed since the list was made", () => {
  const item = { value: "/tasks", label: "/tasks" };
  expect(completion.applyCompletion(["/team "], 0, 6, item, "/t")).toEqual({ lines: ["/team "], cursorLine: 0, cursorCol: 6 });
});
