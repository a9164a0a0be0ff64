// Teammates that die: restarted with their claim, or given up with their task blocked; the processes that they had started are ended too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, firstThatDoesNotExtend, gate, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type Place, processesOf, teamPlace } from "../team-kit.ts";

const oneTask = [call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })];
const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." });

it.each(["tmux", "in-process"])(
  "killed in the middle of a tool call (%s): restarted with its claim, told of the call, which is not repeated",
  async (display) => {
    const place = teamPlace();
    const leaveBehind = "echo run >> runs; trap '' HUP; setsid sleep 1001 & sleep 1002";
    const api = await provider({
      lead: [oneTask, text("ada is at work."), text("Reported.")],
      ada: [call("Bash", { command: leaveBehind }), completed, text("Done.")],
    });
    const run = place.tool(["team", "--print", "--display", display, "--allow", "Bash", "--allow", "Edit", "Do it."], { env: api.env });
    const first = await eventually(() => sleeping(place, "1001") && sleeping(place, "1002") && place.team().status("ada"));
    process.kill(first.pid, "SIGKILL");
    expect((await run.ended).code).toBe(0);

    expect([sleeping(place, "1001"), sleeping(place, "1002")]).toEqual([false, false]);
    expect(readFileSync(join(place.repository, "runs"), "utf8")).toBe("run\n");
    expect(firstThatDoesNotExtend(api.requests("ada"))).toBeUndefined();
    expect(api.requests("ada")[1]?.body.messages.slice(-1)).toEqual([
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: expect.any(String),
            is_error: true,
            content:
              "Interrupted: the process ended during this call. It may have taken effect in part. It was not repeated; look before you run it again.",
          },
          {
            type: "text",
            text: "You were restarted and still hold task-1: Only task\n\nDo it.\n\nLook at what is already done before you go on.",
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ]);
    const events = place
      .team()
      .events()
      .map((event) => `${event.by} ${event.kind}`);
    expect(events.filter((event) => event === "lead member_started")).toHaveLength(1); // logged while ada works
    // Two processes send them, in either order.
    const sent = events.filter((event) => event.endsWith(" message_sent"));
    expect(sent.toSorted()).toEqual(["ada message_sent", "lead message_sent"]);
    expect(events.filter((event) => event !== "lead member_started" && !sent.includes(event))).toEqual([
      "user team_created",
      "lead task_created",
      "ada task_claimed",
      "ada file_taken",
      "lead member_restarted",
      "ada task_completed",
      "lead member_ended",
    ]);
    expect(run.output()).toContain(" ada: its process died. Starting it again; it keeps its task.\n");
  },
);

it("killed more than three times in ten minutes: given up, its task blocked with the reason, and the lead told", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [oneTask, text("ada is at work."), text("I cannot help that."), text("It stays blocked.")],
    ada: Array.from({ length: 4 }, () => gate(text("never")).answer),
  });
  const run = place.tool(["team", "--print", "--display", "in-process", "Do it."], { env: api.env });
  for (let life = 1; life <= 4; life++) {
    await eventually(() => api.requests("ada").length === life);
    process.kill(place.team().status("ada")?.pid ?? 0, "SIGKILL");
  }
  expect((await run.ended).code).toBe(1);
  const how = "its process died, after 3 restarts in 10 minutes";
  expect(
    place
      .team()
      .tasks()
      .map(({ status, assigned_to, blocked_reason }) => ({ status, assigned_to, blocked_reason })),
  ).toEqual([{ status: "blocked", assigned_to: "ada", blocked_reason: `ada is gone: ${how}` }]);
  expect(api.requests("lead").slice(2).map(newest)).toEqual([
    expect.stringContaining(`ada is gone: ${how}. Its task task-1 is blocked; files touched: none recorded.`),
    expect.stringContaining(`No task can go on:\\n- task-1 is blocked, held by ada: ada is gone: ${how}`),
  ]);
});

function sleeping(place: Place, seconds: string): boolean {
  return processesOf(place.folder).some(({ command }) => command.trim() === `sleep ${seconds}`);
}
