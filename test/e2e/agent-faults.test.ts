// Agents of a session when something fails or changes while they run: the disk, their definition, the id that a call names.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, type Part, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually, fill, smallDisk } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const ada = (more: Record<string, unknown> = {}) => call("Agent", { description: "look", prompt: "Look.", name: "ada", ...more });

async function place(cast: Record<string, Part>, there = teamPlace()) {
  const api = await provider(cast);
  const start = (...args: string[]) => there.piped(args, { env: api.env, input: "" });
  const ran = async (...args: string[]) => {
    const program = there.warm(args, { env: api.env });
    return { ...(await program.ended), said: `${program.stdout()}${program.stderr()}` };
  };
  return { api, there, start, ran };
}

type Kept = { id: string; state: string; delivered: boolean; now?: string };

function records({ configDir }: Place): Kept[] {
  const projects = join(configDir, "projects");
  if (!existsSync(projects)) return [];
  const files = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("/agents.json"));
  return files.flatMap((path) => (JSON.parse(readFileSync(join(projects, path), "utf8")) as { agents: Kept[] }).agents);
}

it.skipIf(await lacks("a file system of its own"))("an agent that ends while the disk is full reports once there is room", async () => {
  const there = teamPlace();
  smallDisk("size=4m", there.configDir);
  const report = `Found it. ${"x".repeat(30_000)}`;
  const slow = gate(text(report));
  const { api, start } = await place(
    { tool: [ada({ background: true }), text("Started."), text("It reported.")], ada: [slow.answer] },
    there,
  );
  const run = start("--print", "go on now");
  await eventually(() => api.requests("tool").length === 2 && api.requests("ada").length === 1);
  const makeRoom = fill(there.configDir);
  slow.open();
  await eventually(() => run.stderr().includes("The disk is full: waiting"));
  makeRoom();
  expect([(await run.ended).code, run.stdout()]).toEqual([0, "It reported.\n"]);
  const [, , last] = api.requests("tool");
  expect(newest(last).match(/Found it\./g)).toHaveLength(1);
  const whole = /the whole is in (.+?): Grep/.exec(newest(last))?.[1] ?? "no file is named";
  expect(readFileSync(whole, "utf8")).toBe(report);
  expect(records(there)).toMatchObject([{ state: "completed", delivered: true }]);
});

it("an agent keeps the definition that it began with, even if that is edited or removed and the agent resumed", async () => {
  const waits = gate(call("Bash", { command: "node -e 1" }));
  const { api, there, start, ran } = await place(
    {
      tool: [ada({ subagent_type: "scout", background: true }), text("Started."), text("It stopped.")],
      ada: [waits.answer, text("It ran.")],
    },
    teamPlace({ asked: true }),
  );
  const folder = join(there.repository, ".tool/agents");
  const write = (body: string) => writeFileSync(join(folder, "scout.md"), `---\nname: scout\ndescription: Scouts\n---\n${body}\n`);
  mkdirSync(folder, { recursive: true });
  write("You scout on foot.");
  const run = start("--print", "--trust", "go on now");
  await eventually(() => api.requests("ada").length >= 1);
  write("You scout by air.");
  rmSync(folder, { recursive: true });
  waits.open();
  await run.ended;
  const [{ id, state }] = records(there) as [Kept];
  expect(state).toBe("needs_permission");
  expect(await ran("agents", "resume", id, "--allow", "Bash(node -e 1)")).toMatchObject({
    code: 0,
    said: expect.stringContaining("It ran."),
  });
  const heads = api.requests("ada").map(({ body }) => body.system?.map((block) => block.text).join("\n") ?? "");
  expect(heads).toHaveLength(2);
  for (const head of heads) expect(head).toContain("You scout on foot.");
});

it("an agent reports what it does; a running, completed or unknown one is not resumed, with the reason", async () => {
  const slow = gate(text("Found."));
  const waiting = "until [ -e go ]; do sleep 0.1; done";
  const { api, there, start, ran } = await place({ tool: [ada(), text("Done.")], ada: [call("Bash", { command: waiting }), slow.answer] });
  const run = start("--print", "--allow", "Bash", "go on now");
  await eventually(() => records(there)[0]?.now === `Bash ${waiting}`);
  const [{ id }] = records(there) as [Kept];
  expect((await ran("tasks")).said).toContain(`Bash ${waiting}`);
  writeFileSync(join(there.repository, "go"), "");
  await eventually(() => api.requests("ada").length >= 2);
  expect(await ran("agents", "resume", id)).toMatchObject({ code: 2, said: expect.stringContaining(`${run.pid}`) });
  slow.open();
  await run.ended;
  expect(await ran("agents", "resume", id)).toMatchObject({ code: 2, said: expect.stringContaining("completed") });
  expect(await ran("agents", "resume", "a-none")).toMatchObject({ code: 2, said: expect.stringContaining("no session of this folder") });
  expect(api.requests("ada")).toHaveLength(2);
});
