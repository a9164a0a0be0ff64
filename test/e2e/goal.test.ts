// A session that works until a command succeeds or a condition is shown to hold: printed and on a screen, with real commands.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newest, type Part, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { aboutWork, teamPlace, tool } from "../team-kit.ts";

const write = (count: string) => call("Write", { path: "count", content: count });

async function place(parts: Part, judge: Part = []) {
  const api = await provider({ tool: parts, judge });
  const there = teamPlace({ asked: true });
  writeFileSync(join(there.repository, "check.sh"), 'echo "counted to $(cat count 2>/dev/null)"; [ "$(cat count)" = 2 ]\n');
  const print = async (...args: string[]) => {
    const program = there.warm(["--print", "--allow", "Write", "--allow", "Edit", ...args], { env: api.env });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { api, there, print };
}

describe("--until", () => {
  it("runs the command, gives its last lines to the model and works on until it succeeds", async () => {
    const { api, print } = await place([write("1"), text("Counted."), write("2"), text("Counted on.")]);
    const { code, stdout, stderr } = await print("--until", "sh check.sh");
    expect([code, stdout]).toEqual([0, "Counted on.\n"]);
    expect(newest(api.requests("tool")[0])).toContain("does not succeed yet (check 1): exit 1. Its last lines:\\n\\ncounted to");
    expect(newest(api.requests("tool")[2])).toContain("counted to 1");
    const report = stderr.slice(stderr.indexOf("goal reached"));
    expect(report.replace(/\$[\d.]+/, "$")).toMatch(
      /^goal reached: sh check\.sh {2}3 checks {2}4 turns {2}.*\n {5}1 {2}. exit 1 {2}no file changed\n {5}2 {2}. exit 1 {2}count {2}Counted\.\n {5}3 {2}. exit 0 {2}count {2}Counted on\.\n/,
    );
  });

  it("ends with 1 when nothing changes, with 4 at the limit of turns, and says so in JSON", async () => {
    const idle = await place(Array.from({ length: 9 }, () => text("I cannot.")));
    const stuck = await idle.print("--output-format", "json", "--until", "sh check.sh", "Count.");
    expect(stuck.code).toBe(1);
    expect(JSON.parse(stuck.stdout)).toMatchObject({
      ending: "not_reached",
      reason: "No progress: 3 checks in a row came out the same (exit 1), and no file changed between them.",
      goal: { condition: "sh check.sh", reached: false, turns: 3, checks: [{ how: "exit 1" }, { how: "exit 1" }, { how: "exit 1" }] },
      exit_code: 1,
    });
    const told = await (await place(Array.from({ length: 3 }, () => text("I cannot.")))).print("--until", "sh check.sh", "Count.");
    expect(told.stderr).toMatch(/goal not reached: sh check\.sh\. No progress: .* between them\. {2}3 checks/);
    const slow = await place([write("0"), text("Begun."), write("1"), text("Never asked.")]);
    const limited = await slow.print("--output-format", "json", "--max-turns", "3", "--until", "sh check.sh", "Count.");
    expect([limited.code, JSON.parse(limited.stdout)]).toMatchObject([4, { ending: "max_turns", goal: { reached: false, turns: 3 } }]);
  });

  it("goes on with the goal after an interruption, without being told it again", async () => {
    const { there, api, print } = await place([() => new Promise(() => {}), write("2"), text("Counted.")]);
    const first = there.piped(["--print", "--until", "sh check.sh"], { env: api.env, input: "" });
    await eventually(() => api.requests("tool").length >= 1);
    process.kill(first.pid, "SIGINT");
    expect((await first.ended).code).toBe(130);
    expect(await print("--continue")).toMatchObject({ code: 0, stdout: "Counted.\n" });
    expect(readFileSync(join(there.repository, "count"), "utf8")).toBe("2");
  });
});

describe("/goal", () => {
  it("takes results and not words as proof of a condition, and Esc ends it", async () => {
    const parts: Part = [text("It is done, believe me."), write("2"), text("Now it is."), () => new Promise(() => {})];
    const { there, api } = await place(parts, [text("NOT MET: nothing was written."), text("MET: Write count shows 2.")]);
    const env = { ...there.env, ...api.env };
    const terminal = personsTerminal([...tool, "--allow", "Write"], { env, cwd: there.repository, columns: 100, rows: 30 });
    await eventually(() => terminal.everything().join("\n").includes("ready"));
    terminal.type("/goal the file count has 2\r");
    await eventually(() => terminal.everything().join("\n").includes("goal reached: the file count has 2"));
    const [, second] = api.requests("judge");
    expect(newest(second)).toContain("| +2");
    expect(newest(second)).toContain("The agent's last words, which prove nothing:\\nNow it is.");
    terminal.type("/goal !sh other.sh\r");
    await eventually(() => api.requests("tool").length >= 4);
    terminal.type("\x1b");
    await eventually(() => terminal.everything().join("\n").includes("goal ended by you: sh other.sh"));
    terminal.type("/goal\r");
    await eventually(() => terminal.everything().join("\n").includes("There is no goal."));
    terminal.type("\x04");
    await terminal.ended;
  });
});
