import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createEditor } from "../../../src/screen/editor/editor.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { eventually } from "../../scratch.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";

const enter = "\r";
const down = "\x1b[B";

function editorHere() {
  const sent: string[] = [];
  const paths = ["src/a.ts", "src/a.ts.snap", "src/b.ts"];
  const editor = createEditor({
    terminal: emulatedTerminal(60, 20).terminal,
    style: createStyle({ NO_COLOR: "1" }),
    ports: {
      commands: () => [{ name: "help", summary: "Help" }],
      files: async (prefix) => paths.filter((path) => path.startsWith(prefix)),
    },
    changed: () => {},
    onLine: (line) => sent.push(line),
  });
  const write = (text: string) => {
    for (const key of text) editor.onKey(key);
  };
  return { editor, sent, write, text: () => stripVTControlCharacters(editor.render(60)[0] ?? "").trimEnd() };
}

it.each([
  ["Ctrl-U", "\x15"],
  ["Ctrl-W", "\x17"],
])("closes the list when %s has taken away the word that it completes", async (_, key) => {
  const { editor, write, text } = editorHere();
  write("/he");
  await eventually(editor.isCompleting);
  editor.onKey(key);
  expect([text(), editor.isCompleting()]).toEqual([key === "\x15" ? ">" : "> /", key !== "\x15"]);
});

describe("Enter at a list of paths", () => {
  it("sends a line whose path is complete, and the next line begins anew", async () => {
    const { editor, sent, write } = editorHere();
    write("look at @src/a.ts");
    await eventually(editor.isCompleting);
    editor.onKey(enter);
    write("next");
    editor.onKey(enter);
    expect(sent).toEqual(["look at @src/a.ts", "next"]);
  });

  it("completes a path that has only been begun", async () => {
    const { editor, sent, write, text } = editorHere();
    write("@src/b");
    await eventually(editor.isCompleting);
    editor.onKey(enter);
    expect([sent, text()]).toEqual([[], "> @src/b.ts"]);
  });

  it("takes the path that was chosen with an arrow", async () => {
    const { editor, sent, write, text } = editorHere();
    write("@src/a.ts");
    await eventually(editor.isCompleting);
    editor.onKey(down);
    editor.onKey(enter);
    expect([sent, text()]).toEqual([[], "> @src/a.ts.snap"]);
  });
});
