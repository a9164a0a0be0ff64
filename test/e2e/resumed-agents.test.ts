// `tool agents resume`: an agent continues after its session has ended, and its session gets the report exactly once.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, newest, type Part, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

type Kept = { id: string; state: string; delivered: boolean; run: number; transcript: string };

const publish = call("Bash", { command: "node -e 1" });
const allowing = ["--allow", "Bash(node -e 1)"];

/** A session has ended whose agent waits for a permission. */
async function waiting(ada: Part) {
  const api = await provider({
    tool: [call("Agent", { description: "look", prompt: "Look.", name: "ada", background: true }), text("Started."), text("It waits.")],
    ada: [publish, ...ada],
  });
  const there = teamPlace({ asked: true });
  const start = (...args: string[]) => there.piped(args, { env: api.env, input: "" }); // to be killed
  const ran = async (...args: string[]) => {
    const program = there.warm(args, { env: api.env });
    return { ...(await program.ended), stdout: program.stdout(), stderr: program.stderr() };
  };
  expect((await ran("--print", "go on now")).code).toBe(3);
  const projects = join(there.configDir, "projects");
  const found = (end: string) =>
    join(projects, readdirSync(projects, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(end)) ?? "");
  const records = () => (JSON.parse(readFileSync(found("/agents.json"), "utf8")) as { agents: Kept[] }).agents;
  const session = readdirSync(projects, { recursive: true, encoding: "utf8" }).find((path) => /^[^/]+\/[^/]+\.jsonl$/.test(path)) ?? "";
  const transcript = join(projects, session);
  /** The reports in the session's conversation, by the state of the agent. */
  const reports = () => [...readFileSync(transcript, "utf8").matchAll(/<agent_report [^>]*state=\\"(\w+)\\"/g)].map(([, state]) => state);
  return { api, there, start, ran, record: () => records()[0]!, agentsFile: found("/agents.json"), transcript, reports };
}

it("without its rule it still waits, ends with 3 and tells its session nothing new; with the rule it reports once, by name or id", async () => {
  const { api, ran, record, reports } = await waiting([text("Published.")]);
  const again = await ran("agents", "resume", "ada", "--json");
  expect([again.code, record().state, reports()]).toEqual([3, "needs_permission", ["needs_permission"]]);
  expect(JSON.parse(again.stdout)).toMatchObject({
    ok: false,
    agent: record().id,
    state: "needs_permission",
    exit_code: 3,
    permission_denials: [{ agent: "ada", tool: "Bash", subject: "node -e 1", rules: ["Bash(node -e 1)"] }],
    failures: [],
  });
  expect(again.stderr).toMatch(/^tool: ada: denied Bash node -e 1: .*--allow 'Bash\(node -e 1\)'/m);
  expect(await ran("agents", "resume", record().id, ...allowing)).toMatchObject({ code: 0, stdout: "Published.\n" });
  expect(reports()).toEqual(["needs_permission", "completed"]);
  expect(await ran("agents", "resume", "ada", ...allowing)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has completed its work"),
  });
  expect((await ran("--print", "--continue", "and now?")).code).toBe(0);
  expect(JSON.stringify(api.requests("tool").at(-1)?.body.messages).match(/state=\\\\?"completed/g)).toHaveLength(1);
});

it("is killed in between and resumed again: the report arrives once", async () => {
  const { api, start, ran, record, reports, agentsFile, transcript } = await waiting([() => new Promise(() => {}), text("Published.")]);
  const killed = start("agents", "resume", "ada", ...allowing);
  await eventually(() => api.requests("ada").length >= 2);
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  expect([record().state, reports()]).toEqual(["running", ["needs_permission"]]);
  expect(await ran("agents", "resume", "ada", ...allowing)).toMatchObject({ code: 0, stdout: "Published.\n" });
  expect(reports()).toEqual(["needs_permission", "completed"]);
  const undelivered = () => writeFileSync(agentsFile, readFileSync(agentsFile, "utf8").replace('"delivered": true', '"delivered": false'));
  // As if it had been killed after the transcript had the report, and before the record said so.
  undelivered();
  await ran("--print", "--continue", "and now?");
  expect([record().delivered, reports()]).toEqual([true, ["needs_permission", "completed"]]);
  // As if it had been killed before the transcript had it.
  undelivered();
  const lines = readFileSync(transcript, "utf8").split("\n");
  writeFileSync(
    transcript,
    lines
      .slice(
        0,
        lines.findIndex((line) => line.includes('state=\\"completed\\"')),
      )
      .join("\n"),
  );
  await ran("--print", "--continue", "and now?");
  expect([record().delivered, reports()]).toEqual([true, ["needs_permission", "completed"]]);
});

it("is ended by a signal with 130, and continues", async () => {
  const { api, start, ran, record, reports } = await waiting([() => new Promise(() => {}), text("Published.")]);
  const ended = start("agents", "resume", "ada", "--json", ...allowing);
  await eventually(() => api.requests("ada").length >= 2);
  process.kill(ended.pid, "SIGTERM");
  expect(await ended.ended).toEqual({ code: 130 });
  expect(JSON.parse(ended.stdout())).toMatchObject({ ok: false, exit_code: 130 });
  expect(reports()).toEqual(["needs_permission"]);
  expect(await ran("agents", "resume", record().id, ...allowing)).toMatchObject({ code: 0, stdout: "Published.\n" });
  expect(reports()).toEqual(["needs_permission", "completed"]);
});

it("works although its transcript or its session's has lost the last line, or half of it", async () => {
  const { ran, record, reports, transcript } = await waiting([text("Published.")]);
  for (const path of [record().transcript, transcript]) {
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    writeFileSync(path, `${lines.slice(0, -1).join("\n")}\n${lines.at(-1)?.slice(0, 20)}`);
  }
  expect(await ran("agents", "resume", "ada", ...allowing)).toMatchObject({ code: 0, stdout: "Published.\n" });
  expect(reports()).toEqual(["needs_permission", "completed"]);
});

it("asks the person in a terminal, also where it was killed before, and reports to the session once", async () => {
  const { api, there, start, record, reports } = await waiting([() => new Promise(() => {}), publish, text("Published.")]);
  const killed = start("agents", "resume", "ada", ...allowing);
  await eventually(() => api.requests("ada").length >= 2);
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  const seat = personsTerminal([...tool, "agents", "resume", "ada"], {
    env: { ...there.env, ...api.env },
    cwd: there.repository,
    columns: 120,
    rows: 40,
  });
  await seat.shows("node -e 1");
  await choose(seat, "y");
  await eventually(() => reports().includes("completed"));
  await eventually(() => newest(api.requests("tool").at(-1)).includes("Published."));
  await seat.leave();
  expect([record().state, record().delivered, reports()]).toEqual(["completed", true, ["needs_permission", "completed"]]);
});
