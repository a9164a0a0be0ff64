// Messages: when they reach a model, which of them cost a request, and that none is lost or shown twice.
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { textOfResult } from "../../src/agent/ports/model.ts";
import { call, firstThatDoesNotExtend, gate, newest, provider } from "../cast.ts";
import { type RecordedRequest, text } from "../messages-api.ts";
import { eventually } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const print = ["team", "--print", "--display", "in-process", "--allow", "Bash", "Do it."];
const spawn = (name: string) => call("SpawnTeammate", { name });
const create = (title: string, assignee?: string) => call("TaskCreate", { title, assignee });
const completed = (id: string) => call("TaskUpdate", { id, status: "completed", summary: "Done." });
const write = (to: string, words: string) => call("SendMessage", { to, text: words });

it("a message is read during a turn, wakes an idle member once, and costs no other request", async () => {
  const place = teamPlace();
  const busy = gate(call("Bash", { command: "echo one" }));
  const asks = gate(write("ada", "Which folder has the tests?"));
  const waits = gate(text("I wait for ada."));
  const api = await provider({
    lead: [[spawn("ada"), spawn("bo"), create("One", "ada"), create("Two", "bo")], text("Both are at work."), text("Reported.")],
    ada: [[completed("task-1")], text("Done."), text("Noted."), text("The tests are in test/.")],
    bo: [busy.answer, asks.answer, waits.answer, [completed("task-2")], text("Done.")],
  });
  const run = place.tool(print, { env: api.env });
  const counts = () => ["lead", "ada", "bo"].map((agent) => api.requests(agent).length).join();

  // A message to a busy member arrives between its tool calls.
  await eventually(() => counts() === "2,2,1" && isIdle(place, "ada"));
  await say(place, "bo", "Mind the umlauts.");
  busy.open();
  await eventually(() => counts() === "2,2,2");
  expect(newestBlocks(api.requests("bo")[1])).toEqual(["one", '<message from="user">\nMind the umlauts.\n</message>']);

  // A message to an idle member causes one request, and none by anybody else.
  await say(place, "ada", "By the way: the office closes at six.");
  await eventually(() => counts() === "2,3,2" && isIdle(place, "ada"));

  // A question that the model answers with text alone: the text is sent.
  asks.open();
  await eventually(() =>
    place
      .team()
      .events()
      .some((event) => event.kind === "message_sent" && event.by === "ada" && event.to === "bo"),
  );
  waits.open();
  await eventually(() => counts() === "2,4,4" || counts() === "3,4,5");
  expect(newestBlocks(api.requests("bo")[3])).toEqual(['<message from="ada">\nThe tests are in test/.\n</message>']);

  // Claims, completions and waiting have cost no request.
  expect([(await run.ended).code, counts()]).toEqual([0, "3,4,5"]);
  const agents = ["lead", "ada", "bo"];
  expect(agents.map((agent) => firstThatDoesNotExtend(api.requests(agent)))).toEqual(agents.map(() => undefined));
  const firstRequests = agents.map((agent) => api.requests(agent)[0]?.body);
  const bytes = firstRequests.map((body) => Buffer.byteLength(JSON.stringify([body?.system, body?.tools])));
  expect(bytes.map((size) => size > 0 && size < 10_000)).toEqual(agents.map(() => true));
});

it("mail that a killed teammate had taken is shown once: again only if its transcript lacks it", async () => {
  const place = teamPlace();
  const mailbox = (folder: string) => join(place.team().folder, "mailbox/ada", folder);
  const moveAll = (from: string, to: string) => {
    for (const file of readdirSync(mailbox(from))) renameSync(join(mailbox(from), file), join(mailbox(to), file));
  };
  const never = gate(text("never")).answer;
  const api = await provider({
    lead: [[create("Only task"), spawn("ada")], text("ada is at work."), text("Reported.")],
    ada: [never, never, never, [completed("task-1")], text("Done.")],
  });
  const run = place.tool(print, { env: api.env });
  const words = "Mind the umlauts.";

  // Killed after taking the message, before writing it down.
  await eventually(() => api.requests("ada").length >= 1);
  const first = place.team().status("ada")?.pid ?? 0;
  process.kill(first, "SIGSTOP");
  await say(place, "ada", words);
  moveAll("new", "cur");
  process.kill(first, "SIGKILL");
  await eventually(() => api.requests("ada").length >= 2);
  expect(newest(api.requests("ada")[1]).split(words).length - 1).toBe(1);

  // Killed after writing the message down, before moving its file.
  const second = place.team().status("ada")?.pid ?? 0;
  process.kill(second, "SIGSTOP");
  moveAll("done", "cur");
  process.kill(second, "SIGKILL");
  await eventually(() => api.requests("ada").length >= 3);

  // A power cut that undid every move of the message's file, but nothing in the transcript.
  const third = place.team().status("ada")?.pid ?? 0;
  process.kill(third, "SIGSTOP");
  moveAll("done", "new");
  process.kill(third, "SIGKILL");
  expect((await run.ended).code).toBe(0);
  expect(JSON.stringify(api.requests("ada").at(-1)?.body).split(words).length - 1).toBe(1);
  expect(
    place
      .team()
      .transcript("ada")
      .filter((event) => JSON.stringify(event).includes(words)).length,
  ).toBe(1);
  expect(["new", "cur", "done"].map((folder) => readdirSync(mailbox(folder)).filter((file) => file.includes("-user-")).length)).toEqual([
    0, 0, 1,
  ]);
  expect(firstThatDoesNotExtend(api.requests("ada"))).toBeUndefined();
});

/** Texts and results of the last message, in order. */
function newestBlocks(request: RecordedRequest | undefined): string[] {
  return (request?.body.messages.at(-1)?.content ?? []).map((block) =>
    block.type === "text" ? block.text : block.type === "tool_result" ? textOfResult(block.content) : block.type,
  );
}

function isIdle(place: Place, name: string): boolean {
  return place.team().status(name)?.state === "idle";
}

async function say(place: Place, to: string, words: string): Promise<void> {
  const run = place.warm(["team", "send", to, words]);
  expect([(await run.ended).code, run.output()]).toEqual([0, expect.any(String)]);
}
