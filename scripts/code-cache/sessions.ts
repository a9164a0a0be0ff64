// Plays the sessions that are started most, for record.ts: answers come from a Messages API on loopback, and nothing of the person's is touched.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Answer, type RecordedRequest, startMessagesApi, text, toolUse } from "../../test/messages-api.ts";

const recorded = ["--import", resolve("dist/test/record-code-cache.js")];
const tool = resolve("bin/tool.js");

/** What each agent answers, in the order of its requests; the last one again and again. */
const cast: Record<string, Answer[]> = {
  tool: [
    [toolUse("Glob", { pattern: "*.txt" }), toolUse("Grep", { pattern: "one" }), toolUse("Bash", { command: "git status && ls | wc -l" })],
    toolUse("Read", { path: "notes.txt" }),
    [
      toolUse("Edit", { path: "notes.txt", old_string: "one", new_string: "three" }),
      toolUse("Write", { path: "more.txt", content: "more\n" }),
    ],
    text("Done."),
  ],
  lead: [
    [toolUse("TaskCreate", { title: "Look", description: "Look at notes.txt." }), toolUse("SpawnTeammate", { name: "ada" })],
    text("The work has begun."),
  ],
  ada: [
    toolUse("Read", { path: "notes.txt" }),
    toolUse("TaskUpdate", { id: "task-1", status: "completed", summary: "Seen." }),
    text("Done."),
  ],
};

const script = `version: 1
agents: [tool]
scenes:
  - { name: any, agent: any, when: "", replies: [{ calls: [{ Bash: { command: ls } }] }, { say: Done. }] }
`;

const first = ["--print", "--permission-mode", "acceptEdits", "--allow", "Bash", "Look."];
const others = [
  ["--print", "--script", "script.yaml", "Look."],
  ["team", "--print", "Look."],
  ["team", "list"],
];

const root = realpathSync(mkdtempSync(join(tmpdir(), "tool-build-")));
const cwd = join(root, "repo");
const api = await startMessagesApi({ reply: (request, n) => answerTo(request, n) });
try {
  for (const folder of ["home", "tmp", "repo"]) mkdirSync(join(root, folder));
  const env = {
    PATH: process.env["PATH"],
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    TMUX_TMPDIR: join(root, "tmp"),
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: api.url,
    TOOL_EXPERIMENTAL_AGENT_TEAMS: "1",
  };
  writeFileSync(join(cwd, "notes.txt"), "one\ntwo\n");
  writeFileSync(join(cwd, "script.yaml"), script);
  const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd, env })).stdout.trim();
  const play = async (words: string[], input = "") => {
    const playing = promisify(execFile)(process.execPath, [...recorded, tool, ...words], { cwd, env, timeout: 30_000 });
    playing.child.stdin?.end(input);
    await playing;
  };
  await git("init", "--quiet");
  await git("add", "notes.txt");
  const commit = await git(
    "-c",
    "user.name=tool",
    "-c",
    "user.email=tool@localhost",
    "commit-tree",
    "-m",
    "Notes",
    await git("write-tree"),
  );
  await play(first);
  const ends = await Promise.allSettled([
    ...others.map((words) => play(words)),
    play(["secrets", "look-through"], `${"0".repeat(commit.length)} ${commit} refs/heads/notes\n`),
  ]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  await play(["team", "status"]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await api.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

function answerTo({ body }: RecordedRequest, n: number): Answer {
  const [, agent = ""] = /^You are ([\w-]+),/.exec(body.system?.[0]?.text ?? "") ?? [];
  const earlier = body.messages.filter(({ role }) => role === "assistant").length;
  const answers = cast[agent] ?? [];
  return withOwnIds(answers[Math.min(earlier, answers.length - 1)] ?? text("Done."), n);
}

/** No provider gives an id twice. */
function withOwnIds(answer: Answer, n: number): Answer {
  const blocks = Array.isArray(answer) ? answer : "type" in answer ? [answer] : [];
  return blocks.map((block, at) => (block.type === "tool_use" ? { ...block, id: `toolu_${n}_${at}` } : block));
}
