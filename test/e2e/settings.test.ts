// Settings files in the built program: the provider's address and key, the model, the script, and settings that are not supported.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, type Part, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { aboutWork, teamPlace } from "../team-kit.ts";

async function place(cast: Record<string, Part>, settings: (api: { url: string }) => Record<string, unknown>) {
  const api = await provider(cast);
  const there = teamPlace();
  const write = (file: string, value: unknown) => {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  };
  write(join(there.configDir, "settings.json"), settings({ url: api.env["ANTHROPIC_BASE_URL"] ?? "" }));
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const program = there.warm(args, { env });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { api, there, write, run };
}

describe("a person's settings", () => {
  it("name the provider's address, the program that prints its key, and the model", async () => {
    const { api, there, run } = await place({ tool: [text("Hello.")] }, ({ url }) => ({
      apiBaseUrl: url,
      apiKeyHelper: "~/key",
      model: "claude-haiku-5-5",
    }));
    writeFileSync(join(there.env["HOME"] ?? "", "key"), "#!/bin/sh\necho sk-printed\n", { mode: 0o755 });
    expect(await run(["--print", "hi"])).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
    const [request] = api.requests("tool");
    expect([request?.headers.authorization, request?.body.model]).toEqual(["Bearer sk-printed", "claude-haiku-5-5"]);
  });

  it("are overridden by the environment, which managed settings override", async () => {
    const { api, there, write, run } = await place({ tool: [text("1"), text("2")] }, () => ({
      apiBaseUrl: "http://127.0.0.1:1/",
      apiKeyHelper: "false",
    }));
    const own = { ANTHROPIC_BASE_URL: api.env["ANTHROPIC_BASE_URL"] ?? "", ANTHROPIC_API_KEY: "sk-own" };
    expect((await run(["--print", "hi"], own)).stdout).toBe("1\n");
    const managed = join(there.folder, "managed.json");
    write(managed, { apiBaseUrl: own.ANTHROPIC_BASE_URL, apiKeyHelper: "echo sk-managed" });
    const foreign = { ...own, ANTHROPIC_BASE_URL: "http://127.0.0.1:1/", TOOL_MANAGED_SETTINGS: managed };
    expect((await run(["--print", "hi"], foreign)).stdout).toBe("2\n");
    expect(api.requests("tool").map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-own", "Bearer sk-managed"]);
  });

  it("say why there is no key, and refuse a command that only a shell would understand", async () => {
    const { there, write, run } = await place({}, ({ url }) => ({ apiBaseUrl: url, apiKeyHelper: "false" }));
    expect(await run(["--print", "hi"])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`no key from the settings' "apiKeyHelper": false ended with exit code 1.`),
    });
    write(join(there.configDir, "settings.json"), { apiKeyHelper: "cat ~/key | head -1" });
    expect((await run(["--print", "hi"])).stderr).toContain("put the command into a script. Nothing was started.");
  });

  it("may name a script relative to the settings file", async () => {
    const { there, write, run } = await place({}, () => ({}));
    const script =
      "version: 1\nagents: [tool]\nscenes:\n  - name: hello\n    agent: any\n    when: hi\n    replies:\n      - say: From a script.\n";
    writeFileSync(join(there.env["HOME"] ?? "", "script.yaml"), script);
    write(join(there.configDir, "settings.json"), { script: "~/script.yaml" });
    expect((await run(["--print", "hi"])).stdout).toBe("From a script.\n");
  });

  it("with mistakes in the entries of servers are reported, and the session begins", async () => {
    const { api, there, write, run } = await place({ tool: [text("1")] }, () => ({ mcpServers: { b: {} } }));
    write(join(there.repository, ".tool/settings.json"), { mcpServers: { a: { command: "false" } } });
    const { stdout, stderr } = await run(["--print", "hi"], api.env);
    expect([stdout, stderr.replaceAll(there.folder, "").split("\n").sort()]).toEqual([
      "1\n",
      [
        "",
        "tool: 1 thing is held back, because this project is not trusted. To trust it: --trust, or answer in a session. To list what is held back: tool permissions",
        'tool: Cannot use the server "b" of /config/settings.json:1: it needs "command" (a program) or "url" (an address).',
      ],
    ]);
  });

  it.each([
    ["redact", "key=[secret:", ""],
    ["warn", "key=ghp_", "github-token"],
    ["off", "key=ghp_", ""],
  ])("secrets: %s", async (secrets, seen, told) => {
    const { api, there, run } = await place({ tool: [call("Read", { path: "a.txt" }), text("Read.")] }, () => ({ secrets }));
    writeFileSync(join(there.repository, "a.txt"), `key=ghp_${"aB3dE5gH7jK9".repeat(3)}\n`);
    const { stderr } = await run(["--print", "read"], api.env);
    expect(toolResults(api.requests("tool")[1]).join("")).toContain(seen);
    expect(stderr).toContain(told);
    expect(stderr === "").toBe(told === "");
  });
});

it("the flags of a team reach its teammates: settings, further folders, trust, the model; as JSON it prints its result alone", async () => {
  const { api, there, write, run } = await place(
    {
      lead: [
        [call("TaskCreate", { title: "Look", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
        text("Started."),
        text("Done."),
      ],
      ada: [
        [
          call("Read", { path: "../beside/a.txt" }),
          call("Bash", { command: "sh -c 'echo trusted'" }),
          call("Bash", { command: "sh -c 'echo flag'" }),
        ],
        call("TaskUpdate", { id: "task-1", status: "completed", summary: "Looked." }),
        text("Done."),
      ],
    },
    () => ({}),
  );
  there.write("beside/a.txt", "beside\n");
  write(join(there.repository, ".tool/settings.json"), { permissions: { allow: ["Bash(sh -c 'echo trusted')"] } });
  write(join(there.folder, "more.json"), { permissions: { allow: ["Bash(sh -c 'echo flag')"] } });
  const flags = [
    "--add-dir",
    join(there.folder, "beside"),
    "--settings",
    join(there.folder, "more.json"),
    "--trust",
    "--model",
    "claude-haiku-5-5",
  ];
  const json = ["--output-format", "json"];
  const { code, stdout } = await run(["team", "--print", "--display", "in-process", ...json, ...flags, "Look."], api.env);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { type: "result", completed: 1 }]); // only the result
  const [first, second] = api.requests("ada");
  expect(first?.body.model).toBe("claude-haiku-5-5");
  expect(toolResults(second).map((result) => result.split("\n")[0])).toEqual([expect.stringContaining("beside"), "trusted", "flag"]);
});
