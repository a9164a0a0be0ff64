import { expect, it } from "vitest";
import { fitted } from "../../src/app/print-reply.ts";
import type { Output } from "../../src/app/world.ts";

it("fitted() wraps sentences at the terminal's width, and leaves commands whole for pasting", async () => {
  const command = "To remove one: git -C '/repo of mine' worktree remove '/repo of mine-team-1/bo'";
  const text = `Kept: the worktree /repo of mine-team-1/bo\n${command}`;
  const at = (isTTY: boolean) => fitted({ isTTY, columns: 30 } as Output, text);
  expect([await at(true), await at(false)]).toEqual([`Kept: the worktree /repo of\n  mine-team-1/bo\n${command}`, text]);
});
