// A team that continues after all of its processes have ended.
import { describe, expect, it } from "vitest";
import { call, gate, provider, saidIn, toolResults } from "../cast.ts";
import type { RecordedRequest } from "../messages-api.ts";
import { text } from "../messages-api.ts";
import { eventually, type Program } from "../scratch.ts";
import { killAll, teamPlace } from "../team-kit.ts";

describe("a team whose processes were all killed", () => {
  it("continues with its tasks, conversations and mail, and is told what changed meanwhile", async () => {
    const place = teamPlace();
    const asks = gate(call("SendMessage", { to: "bo", text: "Which format?" }));
    const goesOn = completesOnce((said) => said.includes("  bo: "));
    const api = await provider({
      lead: [
        [
          ...["First", "Second"].map((title) => call("TaskCreate", { title })),
          ...["ada", "bo"].map((name) => call("SpawnTeammate", { name })),
        ],
        text("They are at work."),
        text("I go on."),
      ],
      ada: [asks.answer, never(), goesOn.answer, text("Done.")],
      bo: [never(), goesOn.answer, text("Done.")],
    });
    const run = place.tool([...start, "--budget-usd", "5", "Do it."], { env: api.env });
    await eventually(() => api.requests("bo").length >= 1);
    asks.open(); // bo has already started, so it does not read the message
    await eventually(() => api.requests("ada").length >= 2);
    await eventually(() => place.team().status("lead")?.state === "idle");
    killAll(place);
    await run.ended;
    const owners = place
      .team()
      .tasks()
      .map(({ assigned_to }) => assigned_to);
    const taskOf = (name: string) => `task-${owners.indexOf(name) + 1}`;
    place.write("repo/meanwhile.txt", "Somebody else wrote this.");

    const again = goesOn.shownBy(place.tool([...start, "--resume", "atlas"], { env: api.env }));
    const proof = [
      "  lead: 2 turns, 0 unread",
      `  ada: ${taskOf("ada")} in progress again, 1 turn, 0 unread`,
      `  bo: ${taskOf("bo")} in progress again, 0 turns, 1 unread`,
    ];
    expect([(await again.ended).code, again.output()]).toEqual([0, expect.stringContaining(`${proof.join("\n")}\n`)]);
    expect(
      place
        .team()
        .tasks()
        .map(({ status, assigned_to }) => [status, assigned_to]),
    ).toEqual(owners.map((owner) => ["completed", owner]));
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
      /You now hold task-\d[\s\S]*the working tree changed[\s\S]*Changed files: meanwhile\.txt\n[\s\S]*You were restarted and still hold task-\d/,
    );
    expect(JSON.stringify(api.requests("bo")[1]?.body.messages).match(/Which format\?/g)).toHaveLength(1);
    expect(place.team().record()?.options).toMatchObject({ budget_usd: 5, where: "detached" });
  });
});

describe("a team that is resumed", () => {
  it("keeps teammates that survived their lead, has one lead, and can be stopped and resumed again", async () => {
    const place = teamPlace();
    const one = gate(text("Nothing yet."));
    const goesOn = completesOnce((said) => said.includes("  ada: "));
    const api = await provider({
      lead: [
        [call("TaskCreate", { title: "Only task" }), call("SpawnTeammate", { name: "ada" })],
        text("At work."),
        never(),
        text("I go on."),
      ],
      ada: [one.answer, never(), goesOn.answer, text("Done.")],
    });
    const run = place.tool([...start, "Do it."], { env: { ...api.env, TOOL_LEAD_GRACE_SECONDS: "600" } });
    await eventually(() => api.requests("ada").length >= 1);
    await eventually(() => place.team().status("lead")?.state === "idle");
    const ada = place.team().status("ada")?.pid;
    run.child.kill("SIGKILL");
    await run.ended;

    const resumed = place.tool([...start, "--resume"], { env: api.env });
    await eventually(() => api.requests("lead").length >= 3);
    await eventually(() => resumed.output().includes(`  ada: still running as process ${ada}, task-1 in progress, 0 turns, 0 unread\n`));
    const second = place.tool([...start, "--resume", "atlas"], { env: api.env });
    const pid = place.team().status("lead")?.pid;
    expect([(await second.ended).code, second.output()]).toEqual([
      2,
      `tool: cannot resume team atlas: its lead is running, as process ${pid}.\n`,
    ]);
    one.open(); // its turn ends, and it gets a reminder of its task
    await eventually(() => api.requests("ada").length >= 2);
    expect(place.team().status("ada")?.pid).toBe(ada);
    resumed.child.kill("SIGTERM");
    expect([(await resumed.ended).code, resumed.output()]).toEqual([130, expect.stringContaining("Resume: tool team --resume atlas\n")]);
    expect(place.team().tasks()[0]).toMatchObject({ status: "blocked", blocked_reason: "ada was stopped" });

    const list = place.tool(["team", "list"]);
    expect([(await list.ended).code, list.output()]).toEqual([
      0,
      expect.stringMatching(/^atlas: not running[\s\S]*\n {2}can be resumed: tool team --resume atlas\n$/),
    ]);
    const created_at = new Date(Date.now() - 7_200_000).toISOString();
    place.write("config/teams/atlas/team.json", JSON.stringify({ ...place.team().record(), created_at }));
    const last = goesOn.shownBy(place.tool([...start, "--resume", "atlas"], { env: api.env }));
    expect([(await last.ended).code, last.output()]).toEqual([
      0,
      expect.stringContaining("  ada: task-1 in progress again, 1 turn, 0 unread\n"),
    ]);
    expect(last.output()).toMatch(/^Team atlas finished: 1 of 1 tasks in 2h/m);
    expect(place.team().tasks()[0]).toMatchObject({ status: "completed", assigned_to: "ada" });
    const demo = place.tool(["team", "--demo", "--resume", "atlas"]);
    expect([(await demo.ended).code, demo.output()]).toEqual([2, expect.stringMatching(/^tool: --resume cannot be used with --demo: /)]);
    const done = place.tool([...start, "--resume", "atlas"], { env: api.env });
    expect([(await done.ended).code, done.output()]).toEqual([
      2,
      expect.stringContaining("tool: nothing to resume: all tasks of team atlas are completed."),
    ]);
  });

  it("ends the teammates of a team that had completed everything when its lead was killed", async () => {
    const place = teamPlace();
    const api = await provider({
      lead: [[call("TaskCreate", { title: "Only task" }), call("SpawnTeammate", { name: "ada" })], text("At work."), never()],
      ada: [completes, text("Done.")],
    });
    const run = place.tool([...start, "Do it."], { env: { ...api.env, TOOL_LEAD_GRACE_SECONDS: "600" } });
    await eventually(() => api.requests("lead").length === 3 && place.team().status("ada")?.state === "idle");
    run.child.kill("SIGKILL");
    await run.ended;
    const resumed = place.tool([...start, "--resume", "atlas"], { env: api.env });
    expect([(await resumed.ended).code, resumed.output()]).toEqual([0, expect.stringContaining("ada: still running")]);
    expect(place.team().exit("ada")?.reason).toBe("stopped");
  });

  it("does each task once, wherever it and its resumes are killed", async () => {
    const place = teamPlace();
    const tasks = ["First", "Second", "Third", "Fourth"].map((title) => call("TaskCreate", { title }));
    const spawns = () => {
      const joined =
        place
          .team()
          .record()
          ?.members.map(({ name }) => name) ?? [];
      const calls = ["ada", "bo"].filter((name) => !joined.includes(name)).map((name) => call("SpawnTeammate", { name }));
      return calls.length > 0 ? calls : text("They are at work.");
    };
    const works = (request: RecordedRequest) => {
      const [, id = ""] = [...JSON.stringify(request.body.messages).matchAll(/hold (task-\d)/g)].at(-1) ?? [];
      if (
        place
          .team()
          .tasks()
          .find((task) => task.id === id)?.status === "completed"
      )
        return text("Done.");
      const hasRead = toolResults(request).length > 0;
      return hasRead ? call("TaskUpdate", { id, status: "completed", summary: `${id} is done.` }) : call("Read", { file_path: "a.txt" });
    };
    const api = await provider({ lead: [tasks, ...many(spawns)], ada: many(works), bo: many(works) });
    const events = (kind: string) =>
      place
        .team()
        .events()
        .filter((event) => event.kind === kind).length;
    const has = (wanted: string) =>
      place
        .team()
        .tasks()
        .some(({ status }) => status === wanted);
    const killedWhen = async (args: string[], isSo: () => boolean) => {
      const run = place.tool([...start, ...args], { env: api.env });
      await eventually(isSo);
      killAll(place);
      await run.ended;
    };
    await killedWhen(["Do it."], () => place.team().tasks().length === 4);
    await killedWhen(["--resume"], () => events("team_resumed") === 1);
    await killedWhen(["--resume"], () => has("completed"));
    const last = place.tool([...start, "--resume"], { env: api.env });
    const said = [(await last.ended).code, last.output()];
    expect([
      said,
      place
        .team()
        .tasks()
        .map(({ status }) => status),
    ]).toEqual([
      [0, expect.anything()],
      ["completed", "completed", "completed", "completed"],
    ]);
    // Of two events with one revision the first was announced by a process that was killed before it changed the list.
    const changes = new Map(
      place
        .team()
        .events()
        .flatMap((event) => ("revision" in event ? [[event.revision, event.kind]] : [])),
    );
    const times = (kind: string) => [...changes.values()].filter((one) => one === kind).length;
    expect([times("task_created"), times("task_completed"), events("team_resumed")]).toEqual([4, 4, 3]);
  });
});

const many = <T>(answer: T): T[] => Array.from({ length: 40 }, () => answer);
const start = ["team", "--print", "--display", "tmux"];
const never = () => gate(text("never")).answer;

function completes(request: RecordedRequest) {
  const id = /hold (task-\d)/.exec(JSON.stringify(request.body.messages))?.[1] ?? "";
  return call("TaskUpdate", { id, status: "completed", summary: `${id} is done.` });
}

/** Completes its task once the resumed team has reported the state of its members: earlier, the list would change during that. */
function completesOnce(isShown: (said: string) => boolean) {
  let said = () => "";
  return {
    answer: async (request: RecordedRequest) => {
      await eventually(() => isShown(said()));
      return completes(request);
    },
    shownBy(resumed: Program): Program {
      said = resumed.output;
      return resumed;
    },
  };
}
