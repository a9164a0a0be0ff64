// `tool watch` over real processes: a team with a question and a solo session, seen from elsewhere, and the question answered there.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { attend } from "./attended.ts";

type Row = { full_name: string; state: string; now: string; waits_for: string[]; pid: number | null };

const names = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

it("shows who needs the person first, answers a question there, and forgets a session that was killed", async () => {
  const place = teamPlace({ asked: true });
  const working = gate(text("Done."));
  const api = await provider({
    lead: [[call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })], text("ada works.")],
    ada: [call("Bash", { command: "touch one" }), call("Bash", { command: "touch two" }), text("I stop here.")],
    tool: [working.answer],
  });
  const env = { ...place.env, ...api.env };
  const rows = async (more: Record<string, string> = {}): Promise<Row[]> => {
    const program = place.piped(["watch", "--json"], { env: { ...api.env, ...more }, input: "" });
    await program.ended;
    return JSON.parse(program.stdout()).rows;
  };
  await attend(place, ["team", "--display", "tmux", "Do it."], { tmux: "inside", team: "atlas", env: api.env });
  const solo = place.piped(["--print", "Work on this"], { env: api.env, input: "" });
  await eventually(() => names(join(place.configDir, "running")).some((name) => name.endsWith(".json")));
  await eventually(() => names(join(place.configDir, "teams/atlas/requests")).length === 1);

  const seen = await rows();
  expect(seen[0]).toMatchObject({ full_name: "atlas/ada", state: "needs_you", now: "Bash touch one", waits_for: ["you"] });
  expect(seen.map(({ full_name, state, pid }) => [full_name.replace(/session .*/, "session"), state, pid === solo.pid])).toEqual(
    expect.arrayContaining([
      ["session", "working", true],
      ["team atlas", "working", false],
    ]),
  );

  const agents = personsTerminal([...tool, "watch"], { env: { ...env, TOOL_OWNER: "s:ada" }, cwd: place.folder, columns: 80, rows: 24 });
  await eventually(() => agents.screen().join("\n").includes("atlas/ada"));
  agents.type("\r");
  await eventually(() => agents.screen().join("\n").includes("Only a person can answer"));
  agents.type("q");
  await agents.ended;

  const terminal = personsTerminal([...tool, "watch"], { env, cwd: place.folder, columns: 80, rows: 24 });
  await eventually(() => terminal.screen().join("\n").includes("atlas/ada"));
  terminal.type("\r");
  await eventually(() => terminal.screen().join("\n").includes("also in ada's pane"));
  terminal.type("1");
  await eventually(() => existsSync(join(place.repository, "one")));
  await eventually(() => terminal.screen().join("\n").includes("Bash touch two"));
  terminal.type("t");
  await eventually(() => terminal.screen().join("\n").includes("Esc: back to the list"));
  terminal.type("q");
  await eventually(() => terminal.screen().join("\n").includes("Enter answers"));

  process.kill(solo.pid, "SIGKILL");
  await solo.ended;
  expect((await rows()).filter(({ full_name }) => full_name.startsWith("session"))).toEqual([]);
  terminal.type("q");
  expect(await terminal.ended).toBe(0);
});

it("says where a lead asks that has no session yet", async () => {
  const place = teamPlace();
  place.write("repo/.tool/settings.json", JSON.stringify({ permissions: { allow: ["Bash(touch made)"] } }));
  const api = await provider({ lead: [text("Never.")] });
  const lead = await attend(place, ["team", "--display", "tmux", "Do it."], { tmux: "inside", team: "atlas", env: api.env });
  await eventually(() => lead.screen().includes("Trust this repository"));
  const watch = personsTerminal([...tool, "watch"], { env: { ...place.env, ...api.env }, cwd: place.folder, columns: 80, rows: 24 });
  await watch.shows("Enter goes to its pane");
  watch.type("\r");
  await watch.shows("See it: tool team attach --team atlas");
  watch.type("q");
  expect(await watch.ended).toBe(0);
  lead.press("C-c");
  await eventually(() => lead.code() === 130);
});

it("answers the question of a session elsewhere, which goes on with it", async () => {
  const place = teamPlace({ asked: true });
  const api = await provider({
    tool: [call("Bash", { command: "touch one" }), text("Done with one."), call("Bash", { command: "touch two" }), text("Done.")],
  });
  const at = { env: { ...place.env, ...api.env }, cwd: place.repository, columns: 80, rows: 24 };
  const seat = personsTerminal([...tool, "go on now"], at);
  await seat.shows("asks to run");
  const watch = personsTerminal([...tool, "watch"], { ...at, cwd: place.folder });
  await watch.shows("Bash touch one");
  watch.type("\r");
  await watch.shows("also in session");
  watch.type("1");
  await seat.shows("answered from a shell: allowed once");
  await seat.shows("Done with one.");
  expect(existsSync(join(place.repository, "one"))).toBe(true);
  await watch.shows("Answered for session");

  seat.type("and the other\r");
  await seat.shows("this session: touch two"); // not the call alone, before it is asked about
  await watch.shows("Bash touch two");
  seat.type("1");
  await seat.shows("Done.");
  await eventually(() => !watch.screen().join("\n").includes("Bash touch two"));
  watch.type("q");
  expect([await watch.ended, await seat.leave()]).toEqual([0, 0]);
  expect(names(place.configDir).includes("running") && names(join(place.configDir, "running"))).toEqual([]);
});
