// A team that goes on after the end of all its processes.
import { describe, expect, it } from "vitest";
import { call, gate, provider, saidIn } from "../cast.ts";
import type { RecordedRequest } from "../messages-api.ts";
import { text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type Place, processesOf, teamPlace } from "../team-kit.ts";

describe("a team of which everything was killed", () => {
  it("goes on with its tasks, its conversations and its mail, and hears what changed meanwhile", async () => {
    const place = teamPlace();
    const api = await provider({
      lead: [
        [
          ...["First", "Second"].map((title) => call("TaskCreate", { title })),
          ...["ada", "bo"].map((name) => call("SpawnTeammate", { name })),
        ],
        text("They are at work."),
        text("I go on."),
      ],
      ada: [call("SendMessage", { to: "bo", text: "Which format?" }), never(), completes, text("Done.")],
      bo: [never(), completes, text("Done.")],
    });
    const run = place.tool([...start, "--budget-usd", "5", "Do it."], { env: api.env });
    await eventually(() => api.requests("ada").length === 2 && api.requests("bo").length === 1);
    await eventually(() => place.team().status("lead")?.state === "idle");
    killAll(place);
    await run.ended;
    place.write("repo/meanwhile.txt", "Somebody else wrote this.");

    const again = place.tool([...start, "--resume", "atlas"], { env: api.env });
    expect([(await again.ended).code, again.output()]).toEqual([0, expect.stringContaining(goesOn)]);
    expect(
      place
        .team()
        .tasks()
        .map(({ status, assigned_to, summary }) => [status, assigned_to, summary]),
    ).toEqual([
      ["completed", "ada", "task-1 is done."],
      ["completed", "bo", "task-2 is done."],
    ]);
    const claims = place
      .team()
      .events()
      .filter(({ kind }) => kind === "task_claimed" || kind === "task_completed");
    expect(claims.map((event) => `${event.by} ${event.kind}`).toSorted()).toEqual([
      "ada task_claimed",
      "ada task_completed",
      "bo task_claimed",
      "bo task_completed",
    ]);
    expect(saidIn(api.requests("ada")[2]).flat().join("\n")).toMatch(
      /You now hold task-1: First[\s\S]*the working tree changed[\s\S]*Changed files: meanwhile\.txt\n[\s\S]*You were restarted and still hold task-1/,
    );
    expect(JSON.stringify(api.requests("bo")[1]?.body.messages).match(/Which format\?/g)).toHaveLength(1);
    expect(place.team().record()?.options).toMatchObject({ budget_usd: 5, where: "detached" });
  });
});

const start = ["team", "--print", "--display", "tmux"];
const never = () => gate(text("never")).answer;

function completes(request: RecordedRequest) {
  const id = /hold (task-\d)/.exec(JSON.stringify(request.body.messages))?.[1] ?? "";
  return call("TaskUpdate", { id, status: "completed", summary: `${id} is done.` });
}

const goesOn = `  lead: 2 turns, 0 unread
  ada: task-1 in progress again, 1 turn, 0 unread
  bo: task-2 in progress again, 0 turns, 1 unread
`;

function killAll(place: Place): void {
  for (const { pid } of processesOf(place.folder)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended with another one.
    }
  }
}
