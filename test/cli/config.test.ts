import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

const own = "~/.tool/settings.json";
const json = (value: unknown) => JSON.stringify(value);

describe("tool config set", () => {
  it("writes one value to the person's own file and leaves the rest as it was written", async () => {
    const { tool, home } = commandLine({ [own]: '{\n  "secrets":   "redact",\n  "sandbox": { "enabled": true }\n}\n' });
    const file = join(home, ".tool/settings.json");
    expect(await tool("config", "set", "sandbox.autoAllow", "false")).toEqual({
      code: 0,
      out: `Set sandbox.autoAllow to false in ${file}.\n`,
      err: "",
    });
    expect((await tool("config", "set", "env.CI", "1")).code).toBe(0);
    expect((await tool("config", "set", "permissions.allow", "Bash(npm test)", "Edit(src/**)")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(
      '{\n  "secrets":   "redact",\n  "sandbox": { "enabled": true, "autoAllow": false },\n  "env": { "CI": "1" },\n  "permissions": { "allow": ["Bash(npm test)","Edit(src/**)"] }\n}\n',
    );
    expect(await tool("config", "set", "model", "opus", "--json")).toEqual({
      code: 0,
      out: `${json({ ok: true, name: "model", file, changed: true, value: "opus" })}\n`,
      err: "",
    });
  });

  it("changes one key of an entry whose value has keys, and takes any other name of an entry whole", async () => {
    const { tool, home } = commandLine({ [own]: json({ members: { carl: { command: ["old"], env: ["A"] } } }) });
    expect((await tool("config", "set", "members.carl.command", "carl", "go")).code).toBe(0);
    expect((await tool("config", "set", "env.a.command", "x")).code).toBe(0);
    expect(JSON.parse(readFileSync(join(home, ".tool/settings.json"), "utf8"))).toEqual({
      members: { carl: { command: ["carl", "go"], env: ["A"] } },
      env: { "a.command": "x" },
    });
    expect((await tool("config", "get", "members.carl.command")).out).toBe('["carl","go"]\n');
    expect((await tool("config", "get", "env.a.command")).out).toBe("x\n");
  });

  it.each([
    [["sandbox.autoAllow", "maybe"], 'cannot set "sandbox.autoAllow" to "maybe": "sandbox.autoAllow" must be true or false.'],
    [["secrets", "redat"], 'cannot set "secrets" to "redat": "secrets" must be one of "redact", "warn", "off". Did you mean "redact"?'],
    [["agents.depth", "99"], 'cannot set "agents.depth" to "99": "agents.depth" must be a whole number from 1 to 10.'],
    [["modle", "x"], 'cannot set "modle" to "x": unknown key "modle". Did you mean "model"?'],
    [["permissions.allow", "Bash("], /^tool: cannot set "permissions\.allow" to "Bash\(": .*Bash\(/],
    [["apiKeyHelper", "key", "--project"], /cannot set "apiKeyHelper" in .*\/\.tool\/settings\.json: it never counts from a repository\./],
    [["model", "x", "--project", "--local"], "give one of --project and --local: a value is in one file."],
  ])("says what is allowed and writes nothing: %j", async (words, message) => {
    const { tool, home, cwd } = commandLine();
    const { code, err } = await tool("config", "set", ...words);
    expect([code, err]).toEqual([2, typeof message === "string" ? `tool: ${message}\n` : expect.stringMatching(message)]);
    expect([home, cwd].map((folder) => existsSync(join(folder, ".tool")))).toEqual([false, false]);
  });

  it("says when a stronger file, the environment or missing trust decides instead", async () => {
    const files = { ".tool/settings.json": json({ model: "haiku", permissions: { allow: ["Bash(x)"] } }) };
    const { tool, cwd, home } = commandLine(files, { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" });
    const file = join(home, ".tool/settings.json");
    expect((await tool("config", "set", "model", "opus", "--local")).out).toBe(
      `Set model to "opus" in ${cwd}/.tool/settings.local.json, where it has no effect until you trust this project.\n`,
    );
    expect((await tool("config", "set", "apiBaseUrl", "http://127.0.0.1:2")).out).toBe(
      `Set apiBaseUrl to "http://127.0.0.1:2" in ${file}. ANTHROPIC_BASE_URL of the environment counts instead.\n`,
    );
  });

  it("keeps a file that has an error, which unset can take out", async () => {
    const { tool, home } = commandLine({ [own]: '{ "modle": "opus", "secrets": "warn" }' });
    const file = join(home, ".tool/settings.json");
    const wrong = `tool: cannot use the settings ${file}:1: unknown key "modle". Did you mean "model"?\n`;
    expect(await tool("config", "set", "model", "opus")).toEqual({ code: 2, out: "", err: wrong });
    expect((await tool("config", "unset", "modle")).out).toBe(`Removed modle from ${file}.\n`);
    expect(readFileSync(file, "utf8")).toBe('{ "secrets": "warn" }');
    expect(await tool("config", "unset", "model")).toEqual({ code: 1, out: `There is no model in ${file}.\n`, err: "" });
  });
});

describe("tool config", () => {
  it("lists every setting with its value, where it comes from and what it means", async () => {
    const { tool, cwd } = commandLine({
      [own]: json({ model: "opus" }),
      ".tool/settings.json": json({ effort: "high", apiKeyHelper: "steal" }),
    });
    const { out } = await tool("config");
    expect(out.split("\n").slice(0, 12)).toEqual([
      'model                              "opus"       ~/.tool/settings.json',
      "    The model that answers, by its name or as opus, sonnet or haiku",
      `effort                             –            waits for trust: ${cwd}/.tool/settings.json`,
      "    How much the model thinks",
      "fallbackModel                      –",
      "    The model that answers while the first stays overloaded",
      'provider                           "anthropic"  default',
      "    Who runs the model: its maker, Amazon Bedrock or Vertex AI; docs/providers.md says more",
      "modelIds                           –",
      "    What your provider calls a model, by the name that is used here",
      "apiBaseUrl                         –",
      "    The provider's address: any server that speaks the Messages API",
    ]);
    expect(out).toContain(`\napiKeyHelper                       –            never counts from ${cwd}/.tool/settings.json\n`);
    expect((await tool("config", "sandbox.r")).out).toBe(
      "sandbox.required  false  default\n    Run no command where there is no sandbox\n",
    );
  });

  it("gets the value that counts, or one entry, and says when there is none", async () => {
    const { tool, home } = commandLine({ [own]: json({ env: { CI: "1" } }) });
    expect(await tool("config", "get", "env.CI")).toEqual({ code: 0, out: "1\n", err: "" });
    expect(await tool("config", "get", "agents.depth")).toEqual({ code: 0, out: "3\n", err: "" });
    expect(await tool("config", "get", "effort")).toEqual({ code: 1, out: "", err: 'tool: "effort" is not set.\n' });
    expect(await tool("config", "get", "autoAllow")).toEqual({
      code: 2,
      out: "",
      err: 'tool: there is no setting "autoAllow". Did you mean "sandbox.autoAllow"?\n',
    });
    expect(JSON.parse((await tool("config", "get", "env", "--json")).out)).toEqual({
      ok: true,
      name: "env",
      value: { CI: "1" },
      default: null,
      help: "Variables of the environment for commands",
      repository: ["trusted"],
      variables: [],
      variable: null,
      sources: [{ scope: "user", file: join(home, ".tool/settings.json"), value: { CI: "1" }, counts: "yes" }],
    });
  });
});

it("a project's folder of settings is made as the umask says, and the person's own for them alone", async () => {
  const { tool, home, cwd } = commandLine();
  for (const scope of ["--user", "--local", "--project"]) expect((await tool("config", "set", "model", "opus", scope)).code).toBe(0);
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const byUmask = 0o777 & ~process.umask();
  const paths = [join(cwd, ".tool"), join(cwd, ".tool/settings.local.json"), join(home, ".tool")];
  expect(paths.map(modeOf)).toEqual([byUmask, 0o600, 0o700]);
});
