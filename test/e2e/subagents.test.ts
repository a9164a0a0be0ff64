// Agents that a session starts, as the built program runs them against a provider on loopback: in print mode, killed and resumed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, firstThatDoesNotExtend, gate, newest, type Part, provider, toolResults } from "../cast.ts";
import { random } from "../fuzz/random.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, type Place, teamPlace } from "../team-kit.ts";

type Cast = Record<string, Part>;

async function place(cast: Cast, options?: Parameters<typeof teamPlace>[0]) {
  const api = await provider(cast);
  const there = teamPlace(options);
  const start = (args: string[]) => there.warm(args, { env: api.env });
  const print = async (...args: string[]) => {
    const program = start(["--print", ...args]);
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { api, there, start, print };
}

function define({ repository }: Place, name: string, keys: string, body = "Do what you are told."): void {
  mkdirSync(join(repository, ".tool/agents"), { recursive: true });
  writeFileSync(join(repository, `.tool/agents/${name}.md`), `---\nname: ${name}\ndescription: ${name}\n${keys}\n---\n${body}\n`);
}

type Sent = { kind: string; agent?: string };

function ledger({ configDir }: Place): Sent[] {
  const projects = join(configDir, "projects");
  const file = readdirSync(projects, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("/sent.jsonl")) ?? "";
  const lines = readFileSync(join(projects, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Sent);
}

const whose = ({ kind, agent: id = "the session" }: Sent) => `${kind} of ${id}`;

type Kept = { id: string; name: string; state: string; turns: number; delivered: boolean; transcript: string; reason?: string };

function records({ configDir }: Place): Kept[] {
  const projects = join(configDir, "projects");
  const files = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("/agents.json"));
  return files.flatMap((path) => (JSON.parse(readFileSync(join(projects, path), "utf8")) as { agents: Kept[] }).agents);
}

const agent = (input: Record<string, unknown>) => call("Agent", { description: "look", prompt: "Look.", ...input });

describe("an agent in the foreground", () => {
  it("knows only its prompt, and its last message is the result of the call", async () => {
    const { api, there, print } = await place({
      tool: [
        [agent({ name: "ada", prompt: "Look at README.md." }), call("AskUser", { question: "Which?", options: ["this", "that"] })],
        text("Done."),
      ],
      ada: [call("Read", { path: "README.md" }), text("It says hello.")],
    });
    writeFileSync(join(there.repository, "README.md"), "hello\n");
    expect(await print("Secret plan: use ada")).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
    const [first] = api.requests("ada");
    expect(JSON.stringify(first?.body)).not.toContain("Secret plan");
    expect(newest(first)).toContain("Look at README.md.");
    expect(toolResults(api.requests("tool")[1])).toEqual([
      expect.stringMatching(/^It says hello\.\n\n\[agent a-\w{4}, completed\]$/),
      expect.stringMatching(/^Nobody can be asked here\. Decide it yourself/),
    ]);
    const asks = (name: string) => api.requests(name)[0]?.body.tools?.some((tool) => tool.name === "AskUser");
    expect([asks("tool"), asks("ada")]).toEqual([true, false]);
    const [record] = records(there);
    expect(record).toMatchObject({ state: "completed", turns: 2 });
    const sent = ledger(there);
    expect(sent.filter(({ kind }) => kind === "message" || kind === "file" || kind === "harness").map(whose)).toEqual([
      "message of the session",
      `harness of ${record?.id}`,
      `file of ${record?.id}`,
    ]);
    const privacy = there.warm(["privacy", "README.md"]);
    await privacy.ended;
    expect(privacy.stdout()).toMatch(new RegExp(`  \\S+ agent ${record?.id}  6 bytes by Read;`));
    expect(record?.transcript).toMatch(/\/projects\/[^/]+\/[0-9a-f-]{36}\/subagents\/agent-a-\w{4}\.jsonl$/);
    expect(readFileSync(record!.transcript, "utf8")).toContain("It says hello.");
  });

  it("runs in parallel with others of the same reply", async () => {
    const both = gate(text("bo is done."));
    const { api, print } = await place({
      tool: [[agent({ name: "ada" }), agent({ name: "bo" })], text("Both.")],
      ada: [text("ada is done.")],
      bo: [both.answer],
    });
    const printed = print("go on now");
    await eventually(() => api.requests("ada").length === 1 && api.requests("bo").length === 1);
    both.open();
    expect((await printed).stdout).toBe("Both.\n");
    expect(toolResults(api.requests("tool")[1]).map((result) => result.split("\n")[0])).toEqual(["ada is done.", "bo is done."]);
  });

  it("has the tools that its definition names, and no right that its parent lacks", async () => {
    const { api, there, print } = await place({
      tool: [agent({ name: "ada", subagent_type: "narrow" }), text("Done.")],
      ada: [
        call("Bash", { command: "touch planted" }),
        call("Write", { path: "b.txt", content: "b" }),
        agent({ name: "bo", subagent_type: "wide" }),
        text("None."),
      ],
      bo: [call("Bash", { command: "touch planted" }), text("Nor I.")],
    });
    define(there, "narrow", "tools: Read, Write, Agent\npermissionMode: bypassPermissions\neffort: low");
    define(there, "wide", "permissionMode: bypassPermissions");
    await print("--trust", "--allow", "Bash(touch:*)", "--effort", "high", "go on now");
    const effort = (name: string) => api.requests(name)[0]?.body.output_config?.effort;
    expect(["tool", "ada", "bo"].map(effort)).toEqual(["high", "low", "low"]);
    const [first, , third] = api.requests("ada");
    expect(first?.body.tools?.map(({ name }) => name)).toEqual(["Read", "Write", "Agent"]);
    expect(toolResults(third)[0]).toContain("Permission denied");
    const [below, after] = api.requests("bo");
    expect(below?.body.tools?.map(({ name }) => name)).toEqual(["Read", "Write", "Agent"]);
    expect(toolResults(after)[0]).toContain('There is no tool "Bash"');
    expect(readdirSync(there.repository)).not.toContain("b.txt");
    expect(readdirSync(there.repository)).not.toContain("planted");
  });

  it("is not started without a tool to work with, or by a wrong name, which is told the nearest", async () => {
    const { api, there, print } = await place({
      tool: [
        [
          agent({ name: "ada", subagent_type: "foreign" }),
          agent({ name: "bo", subagent_type: "reads" }),
          agent({ subagent_type: "explorers" }),
        ],
        text("Done."),
      ],
      bo: [agent({ name: "cy", subagent_type: "runs" }), text("None.")],
    });
    define(there, "foreign", "tools: search, codebase");
    define(there, "reads", "tools: Read, Agent");
    define(there, "runs", "tools: Bash");
    await print("--trust", "go on now");
    const [foreign, , wrong] = toolResults(api.requests("tool")[1]);
    expect(wrong).toBe('There is no agent "explorers". Did you mean "explorer"?');
    expect(foreign).toMatch(
      /^Cannot start this agent: the definition "foreign" cannot be used: .*\/foreign\.md:4: error: None of its tools exists here/,
    );
    expect(toolResults(api.requests("bo")[1])[0]).toContain('the agent "runs" would have no tools, because none of those');
    expect(["ada", "cy"].flatMap((name) => api.requests(name))).toEqual([]);
    expect(
      records(there)
        .map(({ name, state }) => `${name} ${state}`)
        .toSorted(),
    ).toEqual(["bo completed", "cy failed"]);
  });

  it("fails at its turn limit with what it had, and continues with a higher one", async () => {
    const { api, there, print, start } = await place({
      tool: [agent({ name: "ada", subagent_type: "short" }), text("It failed.")],
      ada: [call("Glob", { pattern: "*" }), text("Found it after all.")],
    });
    define(there, "short", "maxTurns: 1");
    await print("--trust", "go on now");
    const [{ id, transcript }] = records(there) as [Kept];
    const [result = ""] = toolResults(api.requests("tool")[1]);
    expect(result).toContain(
      `It reached its limit of 1 turn. Its transcript: ${transcript}. Raise maxTurns (tool agents resume ${id} --max-turns 2)`,
    );
    const resumed = start(["agents", "resume", id, "--max-turns", "3", "--trust"]);
    expect(await resumed.ended).toEqual({ code: 0 });
    expect(resumed.stdout()).toBe("Found it after all.\n");
    expect(firstThatDoesNotExtend(api.requests("ada"))).toBeUndefined();
    expect(records(there)[0]).toMatchObject({ state: "completed", turns: 2 });
  });

  it("is ended when it makes the same call again and again, and its record says so", async () => {
    const { api, there, print } = await place({
      tool: [agent({ name: "ada" }), text("Done.")],
      ada: Array.from({ length: 20 }, () => call("Glob", { pattern: "*.none" })),
    });
    await print("go");
    expect(api.requests("ada").length).toBe(6);
    expect(newest(api.requests("ada")[3])).toContain("You have made the same call of Glob 3 times with the same result");
    const reason = "The agent repeats itself: it made the same call of Glob 6 times, always with the same result.";
    expect(toolResults(api.requests("tool")[1])[0]).toContain(reason);
    expect(records(there)).toEqual([expect.objectContaining({ state: "failed", reason })]);
  });

  it("is refused below the depth that the settings set, and reports in as few tokens as they say", async () => {
    const { api, there, print } = await place({
      tool: [agent({ name: "ada" }), text("Done.")],
      ada: [agent({ name: "bo" }), text(`Begin. ${"A long report. ".repeat(200)}The end.`)],
    });
    mkdirSync(join(there.repository, ".tool"), { recursive: true });
    writeFileSync(join(there.repository, ".tool/settings.json"), '{"agents": {"depth": 1, "reportTokens": 200}}');
    await print("go on now");
    expect(toolResults(api.requests("ada")[1])[0]).toContain("agents may be started 1 deep, and this would be 2");
    const [report = ""] = toolResults(api.requests("tool")[1]);
    expect(report).toMatch(/^Begin\. /);
    expect(report.length).toBeLessThan(1_000);
  });

  it("changes nothing if its parent is in plan mode", async () => {
    const { api, there, print } = await place({
      tool: [agent({ name: "ada" }), text("Done.")],
      ada: [call("Write", { path: "b.txt", content: "b" }), text("No.")],
    });
    await print("--permission-mode", "plan", "go on now");
    expect(toolResults(api.requests("ada")[1])[0]).toContain("In plan mode");
    expect(readdirSync(there.repository)).not.toContain("b.txt");
  });
});

describe("a fork", () => {
  it("continues the conversation of its parent", async () => {
    const { api, print } = await place({
      tool: [
        agent({ subagent_type: "fork", prompt: "Count them.", name: "copy" }),
        (request) => (newest(request).includes("Count them.") ? text("Three.") : text("Not the fork.")),
        text("The fork says three."),
      ],
    });
    expect((await print("Remember: apples")).stdout).toBe("The fork says three.\n");
    const requests = api.requests("tool");
    const [parent, fork] = requests;
    expect(firstThatDoesNotExtend([parent!, fork!])).toBeUndefined();
    expect(JSON.stringify(fork?.body.messages)).toContain("Remember: apples");
    expect(firstThatDoesNotExtend([parent!, requests[2]!])).toBeUndefined();
    expect(toolResults(requests[2])[0]).toContain("Three.");
  });
});

it("a fork of an agent continues that agent's conversation", async () => {
  const { api, print } = await place({
    tool: [agent({ name: "ada", prompt: "Remember: pears." }), text("Done.")],
    ada: [
      agent({ subagent_type: "fork", prompt: "Count them.", name: "copy" }),
      (request) => (newest(request).includes("Count them.") ? text("Three.") : text("Not the fork.")),
      text("The fork says three."),
    ],
  });
  expect((await print("Remember: apples")).stdout).toBe("Done.\n");
  const [parent, fork, after] = api.requests("ada");
  expect(firstThatDoesNotExtend([parent!, fork!])).toBeUndefined();
  expect(JSON.stringify(fork?.body.messages)).toContain("Remember: pears.");
  expect(JSON.stringify(fork?.body.messages)).not.toContain("apples");
  expect(toolResults(after)[0]).toContain("Three.");
});

it("a fork of an ended agent keeps that agent's prompt and tools when it is resumed in another process", async () => {
  const { api, there, print, start } = await place(
    {
      tool: [agent({ name: "ada", prompt: "Remember: pears." }), text("Done.")],
      ada: [
        agent({ subagent_type: "fork", prompt: "Count them.", name: "copy", background: true }),
        ...["one", "two", "three", "four"].map(() => (request: Parameters<typeof newest>[0]) => {
          return newest(request).includes("Count them.") ? call("Bash", { command: "node -e 1" }) : text("Started.");
        }),
      ],
    },
    { asked: true },
  );
  await print("Remember: apples");
  const copy = records(there).find(({ name }) => name === "copy");
  expect(copy?.state).toBe("needs_permission");
  const before = api.requests("ada").length;
  await start(["agents", "resume", copy?.id ?? "", "--allow", "Bash(node -e 1)"]).ended;
  const [first] = api.requests("ada");
  const resumed = api.requests("ada").at(-1);
  expect(api.requests("ada").length).toBeGreaterThan(before);
  expect(firstThatDoesNotExtend([first!, resumed!])).toBeUndefined();
  expect(toolResults(resumed)).toHaveLength(1);
});

describe("an agent in the background", () => {
  it("reports once when it has ended, and a printed session waits for it", async () => {
    const slow = gate(text("The background found it."));
    const { api, there, print } = await place({
      tool: [agent({ name: "ada", background: true }), text("Started."), text("And it reported.")],
      ada: [slow.answer],
    });
    const printed = print("go on now");
    await eventually(() => api.requests("tool").length >= 2);
    slow.open();
    expect((await printed).stdout).toBe("And it reported.\n");
    const requests = api.requests("tool");
    expect(firstThatDoesNotExtend(requests)).toBeUndefined();
    expect(JSON.stringify(requests[2]?.body.messages).match(/The background found it\./g)).toHaveLength(1);
    expect(records(there)).toMatchObject([{ state: "completed", delivered: true }]);
  });

  it("stops before a call that needs permission, naming the rule, and continues there when resumed", async () => {
    const { api, there, print, start } = await place(
      {
        tool: [agent({ name: "ada", background: true }), text("Started."), text("It needs a permission.")],
        ada: [call("Bash", { command: "node -e 1" }), text("It ran.")],
      },
      { asked: true },
    );
    expect((await print("go on now")).stdout).toBe("It needs a permission.\n");
    const [{ id, state, reason }] = records(there) as [Kept];
    expect([state, reason]).toEqual(["needs_permission", expect.stringContaining("--allow 'Bash(node -e 1)'")]);
    expect(newest(api.requests("tool")[2])).toContain(`tool agents resume ${id}`);
    const resumed = start(["agents", "resume", id, "--allow", "Bash(node -e 1)"]);
    await resumed.ended;
    expect(resumed.stdout()).toBe("It ran.\n");
    expect(toolResults(api.requests("ada")[1])).toHaveLength(1);
    expect(toolResults(api.requests("ada")[1])[0]).not.toContain("Interrupted");
    expect(records(there)).toMatchObject([{ state: "completed" }]);
  });

  it("is stopped from another process by a request, and only while it has not ended", async () => {
    const never = gate(text("Never."));
    const { api, there, start } = await place({
      tool: [agent({ name: "ada", background: true }), text("Started."), text("It was stopped.")],
      ada: [never.answer],
    });
    const printed = start(["--print", "go on now"]);
    await eventually(() => api.requests("ada").length >= 1);
    const stop = async (...args: string[]) => {
      const program = start(["agents", "stop", ...args]);
      return { ...(await program.ended), said: `${program.stdout()}${program.stderr()}` };
    };
    expect(await stop("ada")).toEqual({ code: 0, said: "Agent ada is stopped.\n" });
    never.open();
    expect(await printed.ended).toEqual({ code: 1 });
    expect(printed.stdout()).toBe("It was stopped.\n");
    expect(newest(api.requests("tool")[2])).toContain("You stopped it from a shell.");
    expect(records(there)).toMatchObject([{ state: "stopped", delivered: true }]);
    expect(await stop("ada")).toMatchObject({ code: 2, said: expect.stringContaining("cannot stop agent ada: it has ended (stopped)") });
    expect(await stop("bo", "--json")).toMatchObject({ code: 2, said: expect.stringContaining("no session of this folder has it") });
  });

  it("continues after the session was killed, and its report arrives once", async () => {
    const slow = gate(text("Never read."));
    const { api, there, print } = await place({
      tool: [agent({ name: "ada", background: true }), text("Started."), text("It reported.")],
      ada: [slow.answer, text("Found after the kill.")],
    });
    const killed = there.piped(["--print", "go on now"], { env: api.env, input: "" });
    await eventually(() => api.requests("tool").length === 2 && api.requests("ada").length === 1);
    process.kill(killed.pid, "SIGKILL");
    await killed.ended;
    slow.open();
    const { stdout, stderr } = await print("--continue", "and what now?");
    expect(stderr).toContain("Agent ada was interrupted when the session ended, and continues now.");
    expect(stdout).toMatch(/reported|nothing more/);
    const all = JSON.stringify(api.requests("tool").at(-1)?.body.messages);
    expect(all.match(/Found after the kill\./g)).toHaveLength(1);
    expect(records(there)).toMatchObject([{ state: "completed", delivered: true }]);
  });

  it("delivers every report exactly once, whenever the session is killed", async () => {
    const names = Array.from({ length: 10 }, (_, n) => `worker-${n}`);
    const kills = Number(process.env["TOOL_TEST_KILLS"] ?? 3);
    const chance = random(Number(process.env["TOOL_TEST_SEED"] ?? 1));
    const started = names.map((name) => agent({ name, background: true, prompt: `Work as ${name}.` }));
    const cast = Object.fromEntries(names.map((name) => [name, Array.from({ length: 60 }, () => slowly(chance, `Report of ${name}.`))]));
    const { api, there } = await place({ tool: [started], ...cast });
    const begun = (args: string[]) => there.piped(["--print", ...args], { env: api.env, input: "" });
    let program = begun(["start them now"]);
    await eventually(() => api.requests("tool").length > 1); // all have been started
    for (let kill = 0; kill < kills; kill++) {
      await Promise.race([program.ended, wait(chance.below(700))]);
      kill9(program.pid);
      await program.ended;
      program = begun(["--continue", "go on with it"]);
    }
    expect(await program.ended).toEqual({ code: 0 });
    const last = JSON.stringify(api.requests("tool").at(-1)?.body.messages);
    const count = (name: string) => last.match(new RegExp(`Report of ${name}\\.`, "g"))?.length ?? 0;
    expect(names.map((name) => [name, count(name)])).toEqual(names.map((name) => [name, 1]));
    expect(records(there).every(({ state, delivered }) => state === "completed" && delivered)).toBe(true);
  });
});

/** A process that has already ended is not an error. */
function kill9(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** An answer that arrives slowly, like a model's. */
const slowly = (chance: ReturnType<typeof random>, words: string) => {
  const ms = chance.below(300);
  return () => wait(ms).then(() => text(words));
};
