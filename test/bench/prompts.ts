// The size of the first request of each kind of agent, and how much of it is the cached beginning that is the same in every session.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type RecordedRequest, startMessagesApi, text, toolUse } from "../messages-api.ts";
import { extending, longSession } from "./long-session.ts";
import type { Part } from "./row.ts";
import { makeHome, type Script, startTeam, until } from "./team.ts";

const kib = 1024;

/** The solo session runs in this repository, the team in a small folder. Needs `npm run build`. */
export const promptsBench: Part = async (report) => {
  const team = await teamRequests();
  const first: [string, number, RecordedRequest | undefined][] = [
    ["a solo agent", 12 * kib, await soloRequest()],
    ["a lead", 12 * kib, team.lead],
    ["a teammate", 10 * kib, team.teammate],
  ];
  for (const [name, limit, request] of first) {
    const bytes = size(request?.body);
    const head = size([request?.body.system, request?.body.tools]);
    report({
      name: `prompts: the first request of ${name}`,
      ours: `${bytes} bytes, ${((100 * head) / bytes).toFixed(0)} % of them the head`,
      target: `≤ ${limit} bytes`,
      met: bytes <= limit,
    });
  }
  const requests = await longSession({ turns: 200, seed: 7 });
  const extended = extending(requests);
  report({
    name: "prompts: requests of a 200-turn session with changes of the mode that extend the one before",
    ours: `${extended} of ${requests.length - 1}`,
    target: "all",
    met: extended === requests.length - 1,
  });
};

const size = (part: unknown) => Buffer.byteLength(JSON.stringify(part) ?? "");

async function soloRequest(): Promise<RecordedRequest | undefined> {
  const root = mkdtempSync(join(tmpdir(), "tool-bench-"));
  const api = await startMessagesApi({ reply: () => text("hi") });
  try {
    const { env } = makeHome(root);
    const child = spawn(process.execPath, [resolve("bin/tool.js"), "--print", "hello"], {
      env: { ...env, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: api.url },
      stdio: "ignore",
    });
    await once(child, "exit");
    return api.requests[0];
  } finally {
    await api.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function teamRequests(): Promise<{ lead: RecordedRequest | undefined; teammate: RecordedRequest | undefined }> {
  const team = await startTeam("print", script);
  try {
    await until("a teammate's first request", () => team.requestsOf("ada").length > 0);
    return { lead: team.requestsOf("lead")[0]?.request, teammate: team.requestsOf("ada")[0]?.request };
  } finally {
    await team.dispose();
  }
}

const script: Script = ({ agent, n }) => {
  if (agent !== "lead" || n > 1) return text("So be it.");
  return n === 0
    ? toolUse("TaskCreate", { title: "Read the notes" }, "toolu_create")
    : toolUse("SpawnTeammate", { name: "ada", duty: "reader" }, "toolu_spawn");
};
