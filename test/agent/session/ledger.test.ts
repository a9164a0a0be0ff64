import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { expect, it } from "vitest";
import { runTurns } from "../../../src/agent/loop.ts";
import { commandReader } from "../../../src/agent/ports/command-reader.ts";
import { summarise, summaryText } from "../../../src/agent/sent-summary.ts";
import { type Ledger, openLedger, readLedger, type SentEntry } from "../../../src/agent/session/ledger.ts";
import { createSession } from "../../../src/agent/session/session.ts";
import { openTranscript } from "../../../src/agent/session/transcript.ts";
import { outboundFilter } from "../../../src/agent/workspace/outbound-filter.ts";
import { clock } from "../../../src/edge/clock.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { files } from "../../../src/edge/disk/files.ts";
import { matchingLines } from "../../../src/edge/matching-lines.ts";
import { anthropicModel } from "../../../src/edge/model/anthropic.ts";
import { secretScanner } from "../../../src/edge/secret-scanner.ts";
import { shell } from "../../../src/edge/shell/shell.ts";
import { guardDisk } from "../../../src/permissions/guard.ts";
import { ignorePatterns } from "../../../src/permissions/paths/ignore-patterns.ts";
import { redactingDisk } from "../../../src/secrets/redaction/redacting-disk.ts";
import { createRedactor } from "../../../src/secrets/redaction/redactor.ts";
import { scanText } from "../../../src/secrets/secrets.ts";
import { fileTools } from "../../../src/tools/set.ts";
import { call } from "../../cast.ts";
import { startMessagesApi, text, toolUse } from "../../messages-api.ts";
import { seeded } from "../../process/seeded.ts";
import { scratchFolder } from "../../scratch.ts";
import { draw } from "../../secrets/labelled.ts";
import { policyFor } from "../../tools/agent.ts";
import { tree } from "../../tools/tree.ts";

const token = `ghp_${draw("base62", 36, seeded(7))}`;
const sha = (value: string | Buffer) => createHash("sha256").update(value).digest("hex");

/** A session on a real folder, against a provider on loopback. */
async function sessionWith(replies: Parameters<typeof startMessagesApi>[0]["reply"]) {
  const api = await startMessagesApi({ reply: replies });
  const folder = tree({ "a.ts": `const token = "${token}";\nconst b = 1;\n`, "b.ts": "const b = 2;\n" });
  const config = scratchFolder();
  const scanner = secretScanner();
  const redactor = createRedactor({ mode: "redact", scanner, variables: [] });
  const commands = shell({ cwd: folder.path, env: { PATH: process.env["PATH"] ?? "" } });
  const guarded = redactingDisk(
    guardDisk(files({ ignorePatterns, ripgrep: false }), await policyFor(folder.path)),
    redactor,
    matchingLines,
  );
  const path = `${config}/projects/p/s/sent.jsonl`;
  disk.makeFolder(`${config}/projects/p`);
  const ledger: Ledger = openLedger({ disk, path, cwd: folder.path, clock, countSecrets: (said) => scanText(said).length });
  const session = createSession({
    id: "s",
    agent: "ada",
    cwd: folder.path,
    version: "0",
    model: anthropicModel({ apiKey: "k", authToken: undefined, baseURL: api.url }),
    modelName: "m",
    system: "You are ada.",
    tools: fileTools({ disk: guarded, shell: commands }),
    permit: async ({ input }) =>
      JSON.stringify(input).includes("npm publish") ? { allowed: false, reason: "No rule allows it" } : { allowed: true },
    filter: outboundFilter(redactor, commandReader()),
    ledger,
    limits: {},
    clock,
    transcript: openTranscript(disk, `${config}/projects/p/s.jsonl`),
    past: [],
  });
  return {
    api,
    session,
    folder,
    config,
    entries: () => readLedger(disk.read(path)?.toString("utf8") ?? ""),
    mode: () => (statSync(path).mode & 0o777).toString(8),
    async dispose() {
      await commands.endAll();
      await api.close();
      folder.remove();
    },
  };
}

it("accounts for everything that the provider received, and holds no secret", async () => {
  const made = await sessionWith([
    [text("I look."), toolUse("Read", { path: "a.ts" }, "t1"), toolUse("Grep", { pattern: "const" }, "t2")],
    [
      call("Bash", { command: `echo "$HOME" '${"x"}'; cat a.ts` }),
      call("Bash", { command: "npm publish < a.ts" }), // denied, so that nothing of the file was sent
      call("Edit", { path: "a.ts", old_string: "b = 1", new_string: "b = 3" }),
    ],
    text("Done."),
  ]);
  try {
    made.session.say({ source: { kind: "user" }, text: "go on" });
    await runTurns(made.session.agent, new AbortController().signal);
    const entries = made.entries();
    const known = new Set(entries.map(({ sha256 }) => sha256));
    const received = made.api.requests.flatMap(({ body }) => pieces(body));
    expect(received.filter((piece) => !known.has(sha(piece)))).toEqual([]);
    expect(received.length).toBeGreaterThan(20);
    expect(entries.filter(({ sha256 }) => !received.some((piece) => sha(piece) === sha256))).toEqual([]);
    expect(JSON.stringify(made.api.requests.map(({ body }) => body))).not.toContain(token.slice(4, 13));
    expect(allBytes(made.config)).not.toContain(token.slice(4, 13));
    expect(made.folder.text("a.ts")).toBe(`const token = "${token}";\nconst b = 3;\n`);
    expect(made.mode()).toBe("600");
    expect(entries.filter(({ kind }) => kind === "file" || kind === "command").map(short)).toEqual([
      "2 file Read a.ts 1",
      "2 file Grep a.ts b.ts 1",
      "3 command Bash HOME 1",
      "3 file Edit a.ts 1",
    ]);
    expect(summaryText(summarise(entries))).toBe("2 files, 1 command output, 0 secrets (4 replaced)");
  } finally {
    await made.dispose();
  }
});

it("names the sub-agent of a request, each with its own pieces, and those of a fork beyond what the session sent", async () => {
  const path = `${scratchFolder()}/sent.jsonl`;
  const setup = { disk, path, cwd: "/", clock, countSecrets: () => 0 };
  const ledger = openLedger(setup);
  const tools = [{ name: "Read", description: "", input_schema: { type: "object" as const } }];
  const send = async (from: Ledger, ...said: string[]) => {
    const messages = said.map((words) => ({ role: "user" as const, content: [{ type: "text" as const, text: words }] }));
    const request = { model: "m", max_tokens: 1, system: [], tools, messages };
    const model = from.over({ attempt: async () => ({ kind: "aborted" }) });
    await model.attempt(request, { signal: new AbortController().signal, retryCount: 0, onText: () => {} });
  };
  await send(ledger, "hello");
  await send(ledger.forAgent("a-1", { inherits: false }), "look");
  await send(ledger.forAgent("a-2", { inherits: false }), "look");
  await send(ledger.forAgent("a-3", { inherits: true }), "hello", "look");
  await send(openLedger(setup).forAgent("a-1", { inherits: false }), "look", "go on"); // as another process
  const sent = readLedger(disk.read(path)?.toString("utf8") ?? "");
  expect(sent.map(({ agent = "session", request, kind, bytes }) => `${agent} ${request} ${kind} ${bytes}`)).toEqual([
    expect.stringMatching(/^session 1 tools/),
    "session 1 summary 5",
    "a-1 1 summary 4",
    "a-2 1 summary 4",
    "a-3 1 summary 4",
    "a-1 2 summary 5",
  ]);
  expect(summarise(sent).requests).toBe(5);
  expect(summaryText(summarise(sent))).toBe("0 files, 0 command outputs, 0 secrets (0 replaced), also by agents a-1, a-2, a-3");
});

it("sends nothing that it cannot write down, and writes it down when it can", async () => {
  const sent: unknown[] = [];
  const written: string[] = [];
  let hasRoom = false;
  const full = {
    read: () => undefined,
    makeFolder: () => {},
    append: (_path: string, line: string) => {
      if (!hasRoom) throw new Error("no room");
      written.push(line);
    },
  };
  const ledger = openLedger({ disk: full, path: "/x/sent.jsonl", cwd: "/", clock, countSecrets: () => 0 });
  const model = ledger.over({
    attempt: async (request) => {
      sent.push(request);
      return { kind: "aborted" };
    },
  });
  const request = { model: "m", max_tokens: 1, system: [{ type: "text" as const, text: "s" }], tools: [], messages: [] };
  const attempt = async () => model.attempt(request, { signal: new AbortController().signal, retryCount: 0, onText: () => {} });
  await expect(attempt()).rejects.toThrow("no room");
  expect(sent).toEqual([]);
  hasRoom = true;
  await attempt();
  await attempt();
  expect(sent).toHaveLength(2);
  expect(written.map((line) => JSON.parse(line))).toMatchObject([{ kind: "system", sha256: sha("s") }]);
});

function short({ request, kind, tool, files = [], variables = [], redacted }: SentEntry): string {
  return [request, kind, tool, ...files.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)), ...variables, redacted].join(" ");
}

/** A second implementation, so that the ledger is not compared with itself. */
function pieces(body: { system: { text: string }[]; tools: object[]; messages: { role: string; content: object[] }[] }): string[] {
  const bare = (block: object) => JSON.stringify(block, (key, value) => (key === "cache_control" ? undefined : value));
  return [
    ...body.system.map(({ text: said }) => said),
    ...body.tools.map(bare),
    ...body.messages.flatMap(({ role, content }) =>
      content.map((block) => {
        const { type, text: said, content: result } = block as { type: string; text?: string; content?: string };
        return type === "tool_result" ? (result ?? "") : type === "text" && role === "user" ? (said ?? "") : bare(block);
      }),
    ),
  ];
}

function allBytes(folder: string): string {
  return disk
    .list(folder)
    .map((name) => {
      const path = `${folder}/${name}`;
      return statSync(path).isDirectory() ? allBytes(path) : (disk.read(path)?.toString("latin1") ?? "");
    })
    .join("\n");
}
