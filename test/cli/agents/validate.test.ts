import { expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

const agent = (model: string) => `---\nname: reviewer\ndescription: Reviews\nmodel: ${model}\n---\nReview.\n`;

it.each(["haiku", "inherit", "claude-sonnet-5-5"])("tool agents validate accepts the model %s", async (model) => {
  const { tool } = commandLine({ "a.md": agent(model) });
  expect(await tool("agents", "validate", "a.md")).toEqual({ code: 0, out: "1 file: 1 can be used, 0 errors, 0 warnings\n", err: "" });
});

it("tool agents validate warns about a model that is not known, with its line and the near name", async () => {
  const { tool } = commandLine({ "a.md": agent("claude-sonet-5-5") });
  expect(await tool("agents", "validate", "a.md")).toEqual({
    code: 0,
    out: 'a.md:4: warning: "claude-sonet-5-5" is not a model known here: its price and window are unknown, and the provider may refuse it. Did you mean claude-sonnet-5-5? Correct it, or leave the line out.\n1 file: 1 can be used, 0 errors, 1 warning\n',
    err: "",
  });
});

it("tool agents validate without a path checks all that are here, and --json lists good ones too", async () => {
  const { tool } = commandLine({ ".tool/agents/a.md": agent("haiku"), ".claude/agents/b.md": "---\nname: b\ndesription: B\n---\nDo.\n" });
  const { code, out } = await tool("agents", "validate", "--json");
  const { checked, mistakes } = JSON.parse(out) as {
    checked: { file: string; name: string; usable: boolean }[];
    mistakes: { found: string; action: string }[];
  };
  expect([code, checked.map(({ file, ...rest }) => ({ ...rest, file: file.split("/").at(-1) }))]).toEqual([
    1,
    [
      { file: "a.md", name: "reviewer", usable: true },
      { file: "b.md", name: null, usable: false },
    ],
  ]);
  expect(mistakes.map(({ found, action }) => `${found} ${action}`)).toContain('Unknown key "desription". Did you mean "description"?');
});
