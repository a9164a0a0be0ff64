import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { askerWords, openRequests } from "../../../src/board/messages/requests.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { scratchFolder } from "../../scratch.ts";

const identity = { machine: "m", boot: "b", namespace: "n", pid: 7, start: "1" };
const ada = { name: "ada", process: identity };

/** Each reading of the clock adds one millisecond; the random source repeats one id several times, then gives another. */
function somewhere(folder = scratchFolder()) {
  let ms = 0;
  let draws = 0;
  const clock = { now: () => new Date(ms++), random: () => (draws++ < 26 ? 0.5 : (draws % 36) / 36) };
  const gone = new Set<number>();
  const schemas = { question: z.string(), answer: z.string() };
  const requests = openRequests({ disk, clock, lives: ({ pid }) => !gone.has(pid) }, folder, schemas);
  return { requests, folder, gone };
}

it("keeps questions until they are answered, oldest first; the first answer stays", () => {
  const { requests } = somewhere();
  const [first, second] = [requests.open(ada, "one?"), requests.open({ ...ada, name: "bo" }, "two?")];
  expect(requests.pending()).toEqual([first, second]);
  expect(first).toEqual({ id: "ada-iiiii", from: "ada", process: identity, asked_at: expect.any(String), question: "one?" });

  const won = requests.answer(first.id, "yes", "pane");
  const given = { kind: "answered", by: "pane", at: expect.any(String), answer: "yes" };
  expect(won).toEqual({ won: true, outcome: given });
  expect(requests.answer(first.id, "no", "lead")).toEqual({ won: false, outcome: won?.outcome });
  requests.close(first.id, "too late");
  expect([requests.outcome(first.id), requests.pending()]).toEqual([given, [second]]);
});

it("says which agent of a member asks", () => {
  const { requests } = somewhere();
  requests.open(ada, "one?");
  requests.open({ ...ada, agent: "scout" }, "two?");
  expect(requests.pending().map(askerWords)).toEqual(["ada", "agent scout of ada"]);
});

it("refuses an answer to a closed or unknown question", () => {
  const { requests } = somewhere();
  const { id } = requests.open(ada, "one?");
  requests.close(id, "interrupted");
  const closed = { kind: "closed", at: expect.any(String), reason: "interrupted" };
  expect([requests.answer(id, "yes", "lead"), requests.outcome(id), requests.pending()]).toEqual([
    { won: false, outcome: closed },
    closed,
    [],
  ]);
  expect(["nobody-1", `../requests/${id}`, "", ".."].map((other) => requests.answer(other, "yes", "lead"))).toEqual(
    Array(4).fill(undefined),
  );
});

it("chooses another id if one is taken", () => {
  const { requests } = somewhere();
  const ids = [requests.open(ada, "one?").id, requests.open(ada, "two?").id];
  expect(new Set(ids).size).toBe(2);
});

it("closes questions of a process that has ended", () => {
  const { requests, gone } = somewhere();
  const { id } = requests.open(ada, "one?");
  const other = requests.open({ name: "bo", process: { ...identity, pid: 8 } }, "two?");
  gone.add(7);
  expect([requests.pending(), requests.outcome(id)]).toEqual([
    [other],
    { kind: "closed", at: expect.any(String), reason: "the process that asked is gone" },
  ]);
});

it("skips files that are not questions, and treats a missing folder as empty", () => {
  const { requests, folder } = somewhere();
  writeFileSync(join(folder, "torn.json"), '{"id":');
  writeFileSync(join(folder, "other.json"), '{"id":"other","question":7}');
  writeFileSync(join(folder, "note.txt"), "x");
  const { id } = requests.open(ada, "one?");
  writeFileSync(join(folder, `${id}.answer.json`), "{}");
  expect([requests.pending(), requests.outcome(id)]).toEqual([[], { kind: "closed", at: "", reason: "its answer file cannot be read" }]);
  expect(somewhere(join(folder, "none")).requests.pending()).toEqual([]);
});

it("knows an ended member's unanswered questions, even after they were closed", () => {
  const { requests, gone } = somewhere();
  const other = { ...ada, process: { ...identity, pid: 8 } };
  const [, answered, closed] = ["open?", "answered?", "closed?"].map((question) => requests.open(ada, question));
  requests.open({ ...ada, name: "ada-2" }, "another's?");
  requests.open(other, "of a living process?");
  requests.answer(answered?.id ?? "", "yes", "pane");
  requests.close(closed?.id ?? "", "interrupted");
  expect(requests.unanswered("ada")).toEqual([]);
  gone.add(7);
  expect(requests.unanswered("ada")).toEqual(["open?"]);
  requests.pending(); // closes requests that nobody can answer any more
  expect([requests.pending().map(({ question }) => question), requests.unanswered("ada")]).toEqual([["of a living process?"], ["open?"]]);
});
