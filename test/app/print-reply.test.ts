import { describe, expect, it } from "vitest";
import { fitted, printRefusal } from "../../src/app/print-reply.ts";
import type { Output } from "../../src/app/world.ts";
import { collected } from "../cli/command-line.ts";

it("fitted() wraps sentences at the terminal's width, and leaves commands whole for pasting", async () => {
  const command = "To remove one: git -C '/repo of mine' worktree remove '/repo of mine-team-1/bo'";
  const text = `Kept: the worktree /repo of mine-team-1/bo\n${command}`;
  const at = (isTTY: boolean) => fitted({ isTTY, columns: 30 } as Output, text);
  expect([await at(true), await at(false)]).toEqual([`Kept: the worktree /repo of\n  mine-team-1/bo\n${command}`, text]);
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
      err: "tool: The list is empty. Restore it: node /repo/tool.js team task restore\\x1b\n",
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
