import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { command as tool } from "./command.ts";
import { program, temporaryHome } from "./tool.ts";

const rules = { allow: ["WebFetch(domain:*.example.com)", "mcp__tracker__*"], deny: ["Bash(*)"] };
const cases = [
  { settings: { permissions: rules }, call: { tool: "WebFetch", input: { url: "https://a.example.com/x" } } },
  { settings: { permissions: rules }, call: { tool: "mcp__tracker__list", input: {} } },
  { name: "no commands", expect: "deny", settings: { permissions: rules }, call: { tool: "Bash", input: { command: "ls" } } },
];
const judged = [
  {
    decision: "allow",
    rule: "WebFetch(domain:*.example.com)",
    file: "settings",
    reason: "The rule WebFetch(domain:*.example.com) allows it",
  },
  { decision: "allow", rule: "mcp__tracker__*", file: "settings", reason: "The rule mcp__tracker__* allows it" },
  { decision: "deny", rule: "Bash(*)", file: "settings", reason: "The rule Bash(*) denies it" },
];
const lines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

it("names each rule as written in the settings, whether the cases come in a file, a pipe or on standard input", async () => {
  using home = temporaryHome();
  const file = join(home.config, "cases.jsonl");
  writeFileSync(file, lines(cases));
  const piped = execFileSync("bash", ["-c", `"$1" "$2" permissions check --cases <(cat "$3")`, "bash", process.execPath, program, file], {
    env: home.env,
    encoding: "utf8",
  });
  const read = await tool(home, ["permissions", "check", "--cases", file]);
  const given = await tool(home, ["permissions", "check", "--cases", "-"], lines(cases));
  expect([piped, read, given]).toEqual([
    lines(judged),
    { code: 0, stdout: lines(judged), stderr: "" },
    { code: 0, stdout: lines(judged), stderr: "" },
  ]);
});

it("exits with 1 if a case cannot be judged, and judges the others", async () => {
  using home = temporaryHome();
  const wrong = { settings: { permissions: { alow: [] } }, call: { tool: "Read", input: { path: "a" } } };
  expect(await tool(home, ["permissions", "check", "--cases", "-"], `${lines([wrong, cases[2]])}no json\n`)).toEqual({
    code: 1,
    stdout: `${lines([
      { error: 'Cannot use the settings: unknown key "alow" in "permissions". Did you mean "allow"?' },
      judged[2],
    ])}{"error":"Cannot read the case: Unexpected token 'o', \\"no json\\" is not valid JSON"}\n`,
    stderr: "",
  });
  expect(await tool(home, ["permissions", "check", "--cases", "/"])).toMatchObject({ stderr: 'tool: cannot read "/": it is a folder\n' });
});

it("sees what git would start in a repository that is not trusted, where there is no sandbox", () => {
  using home = temporaryHome();
  using repository = temporaryHome();
  const cwd = repository.config;
  writeFileSync(join(home.config, "settings.json"), JSON.stringify({ sandbox: { enabled: false } }));
  execFileSync("git", ["init", "-q"], { cwd, env: home.env });
  const check = () => {
    const args = [program, "permissions", "check", "--json", "Bash(git diff)"];
    return JSON.parse(execFileSync(process.execPath, args, { cwd, env: home.env, encoding: "utf8" }).split("\n")[0]!).decision;
  };
  const before = check();
  execFileSync("git", ["config", "diff.external", "./evil.sh"], { cwd, env: home.env });
  expect([before, check()]).toEqual(["allow", "ask"]);
});
