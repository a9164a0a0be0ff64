import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { openRequests } from "../../src/board/messages/requests.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { processes } from "../../src/edge/processes/processes.ts";
import { type Answer, answerSchema, type Question, questionSchema } from "../../src/permissions/questions/question.ts";
import { eventually, scratchFolder, start, startProgram } from "../scratch.ts";

const table = processes();
const plan: Question = { kind: "plan", plan: "Do it." };

function requestsIn(folder: string) {
  const lives = (asker: Parameters<typeof table.liveness>[0]) => table.liveness(asker).kind !== "gone";
  return openRequests<Question, Answer>({ disk, clock, lives }, folder, { question: questionSchema, answer: answerSchema });
}

it("of three processes that answer and one that withdraws, exactly one settles each question", async () => {
  const root = scratchFolder();
  const folder = join(root, "requests");
  const names = ["ann", "bo", "cy"];
  mkdirSync(folder);
  const racers = names.map((name) => startProgram("request-racer", { folder, stop: join(root, "stop"), name }));
  const requests = requestsIn(folder);
  const ids: string[] = [];
  for (let round = 0; round < 150; round++) {
    const { id } = requests.open({ name: "ada", process: table.self() }, plan);
    ids.push(id);
    // Every third one is withdrawn at once, while the others compete to answer it.
    if (round % 3 === 0) requests.close(id, "interrupted");
    while (!requests.outcome(id)) await setImmediate();
  }
  writeFileSync(join(root, "stop"), "");
  const ends = await Promise.all(
    racers.map(async (racer) => {
      await racer.ended;
      return JSON.parse(racer.output()) as { won: string[]; lost: number };
    }),
  );

  const winners = Object.fromEntries(names.flatMap((name, index) => ends[index]!.won.map((id) => [id, name])));
  const settledBy = ids.map((id) => {
    const outcome = requests.outcome(id);
    return outcome?.kind === "answered" && outcome.answer.kind === "no" ? outcome.answer.reason : undefined;
  });
  expect(settledBy).toEqual(ids.map((id) => winners[id]));
  expect(ends.flatMap(({ won }) => won).length).toBe(settledBy.filter(Boolean).length);
  expect(ends.filter(({ won }) => won.length > 0).length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(150);
  expect(requests.pending()).toEqual([]);
  const files = readdirSync(folder);
  expect(files.filter((name) => !name.endsWith(".json"))).toEqual([]);
  expect([...new Set(files.map((name) => statSync(join(folder, name)).mode & 0o777))]).toEqual([0o600]);
});

it("any process closes the question of a killed one, and then nobody can answer it", async () => {
  const folder = scratchFolder();
  const asker = start(["sleep", "1000"]);
  const identity = table.identify(asker.pid);
  if (!identity) throw new Error("It does not run");
  const requests = requestsIn(folder);
  const { id } = requests.open({ name: "ada", process: identity }, plan);
  expect(requests.pending().map((request) => request.id)).toEqual([id]);
  asker.child.kill("SIGKILL");
  await asker.ended;
  await eventually(() => requests.pending().length === 0);
  const closed = { kind: "closed", at: expect.any(String), reason: "the process that asked is gone" };
  expect([requests.answer(id, { kind: "approve", mode: "default" }, "lead"), requests.outcome(id)]).toEqual([
    { won: false, outcome: closed },
    closed,
  ]);
});
