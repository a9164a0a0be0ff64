// Which display a choice opens, and the facts on which the choice is based.
import { expect, it } from "vitest";
import type { DisplayRequest } from "../../src/app/world.ts";
import { displayEdges } from "../../src/world/display-edges.ts";

const open = (choice: DisplayRequest["choice"]) =>
  displayEdges.display({ choice, team: "atlas", owner: "s:atlas", env: {}, logOf: (name) => `/logs/${name}` });

it.each([
  [{ ok: true, mode: "plain", where: "logs", why: "" }, "plain"],
  [{ ok: true, mode: "tmux", where: "detached", why: "" }, "tmux"],
  [{ ok: true, mode: "iterm2", where: "tabs", why: "" }, "iterm2"],
  [{ ok: true, mode: "in-process", where: "lead", why: "" }, "in-process"],
  [{ ok: true, mode: "driver", where: "driver", driver: { name: "mine", commands: {} }, why: "" }, "driver"],
] as const)("%j opens a display of the kind %s", async (choice, kind) => {
  expect((await open(choice as DisplayRequest["choice"])).kind).toBe(kind);
});

it("is inside tmux only where both variables say so, and in iTerm2 where that program says so", async () => {
  const inside = async (env: Record<string, string>) => (await displayEdges.displayFacts(env)).insideTmux;
  expect([await inside({ TMUX: "/tmp/s,1,0", TMUX_PANE: "%1" }), await inside({ TMUX: "/tmp/s,1,0" }), await inside({})]).toEqual([
    true,
    false,
    false,
  ]);
  const facts = await displayEdges.displayFacts({ TERM_PROGRAM: "iTerm.app" });
  expect([facts.iterm2, facts.platform]).toEqual([true, process.platform]);
});

it("has a folder of its own for a test of a display, which goes away", async () => {
  const folder = await displayEdges.testFolder();
  expect(folder.read("nothing")).toBeUndefined();
  folder.remove();
});
