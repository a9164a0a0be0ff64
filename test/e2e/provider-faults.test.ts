// Faults of a provider, for the lead and for a teammate: retried where that helps, reported where it does not, and no call ever runs from
// an incomplete message.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, firstThatDoesNotExtend, newest, provider } from "../cast.ts";
import { refusal, type Stream, streamed, text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

const print = ["team", "--print", "--display", "in-process", "--allow", "Bash", "--allow", "Edit", "Do it."];
const create = call("TaskCreate", { title: "Only task" });
const spawn = call("SpawnTeammate", { name: "ada" });
const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." });
const bash = (command: string) => call("Bash", { command });
const keyRefused = refusal(401, "authentication_error", "invalid x-api-key");

it("429 with retry-after, 529, 500 and cut streams are tried again; tool calls run once, and only from whole messages", async () => {
  const place = teamPlace();
  const api = await provider({
    lead: [
      refusal(429, "rate_limit_error", "slow down", { "retry-after": "1" }),
      cut([create, spawn]),
      [create, spawn],
      refusal(500, "api_error", "internal"),
      cut([text("ada is at work.")]),
      text("ada is at work."),
      refusal(529, "overloaded_error", "overloaded"),
      text("Reported."),
    ],
    ada: [
      refusal(529, "overloaded_error", "overloaded"),
      cut([text("I run two."), bash("echo half >> runs"), bash("echo half >> runs")]),
      { hangUp: true },
      [text("I run one."), bash("echo whole >> runs")],
      refusal(500, "api_error", "internal"),
      [completed],
      { ...streamed([text("Done.")]), endAfter: 200 },
      text("Done."),
    ],
  });
  const run = place.warm(print, { env: api.env });
  expect((await run.ended).code).toBe(0);
  expect(readFileSync(join(place.repository, "runs"), "utf8")).toBe("whole\n");
  expect(place.team().tasks().length).toBe(1);
  expect([api.requests("lead").length, api.requests("ada").length]).toEqual([8, 8]);
  const [first, second] = api.requests("lead");
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  expect(["lead", "ada"].map((agent) => firstThatDoesNotExtend(api.requests(agent)))).toEqual([undefined, undefined]);
});

it("a refused key is not tried again: a lead's ends the team, a teammate's blocks its task, with the sentence that says whose key", async () => {
  const place = teamPlace();
  const said = "Key refused (401): invalid x-api-key. The key came from ANTHROPIC_API_KEY.";
  const [forLead, forAda] = await Promise.all([
    provider({ lead: [keyRefused] }),
    provider({ lead: [[create, spawn], text("ada is at work."), text("I cannot help that."), text("Nor now.")], ada: [keyRefused] }),
  ]);
  const runs = [forLead, forAda].map(({ env }) => place.warm(print, { env }));
  expect((await Promise.all(runs.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([1, 1]);
  expect([forLead.requests("lead").length, forAda.requests("ada").length]).toEqual([1, 1]);
  expect(runs[0]?.output()).toContain(`✗ ${said}\n`);
  expect(runs[1]?.output()).toContain(`task-1 blocked (ada): ${said}\n`);
  expect(newest(forAda.requests("lead")[2])).toContain(`task-1 (Only task) is blocked: ${said} It is still assigned to ada.`);
});

/** The connection breaks in the middle of the reply's last piece. */
function cut(content: Parameters<typeof streamed>[0]): Stream {
  const whole = streamed(content);
  return { ...whole, cutAfter: whole.bytes.lastIndexOf("content_block_delta") };
}
