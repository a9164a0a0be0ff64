import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { fitted, fittedHelp } from "../../../src/app/print/fitted.ts";
import { printRefusal } from "../../../src/app/print/print-reply.ts";
import type { Output } from "../../../src/app/world.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { collected } from "../../cli/command-line.ts";

it("fitted() wraps sentences at the terminal's width, and leaves commands whole for pasting", async () => {
  const command = "To remove one: git -C '/repo of mine' worktree remove '/repo of mine-team-1/bo'";
  const text = `Kept: the worktree /repo of mine-team-1/bo\n${command}`;
  const at = (isTTY: boolean) => fitted({ isTTY, columns: 30 } as Output, text);
  expect([await at(true), await at(false)]).toEqual([`Kept: the worktree /repo of\n  mine-team-1/bo\n${command}`, text]);
});

it("fitted() continues a task below its text, and keeps a file's changes beside its name", async () => {
  const style = createStyle({ TERM: "xterm-256color", LANG: "C.UTF-8" }, () => ["ada"]);
  const row = `task-7   ${style.state("done", style.symbol("done"))} ${style.member("ada", "ada   ")} One row for each route.${style.dim("  src/summary.js +27 −6")}`;
  const shown = await fitted({ isTTY: true, columns: 54 } as Output, row);
  expect(stripVTControlCharacters(shown).split("\n")).toEqual([
    "task-7   ✓ ada    One row for each route.",
    "                  src/summary.js +27 −6",
  ]);
});

it("fitted() continues a row below its second column, and leaves the command of an example whole", async () => {
  const text =
    '  x model    No key for the model provider was found.\ntool: there is no team here with that name.\n  tool team "Port the report module"';
  expect((await fitted({ isTTY: true, columns: 36 }, text)).split("\n")).toEqual([
    "  x model    No key for the model",
    "             provider was found.",
    "tool: there is no team here with",
    "  that name.",
    '  tool team "Port the report module"',
  ]);
});

it("fittedHelp() joins the lines of a paragraph before it wraps them, and only those", async () => {
  const long = `Servers stand in settings, ${"and in others, ".repeat(5)}of which`;
  const text = `${long}\nthe first counts.\n\nExamples:\n  tool mcp`;
  const shown = await fittedHelp({ isTTY: true, columns: 60 }, text);
  expect(shown.split("\n")).toEqual([
    "Servers stand in settings, and in others, and in others, and",
    "in others, and in others, and in others, of which the first",
    "counts.",
    "",
    "Examples:",
    "  tool mcp",
  ]);
  expect(await fittedHelp({ isTTY: true, columns: 200 }, text)).toBe(text);
});

describe("printRefusal()", () => {
  const refused = (json: boolean) => {
    const [stdout, stderr] = [collected(), collected()];
    const error = { code: "list_damaged", message: "The list is empty. Restore it: tool team task restore\u001b" } as const;
    const code = printRefusal({ command: "node /repo/tool.js", stdout, stderr }, error, { json });
    return { code, out: stdout.text(), err: stderr.text() };
  };

  it("prints a sentence with a command to paste, and no code, for a person", () => {
    expect(refused(false)).toEqual({
      code: 1,
      out: "",
      err: "tool: the list is empty. Restore it: node /repo/tool.js team task restore\\x1b\n",
    });
  });

  it("prints the code and the text as they are for a program", () => {
    const { out, ...rest } = refused(true);
    expect(rest).toEqual({ code: 1, err: "" });
    expect(JSON.parse(out)).toEqual({
      ok: false,
      error: { code: "list_damaged", message: "The list is empty. Restore it: tool team task restore\u001b" },
    });
  });
});

it("fittedHelp() continues the comment beside an example below it, indented", async () => {
  const text = `  tool watch${" ".repeat(30)}everything that runs on this machine`;
  expect(await fittedHelp({ isTTY: true, columns: 60 }, text)).toBe(
    `  tool watch${" ".repeat(30)}everything that\n    runs on this machine`,
  );
});
