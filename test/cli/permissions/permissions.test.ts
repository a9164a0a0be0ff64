import { describe, expect, it } from "vitest";
import { lacks } from "../../needs.ts";
import { commandLine } from "../command-line.ts";

const noSandbox = await lacks("sandbox");

describe("tool permissions add", () => {
  it.each([
    [["Bash(*)"], "Bash(*) allows every command, such as rm and curl, without a question."],
    [["Bash"], "Bash allows every command, such as rm and curl, without a question."],
    [["Bash", "--kind", "deny"], "Bash denies every command, and no allow rule can lift that."],
    [["WebFetch", "--kind", "deny"], "WebFetch denies every use of WebFetch, and no allow rule can lift that."],
  ])("adds %j, and warns what it covers", async (words, warning) => {
    const { tool, cwd } = commandLine();
    const { code, out, err } = await tool("permissions", "add", ...words);
    expect({ code, err }).toEqual({ code: 0, err: `tool: ${warning}\n` });
    expect(out).toContain(` ${words[0]} to ${cwd}/.tool/settings.local.json`);
  });

  it("warns if the same rule is allowed in one file and denied in another", async () => {
    const rules = (kind: string) => JSON.stringify({ permissions: { [kind]: ["Bash(make)"] } });
    const denied = commandLine({ ".tool/settings.json": rules("deny") });
    expect((await denied.tool("permissions", "add", "Bash(make)")).err).toBe(
      `tool: Bash(make) is also denied in ${denied.cwd}/.tool/settings.json. A deny rule wins: this one has no effect.\n`,
    );
    const allowed = commandLine({ ".tool/settings.json": rules("allow") });
    expect((await allowed.tool("permissions", "add", "Bash(make)", "--kind", "deny")).err).toBe(
      `tool: Bash(make) is also in ${allowed.cwd}/.tool/settings.json, where it has no effect any more: a deny rule wins.\n`,
    );
  });

  it("says nothing else about an ordinary rule", async () => {
    const { tool } = commandLine();
    expect((await tool("permissions", "add", "Bash(npm test)")).err).toBe("");
  });
});

it("tool permissions check answers the calls that it can, and reports the others", async () => {
  const { tool } = commandLine();
  const { code, out, err } = await tool("permissions", "check", "--json", "Read(a)", "npm test", "Raed(b)", "Bash(make)");
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).call),
  ).toEqual(["Read(a)", "Bash(make)"]);
  expect({ code, err: err.split("\n") }).toEqual({
    code: 2,
    err: [
      `tool: "npm test" is not a call. Write it as Tool(input), such as 'Bash(npm test)' or 'Read(.env)'.`,
      'tool: cannot check "Raed(b)": no tool is called "Raed". Did you mean Read?',
      "",
    ],
  });
  expect(await tool("permissions", "check", "npm test")).toMatchObject({ code: 2, out: "" });
});

it("tool permissions check says what a session does about a command that reaches hosts, and about a host", async () => {
  const { tool } = commandLine();
  const decisionOf = async (call: string) => {
    const { decision, reason } = JSON.parse((await tool("permissions", "check", "--json", call)).out);
    return [decision, reason];
  };
  expect(await decisionOf("Network(example.org)")).toEqual(["ask", "No rule allows it"]);
  expect(await decisionOf("Network(example.org:22)")).toEqual(["ask", "No rule allows it"]);
  expect((await tool("permissions", "check", "Network")).err).toContain('"Network" is not a call');
  if (noSandbox) return;
  expect(await decisionOf("Bash(curl https://example.org)")).toEqual([
    "allow",
    "It stays in the sandbox, and each host that it reaches is asked about unless a rule such as Network(example.org) decides",
  ]);
  const offline = commandLine({ "~/.tool/settings.json": JSON.stringify({ sandbox: { network: false } }) });
  expect((await offline.tool("permissions", "check", "Bash(curl https://example.org)")).out).toMatch(
    /^ask .*\n.*the sandbox has none\n.*network off/,
  );
});

describe("tool permissions check --cases", () => {
  const aCase = '{"call":{"tool":"Read","input":{"path":"a"}}}\n';

  it("names what is wrong with each case in plain words", async () => {
    const { tool } = commandLine({ "cases.jsonl": `{}\nnothing\n{"call":{"tool":1},"trusted":"yes"}\n${aCase}` });
    const { code, out } = await tool("permissions", "check", "--cases", "cases.jsonl");
    const answers = out.trimEnd().split("\n");
    expect(code).toBe(1);
    expect(answers.map((line) => JSON.parse(line).error)).toEqual([
      'Cannot read the case: "call" is missing',
      expect.stringMatching(/^Cannot read the case: Unexpected token/),
      'Cannot read the case: "trusted" must be true or false; "call.tool" must be a string',
      undefined,
    ]);
  });

  it("stops at a file that has no cases", async () => {
    const { tool } = commandLine({
      "photo.jpg": Buffer.from("\xff\xd8\n".repeat(11_000), "latin1"),
      late: `x\n${aCase}${"x\n".repeat(30)}`,
    });
    expect(await tool("permissions", "check", "--cases", "photo.jpg")).toEqual({
      code: 2,
      out: "",
      err: "tool: none of the first 20 lines of photo.jpg is a case. The last one: Cannot read the case: it is not UTF-8. What a case is: tool permissions check --help\n",
    });
    expect((await tool("permissions", "check", "--cases", "late")).out.trimEnd().split("\n")).toHaveLength(32);
  });
});

it("settings that cannot be used are named one a line, with the reason", async () => {
  const { tool, cwd, home } = commandLine({ "~/.tool/settings.json": "{", ".tool/settings.json/a": "", file: "" });
  expect(await tool("permissions")).toEqual({
    code: 2,
    out: "",
    err:
      `tool: cannot use the settings:\n      ${cwd}/.tool/settings.json: it is a folder\n` +
      `      ${home}/.tool/settings.json:1: it is not JSON: expected a key in double quotes but found the end of the file\n`,
  });
  const doctor = await tool("doctor");
  expect(doctor.out.split("\n").filter((line) => line.includes("settings "))).toEqual([
    `  x settings  Cannot use ${cwd}/.tool/settings.json: it is a folder`,
    `  x settings  Cannot use the settings ${home}/.tool/settings.json:1: it is not JSON: expected a key in double quotes but found the end of the file`,
  ]);
});

it("--add-dir names what is not a folder", async () => {
  const { tool } = commandLine({ file: "" });
  expect((await tool("permissions", "--add-dir", "file")).err).toBe("tool: cannot add the directory file: it is not a folder.\n");
});

it("tool permissions list shows what tool permissions does", async () => {
  const { tool } = commandLine({ ".tool/settings.json": JSON.stringify({ permissions: { deny: ["Bash(make)"] } }) });
  const listed = await tool("permissions", "--deny", "Bash(tar)", "list", "--json");
  expect(listed).toEqual(await tool("permissions", "--deny", "Bash(tar)", "--json"));
  expect(listed).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/Bash\(tar\)[\s\S]*Bash\(make\)|Bash\(make\)[\s\S]*Bash\(tar\)/),
  });
});
