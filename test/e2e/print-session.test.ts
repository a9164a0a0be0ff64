// `tool --print` as a script sees it: its standard output, its exit code, and what remains on disk.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { call, firstThatDoesNotExtend, gate, newest, type Part, provider, saidIn, toolResults } from "../cast.ts";
import { refusal, streamed, text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { seeded } from "../process/seeded.ts";
import { eventually, startPiped } from "../scratch.ts";
import { draw } from "../secrets/labelled.ts";
import { aboutWork, type Place, teamPlace, tool } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");
const token = `ghp_${draw("base62", 36, seeded(13))}`;

async function place(parts: Part, options?: Parameters<typeof teamPlace>[0]) {
  const api = await provider({ tool: parts });
  const there = teamPlace(options);
  const print = async (args: string[], input = "") => {
    const program = there.warm(["--print", ...args], { env: api.env, input });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { api, there, print, requests: () => api.requests("tool") };
}

function transcripts({ configDir }: Place): string[] {
  const projects = join(configDir, "projects");
  return readdirSync(projects).flatMap((project) =>
    readdirSync(join(projects, project)).flatMap((name) => (name.endsWith(".jsonl") ? join(projects, project, name) : [])),
  );
}

function filesWith(folder: string, words: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readFileSync(path, "utf8").includes(words));
}

describe("tool --print", () => {
  it("prints the last text and nothing else", async () => {
    const { print } = await place([text("Hello.")]);
    expect(await print(["hi"])).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
  });

  it("gives a terminal no sequence that it would obey, and a pipe every byte", async () => {
    const spoken = "Done.\x1b]0;taken\x07\x1b]52;c;aGk=\x07\x1b[2J";
    const { there, print, api } = await place([text(spoken), text(spoken)]);
    expect((await print(["hi"])).stdout).toBe(`${spoken}\n`);
    const env = { ...there.env, ...api.env };
    const terminal = personsTerminal([...tool, "--print", "hi"], { env, cwd: there.repository, columns: 120, rows: 20 });
    await terminal.ended;
    expect(terminal.everything().join("\n")).toContain("Done.\\x1b]0;taken\\x07\\x1b]52;c;aGk=\\x07\\x1b[2J");
    expect(terminal.title()).not.toBe("taken");
  });

  it("prints a JSON result even when the disk is full", async () => {
    const { api, there } = await place([call("Bash", { command: "seq 20000" }), text("Never.")]);
    const full = [
      "/bin/sh",
      "-c",
      'ulimit -f 8; exec "$@"',
      "sh",
      ...tool,
      "--print",
      "--allow",
      "Bash",
      "--output-format",
      "json",
      "go on now",
    ];
    const program = startPiped(full, { env: { ...there.env, ...api.env }, cwd: there.repository, input: "" });
    const { code } = await program.ended;
    expect([code, JSON.parse(program.stdout())]).toEqual([
      1,
      expect.objectContaining({
        ending: "fault",
        exit_code: 1,
        turns: 1,
        reason: expect.stringMatching(/^Cannot append to .*Make room on the disk\.$/),
      }),
    ]);
  });

  it("fails if the reply cannot be written, and says where it is", async () => {
    const { api, there } = await place([text("Hello. ".repeat(50_000))]);
    const unread = ["/bin/bash", "-c", '{ "$@"; echo "code $?" >&2; } | :', "bash", ...tool, "--print", "hi"];
    const program = startPiped(unread, { env: { ...there.env, ...api.env }, cwd: there.repository, input: "" });
    await program.ended;
    expect(aboutWork(program.stderr())).toMatch(
      /^tool: cannot write the reply: the output was closed\. .*tool --resume [0-9a-f-]{36}\ncode 1\n$/,
    );
  });

  it("reads the prompt from standard input, and adds piped input below an argument", async () => {
    const { print, requests } = await place([text("1"), text("2")]);
    await print([], "what is this?\n");
    await print(["Explain:"], "let x;\n");
    expect(requests().map((request) => saidIn(request)[0])).toEqual([["what is this?\n"], ["Explain:\n\nlet x;\n"]]);
  });

  it("attaches files that the typed prompt names, and none that piped input names", async () => {
    const { there, print, requests } = await place([text("1"), text("2"), text("3")]);
    for (const name of ["typed", "piped"]) writeFileSync(join(there.repository, `${name}.txt`), `${name} words\n`);
    const piped = `by @piped.txt and ${there.repository}/piped.pdf\n`;
    await print(["Review with @typed.txt"], piped);
    await print(["Review"], piped);
    await print([], piped);
    expect(requests().map((request) => saidIn(request)[0])).toEqual([
      [`Review with @typed.txt\n\n${piped}`, "@typed.txt, attached by the person:\n1\ttyped words"],
      [`Review\n\n${piped}`],
      [piped],
    ]);
    const team = await provider({ lead: [text("Nothing to do.")] });
    await there.warm(["team", "--print", "--display", "in-process", "Review"], { env: team.env, input: piped }).ended;
    expect(JSON.stringify(team.requests("lead")[0]?.body.messages)).not.toContain("piped words");
  });

  it("redacts piped input as the setting says, but not typed text", async () => {
    const settings = (mode: string) => ["--settings", `${mode}.json`];
    const { there, print, requests } = await place([text("1"), text("2"), text("3")]);
    for (const mode of ["warn", "off"]) writeFileSync(join(there.repository, `${mode}.json`), JSON.stringify({ secrets: mode }));
    const piped = `+token = "${token}"\n`;
    const said = [
      await print(["Review this"], piped),
      await print([...settings("warn"), "Review this"], piped),
      await print([...settings("off"), "Review this"], piped),
    ];
    const sent = requests().map((request) => saidIn(request)[0]);
    expect(sent).toEqual([
      ['Review this\n\n+token = "[secret:github-token:1]"\n'],
      [`Review this\n\n${piped}`],
      [`Review this\n\n${piped}`],
    ]);
    expect(said.map(({ stderr }) => stderr.includes("seems to hold a secret (github-token)"))).toEqual([false, true, false]);
    expect(transcripts(there).filter((path) => readFileSync(path, "utf8").includes(token))).toHaveLength(2);
  });

  it("redacts piped input for a team, in all its files too", async () => {
    const there = teamPlace();
    const api = await provider({ lead: [text("Nothing to do.")] });
    const run = there.warm(["team", "--print", "--display", "in-process", "Review"], { env: api.env, input: `token = "${token}"\n` });
    await run.ended;
    const [request] = api.requests("lead");
    expect(JSON.stringify(request?.body.messages[0])).toContain(JSON.stringify('Review\n\ntoken = "[secret:github-token:1]"\n'));
    expect(filesWith(there.configDir, token)).toEqual([]);
  });

  it("records that an instruction file was sent, and its name", async () => {
    const { there, print } = await place([text("Hello.")]);
    writeFileSync(join(there.repository, "AGENTS.md"), "Be brief.\n");
    await print(["hi"]);
    const privacy = there.warm(["privacy", "AGENTS.md"]);
    await privacy.ended;
    expect(privacy.stdout()).toMatch(
      /^AGENTS\.md left this machine:\n {2}\S+ \S+ {2}\S+ {2}10 bytes as instructions; the content it has now\n$/,
    );
  });

  it("gives the whole result as JSON", async () => {
    const usage = { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 };
    const { there, print } = await place([
      streamed([call("Read", { path: "a.txt" })], { usage, model: "claude-sonnet-5" }),
      streamed([text("It says a.")], { usage, model: "claude-sonnet-5" }),
    ]);
    writeFileSync(join(there.repository, "a.txt"), "a\n");
    const { code, stdout, stderr } = await print(["--output-format", "json", "--model", "claude-sonnet-5", "read it"]);
    const result = JSON.parse(stdout);
    expect({ code, stderr, result }).toEqual({
      code: 0,
      stderr: "",
      result: {
        type: "result",
        ok: true,
        session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ending: "done",
        result: "It says a.",
        model: "claude-sonnet-5",
        turns: 2,
        duration_ms: expect.any(Number),
        api_ms: expect.any(Number),
        tool_ms: expect.any(Number),
        usage: { input_tokens: 200, output_tokens: 40, cache_creation_input_tokens: 6, cache_read_input_tokens: 8 },
        cost_usd: expect.closeTo(2 * ((100 * 2 + 3 * 2.5 + 4 * 0.2 + 20 * 10) / 1e6), 12),
        permission_denials: [],
        failures: [],
        exit_code: 0,
      },
    });
  });

  it("gives each event as a line that fits the schema it prints", async () => {
    const { there, print } = await place([
      refusal(529, "overloaded_error", "busy"),
      [call("Read", { path: "a.txt" }), call("Bash", { command: "rm -r ." })],
      text("Done."),
    ]);
    writeFileSync(join(there.repository, "a.txt"), "a\n");
    const schema = JSON.parse((await print(["--schema"])).stdout);
    const { stdout, code } = await print(["--output-format", "stream-json", "read it"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const strict = z.fromJSONSchema(schema);
    expect(lines.flatMap((line) => strict.safeParse(line).error?.issues ?? [])).toEqual([]);
    expect(strict.safeParse({ type: "tool_ended" }).success).toBe(false);
    const types = lines.map(({ type }) => type).filter((type) => type !== "text");
    // The wait that the provider asked for may come in two parts: this agent's own, and the rest of the wait shared by all.
    expect(types.filter((type, n) => type !== "retry" || types[n - 1] !== "retry")).toEqual([
      "session",
      "input",
      "request",
      "retry",
      "request",
      "reply",
      "tool_started",
      "tool_ended",
      "tool_started",
      "denied",
      "tool_ended",
      "request",
      "reply",
      "ended",
      "result",
    ]);
    expect(code).toBe(3);
  });

  it("exits with 3 if the permission for a redirect was missing", async () => {
    const server = createServer((_, response) => response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { print } = await place([call("WebFetch", { url }), text("I could not.")]);
    const { code, stdout } = await print(["--output-format", "json", "--allow", "WebFetch(domain:127.0.0.1)", "fetch it"]);
    const { permission_denials } = JSON.parse(stdout);
    expect([code, permission_denials]).toEqual([
      3,
      [
        {
          agent: "tool",
          tool: "WebFetch",
          subject: "http://169.254.169.254/latest/",
          reason: expect.stringMatching(/^Permission is missing/),
        },
      ],
    ]);
  });

  it.skipIf(noSandbox)("exits with 3 if the permission for a file that a command left was missing", async () => {
    const { print, there } = await place([call("Bash", { command: "sh setup.sh" }), text("It is gone.")]);
    writeFileSync(join(there.repository, "setup.sh"), "echo registry=x > .npmrc\n");
    const { code, stdout } = await print(["--output-format", "json", "--allow", "Bash", "write it"]);
    const { permission_denials } = JSON.parse(stdout);
    const path = join(there.repository, ".npmrc");
    expect([code, permission_denials]).toEqual([
      3,
      [{ agent: "tool", tool: "Write", subject: path, reason: expect.stringMatching(/^Permission is missing/) }],
    ]);
  });

  it("looks without a rule, in the mode plan too, and ends with 0", async () => {
    const look = "pwd && ls | head -3; git status --short; cat a.txt 2>/dev/null";
    const { print, there, requests } = await place([call("Bash", { command: look }), text("I looked.")]);
    writeFileSync(join(there.repository, "a.txt"), "what it says\n");
    const { code, stdout } = await print(["--permission-mode", "plan", "look around"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "I looked.\n" });
    expect(toolResults(requests()[1])[0]).toContain("what it says");
  });

  it("asks for a search that reaches a file with secrets, but not for other searches", async () => {
    const { print, there, requests } = await place(
      [[call("Bash", { command: "grep -rn KEY ." }), call("Bash", { command: "grep -rn KEY sub" })], text("I looked.")],
      { asked: true },
    );
    writeFileSync(join(there.repository, ".env"), "KEY=one\n");
    mkdirSync(join(there.repository, "sub"));
    writeFileSync(join(there.repository, "sub/a.txt"), "KEY\n");
    const { code } = await print(["look"]);
    const [all, beside] = toolResults(requests()[1]);
    expect(code).toBe(3);
    expect(all).toContain(".env, which needs permission");
    expect(beside).toContain("sub/a.txt:1:KEY");
  });

  it.skipIf(noSandbox)("reads and searches what a command has put into the sandbox's own /tmp", async () => {
    const name = `/tmp/look-${process.pid}.txt`;
    const { print, requests } = await place([
      call("Bash", { command: `echo found > ${name} && cat ${name}` }),
      [call("Read", { path: name }), call("Grep", { pattern: "fou", path: name })],
      text("It is there."),
    ]);
    const { code } = await print(["write it"]);
    const [read, searched] = toolResults(requests()[2]);
    expect({ code, read, searched, outside: existsSync(name) }).toEqual({
      code: 0,
      read: expect.stringContaining("found"),
      searched: expect.stringContaining("found"),
      outside: false,
    });
  });

  it.skipIf(noSandbox)(
    "reads a file that only this machine's /tmp has with permission, and says that its own /tmp goes with it",
    async () => {
      const name = `/tmp/outer-${process.pid}.txt`;
      writeFileSync(name, "of the person\n");
      onTestFinished(() => rmSync(name));
      const parts = [
        [call("Read", { path: name }), call("Edit", { path: name, old_string: "of", new_string: "for" })],
        call("Write", { path: name, content: "of the session\n" }),
        call("Read", { path: name }),
        text("Read."),
      ];
      const asked = await place(parts);
      const refused = await asked.print(["look"]);
      const allowed = await place(parts);
      const read = await allowed.print(["--allow", `Read(/${name})`, "look"]);
      const before = [asked, allowed].map(({ requests }) => toolResults(requests()[1]));
      const after = [asked, allowed].map(({ requests }) => [toolResults(requests()[2])[0], toolResults(requests()[3])[0]]);
      expect([refused.code, read.code, readFileSync(name, "utf8")]).toEqual([3, 0, "of the person\n"]);
      const there = "there is no such file. Use Write to make it";
      expect(before).toEqual([
        [
          expect.stringContaining("only in the /tmp of this machine, and the session has a /tmp of its own"),
          expect.stringContaining(there),
        ],
        [expect.stringContaining("of the person"), expect.stringContaining(there)],
      ]);
      const written = new RegExp(
        `^Created ${name} \\(1 line\\)\\. ${name} is in the session's own /tmp: the person finds it at /.*/tmp/${basename(name)}, until the session ends\\.`,
      );
      const own = [expect.stringMatching(written), expect.stringContaining("of the session")];
      expect(after).toEqual([own, own]);
    },
  );

  it("ends with 3 when a permission was missing, and names the rule that would have helped", async () => {
    const { print, requests } = await place([call("Bash", { command: "npm publish" }), text("I could not publish.")]);
    const { code, stdout, stderr } = await print(["publish it"]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "I could not publish.\n" });
    expect(stderr).toContain("denied Bash npm publish");
    expect(stderr).toContain("--allow 'Bash(npm publish)'");
    expect(toolResults(requests()[1])[0]).toContain("Permission denied");
  });

  it("counts a named file that may not be read as a missing permission", async () => {
    const { there, print } = await place([text("1"), text("2"), text("3"), text("4")]);
    writeFileSync(join(there.repository, ".env"), "KEY=1\n");
    const hidden = await print(["explain @.env"]);
    expect({ code: hidden.code, stdout: hidden.stdout }).toEqual({ code: 3, stdout: "1\n" });
    expect(hidden.stderr).toContain("denied Read .env: ");
    const outside = await print(["--output-format", "json", "explain @/etc/passwd"]);
    expect([outside.code, JSON.parse(outside.stdout)]).toEqual([
      3,
      expect.objectContaining({
        ending: "denied",
        exit_code: 3,
        permission_denials: [
          expect.objectContaining({ tool: "Read", subject: "/etc/passwd", rules: [expect.stringContaining("/etc/passwd")] }),
        ],
      }),
    ]);
    expect((await print(["--allow", "Read(//etc/passwd)", "explain @/etc/passwd"])).code).toBe(0);
    const alias = await print(["explain @/components/button.ts"]);
    expect([alias.code, alias.stderr]).toEqual([0, expect.stringContaining("@/components/button.ts: there is no such file")]);
  });

  it("ends with 4 at the limit of turns and of money, the partial text kept", async () => {
    const dear = streamed([text("Looking."), call("Glob", { pattern: "*" })], {
      usage: { output_tokens: 1_000_000 },
      model: "claude-sonnet-5",
    });
    const { print } = await place([dear, dear]);
    const turns = await print(["--max-turns", "1", "look"]);
    const money = await print(["--budget-usd", "5", "look"]);
    expect([turns.code, turns.stdout, turns.stderr]).toEqual([
      4,
      "Looking.\n",
      expect.stringContaining("the limit of 1 turn was reached."),
    ]);
    expect([money.code, money.stdout, money.stderr]).toEqual([
      4,
      "Looking.\n",
      expect.stringContaining("$10.0000 of the budget of $5 is spent."),
    ]);
  });

  it("sends one request with a budget that is too small for two", async () => {
    const dear = streamed([call("Glob", { pattern: "*" })], { usage: { output_tokens: 10 }, model: "claude-sonnet-5" });
    const { print, requests } = await place([dear, text("Never.")]);
    const tiny = await print(["--budget-usd", "0.0000001", "--output-format", "json", "look"]);
    expect([tiny.code, JSON.parse(tiny.stdout)]).toEqual([4, expect.objectContaining({ ending: "budget", exit_code: 4, turns: 1 })]);
    expect(tiny.stderr).toContain("of the budget of $1e-7 is spent.");
    expect(requests()).toHaveLength(1);
  });

  it("refuses an --allow that is no rule, and names the rule that would have helped where one covers nothing", async () => {
    const { print, requests } = await place([call("Bash", { command: "npm publish" }), text("I could not.")]);
    const bad = await Promise.all(["", "Bsh(npm publish)", "Bash("].map((rule) => print(["--allow", rule, "publish"])));
    expect(bad.map(({ code, stderr }) => [code, /cannot use the permission rule/i.test(stderr)])).toEqual(bad.map(() => [2, true]));
    expect(requests()).toEqual([]);
    const { code, stderr } = await print(["--allow", "Bash(npm unpublish)", "publish"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("It would be allowed by --allow 'Bash(npm publish)'.")]);
  });

  it("starts nothing with a budget that cannot be kept, or with a directory that is not there", async () => {
    const { print, requests } = await place([text("ok")]);
    const budget = await print(["--model", "my-own-model", "--budget-usd", "1", "look"]);
    const directory = await print(["--add-dir", "/nowhere", "look"]);
    expect([budget, directory].map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, expect.stringContaining('cannot keep a budget of $1: the price of the model "my-own-model" is not known. Use --max-turns')],
      [2, expect.stringContaining("cannot add the directory /nowhere: there is no such folder.")],
    ]);
    expect(requests()).toEqual([]);
  });

  it("ends with 1 when the provider refuses, saying what it said", async () => {
    const { print } = await place([refusal(401, "authentication_error", "invalid x-api-key")]);
    const { code, stdout, stderr } = await print(["hi"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Key refused (401): invalid x-api-key");
  });

  it("ends with 130 at a signal, with a result", async () => {
    const waiting = gate(text("too late"));
    const { there, api, requests } = await place([waiting.answer]);
    const session = there.piped(["--print", "--output-format", "json", "hi"], { env: api.env, input: "" });
    await eventually(() => requests().length >= 1);
    process.kill(session.pid, "SIGINT");
    const { code } = await session.ended;
    waiting.open();
    expect([code, JSON.parse(session.stdout()).ending]).toEqual([130, "aborted"]);
  });

  it("leaves no record that anything was sent where a script answers, and says how its session continues without a key", async () => {
    const { there, print } = await place([]);
    const script = resolve("fixtures/scripts/hello.yaml");
    expect((await print(["--script", script, "hello"])).code).toBe(0);
    expect(filesWith(there.configDir, '"request":1').filter((path) => path.endsWith("sent.jsonl"))).toEqual([]);
    const without = there.warm(["--print", "--continue", "more"], { env: { ANTHROPIC_API_KEY: "" }, input: "" });
    expect((await without.ended).code).toBe(2);
    expect(without.stderr()).toContain("was answered by a script; to continue with one: tool --continue --script <file>");
  });

  it.each([
    [["--output-format", "xml", "hi"], "Allowed choices are text, json, stream-json"],
    [["--permission-mode", "acceptedits", "hi"], "Did you mean acceptEdits?"],
    [["--resume", "nosuch", "hi"], 'cannot resume "nosuch": no session of this folder has it'],
    [["--continue", "hi"], "there is no session to resume"],
    [[], "nothing to do: give a prompt"],
    [["--max-turns", "0", "hi"], "whole number of at least 1"],
    [["--script", ".", "hi"], ": it is a folder. Nothing was started."],
  ])("refuses %j with 2 and sends nothing", async (args, words) => {
    const { print, requests } = await place([]);
    const { code, stderr, stdout } = await print(args);
    expect([code, stdout, requests()]).toEqual([2, "", []]);
    expect(stderr).toContain(words);
  });
});

describe("the pipeline of fixtures/pipeline", () => {
  it("shows the calls, prints the review alone and ends as tool does", async () => {
    const { there, api, requests } = await place([
      call("Read", { path: "a.txt" }),
      call("Bash", { command: "npm publish" }),
      text("a.txt:1 says a."),
    ]);
    writeFileSync(join(there.repository, "a.txt"), "a\n");
    const env = { ...there.env, ...api.env, TOOL: resolve("bin/tool.js") };
    const review = startPiped([resolve("fixtures/pipeline/review.sh")], { env, cwd: there.repository, input: "+a\n" });
    expect({ code: (await review.ended).code, stdout: review.stdout() }).toEqual({ code: 3, stdout: "a.txt:1 says a.\n" });
    const lines = aboutWork(review.stderr()).trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith("tool: "))).toEqual([
      "  Read a.txt  1 line",
      "  Bash npm publish  denied",
      "  denied, 3 turns, $?",
      "  denied: Bash npm publish",
    ]);
    expect(lines.filter((line) => line.startsWith("tool: "))).toEqual([expect.stringMatching(/^tool: denied Bash npm publish: /)]);
    expect(newest(requests()[0])).toContain("Review this difference");
  });
});

describe("the place where it works", () => {
  it("is described once, at the beginning of a session, without secrets and hidden names, and is in the ledger", async () => {
    const { there, print, requests } = await place([text("One."), text("Two.")]);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: there.repository, stdio: "pipe" });
    for (const name of ["secret-plan.txt", "open.txt"]) writeFileSync(join(there.repository, name), "");
    writeFileSync(join(there.repository, ".toolignore"), "secret-plan.txt\n");
    git("commit", "-q", "--allow-empty", "-m", `Use ${token}`);
    const { session_id } = JSON.parse((await print(["--output-format", "json", "first"])).stdout);
    await print(["--resume", session_id, "second"]);
    const said = requests().map(({ body }) =>
      body.messages.map(({ content }) => content.map((block) => ("text" in block ? block.text : ""))),
    );
    const [block = ""] = said[0]?.[0] ?? [];
    expect(said[1]).toEqual([[block, "first"], ["One."], ["second"]]);
    expect(block.split("\n").slice(2, 6)).toEqual([
      `Working directory: ${there.repository}`,
      expect.stringMatching(/^Git: (\w+); main branch: \1$/),
      "Changed: ?? .toolignore, ?? open.txt",
      expect.stringMatching(/^Last commits: [0-9a-f]{7,} Use \[secret:github-token:1\]$/),
    ]);
    expect(block).toContain("Top level: .toolignore, open.txt\n");
    const [sent = ""] = filesWith(there.configDir, '"kind":"environment"').filter((path) => path.endsWith("sent.jsonl"));
    const lines = readFileSync(sent, "utf8")
      .split("\n")
      .filter((line) => line.includes('"kind":"environment"'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ request: 1, bytes: Buffer.byteLength(block), redacted: 1 }),
    ]);
  });
});

describe("images and documents", () => {
  it("are sent as blocks, as results and attached with @, the same in a resumed session, and are in the ledger", async () => {
    const { there, print, requests } = await place([call("Read", { path: "a.png" }), text("Seen."), text("Again.")]);
    const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
    const pdf = Buffer.from("%PDF-1.4\n1 0 obj << /Type /Page >> endobj\n%%EOF");
    writeFileSync(join(there.repository, "a.png"), png);
    writeFileSync(join(there.repository, "b.pdf"), pdf);
    const asked = await print(["--output-format", "stream-json", "compare with @b.pdf"]);
    const { session_id } = JSON.parse(asked.stdout.split("\n")[0] ?? "");
    await print(["--resume", session_id, "and again"]);
    const block = (type: string, media_type: string, bytes: Buffer) => ({
      type,
      source: { type: "base64", media_type, data: bytes.toString("base64") },
    });
    const messages = requests()[1]?.body.messages ?? [];
    expect(messages[0]?.content.slice(1)).toEqual([
      { type: "text", text: "compare with @b.pdf" },
      { type: "text", text: "@b.pdf, attached by the person:\nb.pdf: PDF, 1 page" },
      expect.objectContaining(block("document", "application/pdf", pdf)),
    ]);
    expect(messages[2]?.content).toEqual([
      expect.objectContaining({ content: [{ type: "text", text: "a.png: PNG, 1×1" }, block("image", "image/png", png)] }),
    ]);
    expect([firstThatDoesNotExtend(requests()), asked.stdout.includes(png.toString("base64"))]).toEqual([undefined, false]);
    const [sent = ""] = filesWith(there.configDir, '"request":1').filter((path) => path.endsWith("sent.jsonl"));
    const files = readFileSync(sent, "utf8")
      .split("\n")
      .filter((line) => line.includes('"kind":"file"'));
    expect(files.map((line) => JSON.parse(line).files?.[0].path)).toEqual([
      join(there.repository, "b.pdf"),
      undefined,
      join(there.repository, "a.png"),
    ]);
  });
});

describe("a resumed session", () => {
  it("sends what it sent before, and then the new line", async () => {
    const { print, requests } = await place([text("One."), text("Two."), text("Three.")]);
    const first = JSON.parse((await print(["--output-format", "json", "first"])).stdout);
    await print(["--continue", "second"]);
    await print(["--resume", first.session_id.slice(0, 6), "third"]);
    expect(firstThatDoesNotExtend(requests())).toBeUndefined();
    expect(saidIn(requests()[2])).toEqual([["first"], ["One."], ["second"], ["Two."], ["third"]]);
  });

  it("may change the files that it has read or written, unless they have changed since", async () => {
    const edit = (path: string) => call("Edit", { path, old_string: "a", new_string: "b" });
    const { there, print, requests } = await place([
      [call("Read", { path: "read.txt" }), call("Read", { path: "changed.txt" }), call("Write", { path: "written.txt", content: "a\n" })],
      text("Read."),
      [edit("read.txt"), edit("changed.txt"), edit("written.txt"), edit("never.txt")],
      text("Done."),
    ]);
    for (const name of ["read", "changed", "never"]) writeFileSync(join(there.repository, `${name}.txt`), "a\n");
    await print(["--permission-mode", "acceptEdits", "read"]);
    writeFileSync(join(there.repository, "changed.txt"), "a and more\n");
    await print(["--permission-mode", "acceptEdits", "--continue", "go on"]);
    expect(toolResults(requests()[3])).toEqual([
      expect.stringContaining("Edited read.txt"),
      expect.stringContaining('"changed.txt" has changed since you read it'),
      expect.stringContaining("Edited written.txt"),
      expect.stringContaining('"never.txt" exists and you have not read it'),
    ]);
  });

  it("starts from the last complete event, and tells the model about an interrupted call", async () => {
    const { there, print, requests } = await place([call("Read", { path: "a.txt" }), text("Read."), text("Again.")]);
    writeFileSync(join(there.repository, "a.txt"), "a\n");
    await print(["read"]);
    const [file = ""] = transcripts(there);
    const lines = readFileSync(file, "utf8").split("\n");
    const upTo = lines.findIndex((line) => line.includes('"tool_ended"'));
    writeFileSync(file, lines.slice(0, upTo).join("\n"));
    appendFileSync(file, `\n${lines[upTo]?.slice(0, 40)}`);
    expect((await print(["--continue", "go on"])).code).toBe(0);
    expect(toolResults(requests()[2])).toEqual([expect.stringContaining("Interrupted: the process ended during this call")]);
    expect(newest(requests()[2])).toContain("go on");
  });

  it("is refused if the newest one or the one that is named is damaged, with its path and the way to the one before it", async () => {
    const { there, print, requests } = await place([text("1"), text("2"), text("3"), text("4")]);
    const id = ({ stdout }: { stdout: string }): string => JSON.parse(stdout).session_id;
    const older = id(await print(["--output-format", "json", "first"]));
    const newer = id(await print(["--output-format", "json", "second"]));
    const [file = ""] = transcripts(there).filter((path) => path.includes(newer));
    writeFileSync(file, "garbage\n");
    expect(await print(["--continue", "go on"])).toEqual({
      code: 2,
      stdout: "",
      stderr: `tool: cannot continue the newest session of this folder: ${file} is damaged, its first line cannot be read. To continue the one before it: tool --resume ${older}\n`,
    });
    expect(await print(["--resume", newer, "go on"])).toEqual({
      code: 2,
      stdout: "",
      stderr: `tool: cannot resume "${newer}": ${file} is damaged, its first line cannot be read. To list the others: tool --resume\n`,
    });
    expect((await print(["--resume", older, "go on"])).code).toBe(0);
    expect((await print(["--continue", "again"])).code).toBe(0); // which is the newest one now
    expect(requests().map(({ body }) => body.messages.length)).toEqual([1, 1, 3, 5]);
  });

  it("is refused while another process has it", async () => {
    const waiting = gate(text("done"));
    const { there, api, print, requests } = await place([text("One."), waiting.answer]);
    const { session_id } = JSON.parse((await print(["--output-format", "json", "first"])).stdout);
    const first = there.tool(["--print", "--resume", session_id, "second"], { env: api.env });
    await eventually(() => requests().length >= 2);
    const { code, stderr } = await print(["--resume", session_id, "third"]);
    waiting.open();
    expect([code, stderr]).toEqual([2, expect.stringContaining(`session ${session_id} is open already, in process ${first.pid}`)]);
    expect((await first.ended).code).toBe(0);
  });
});

describe("instruction files", () => {
  it("are read from the configuration and from the repository's root down to the working directory, blank and foreign ones left out", async () => {
    const { there, api, requests } = await place([text("ok")]);
    const folder = join(there.repository, "sub", "deep");
    mkdirSync(folder, { recursive: true });
    mkdirSync(there.configDir, { recursive: true });
    writeFileSync(join(there.configDir, "AGENTS.md"), "mine everywhere");
    writeFileSync(join(there.repository, "AGENTS.md"), "of the repository");
    writeFileSync(join(there.repository, "TOOL.md"), "remembered");
    writeFileSync(join(there.repository, "sub", "AGENTS.md"), "  \n");
    writeFileSync(join(there.folder, "secret"), "elsewhere");
    symlinkSync(join(there.folder, "secret"), join(folder, "TOOL.md"));
    const { ended, stderr } = startPiped([...tool, "--print", "hi"], { env: { ...there.env, ...api.env }, cwd: folder, input: "" });
    await ended;
    expect(aboutWork(stderr())).toBe(
      `tool: TOOL.md instructs no agent: it is a link that leads out of its folder, to ${join(there.folder, "secret")}.\n`,
    );
    const system = requests()[0]?.body.system[0]?.text ?? "";
    expect([...system.matchAll(/<instructions[^>]*>\n(.*)\n<\/instructions>/g)].map(([, words]) => words)).toEqual([
      "mine everywhere",
      "of the repository",
      "remembered",
    ]);
  });
});
