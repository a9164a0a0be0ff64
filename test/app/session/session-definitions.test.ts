// Finding the definition that a user names, when its file has a mistake.
import { expect, it } from "vitest";
import { definitionNamed } from "../../../src/app/session/session-definitions.ts";
import { builtInAgents } from "../../../src/subagents/definitions/built-in.ts";
import type { Definition, Mistake } from "../../../src/subagents/definitions/definition.ts";

const builtIn = builtInAgents({});
const mistake = (name: string, level: Mistake["level"] = "error"): Mistake => ({
  level,
  file: `/home/me/.tool/agents/${name}.md`,
  line: 3,
  found: '"maxTurns" is 0.',
  action: "Correct it.",
});
const find = (name: string, mistakes: Mistake[], list: readonly Definition[] = builtIn) =>
  definitionNamed(name, { list: [...list], mistakes, untrusted: [] });

it.each(["auditor", "reviewer"])("says the mistake in the file of %s, which no built-in definition replaces", (name) => {
  expect(find(name, [mistake(name)])).toEqual({
    ok: false,
    reason: `the definition "${name}" cannot be used: its file has a mistake. /home/me/.tool/agents/${name}.md:3: error: "maxTurns" is 0. Correct it.`,
  });
});

it("uses a definition whose file has only a warning, or that another folder has without a mistake", () => {
  const reviewer = builtIn.find(({ name }) => name === "reviewer")!;
  const own: Definition = { ...reviewer, scope: "user", file: "/home/me/.tool/agents/reviewer.md" };
  expect(find("reviewer", [mistake("reviewer", "warning")])).toEqual({ ok: true, definition: reviewer });
  expect(find("reviewer", [mistake("reviewer")], [own])).toEqual({ ok: true, definition: own });
});

it("mentions the mistakes of other files", () => {
  expect(find("nobody", [mistake("auditor")])).toMatchObject({ reason: expect.stringContaining("Some definitions cannot be used") });
});

it("knows the names of other products, and takes no built-in agent for one that cannot be used", () => {
  expect(find("Explore", [])).toMatchObject({ ok: true, definition: { name: "explorer" } });
  expect(find("general-purpose", [])).toMatchObject({ ok: true, definition: { name: "general" } });
  expect(find("Explore", [{ ...mistake("some-file"), agent: "Explore" }])).toMatchObject({
    ok: false,
    reason: expect.stringContaining("has a mistake"),
  });
});
