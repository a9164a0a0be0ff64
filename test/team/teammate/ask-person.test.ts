import { join } from "node:path";
import { expect, it } from "vitest";
import { waker } from "../../../src/app/waker.ts";
import { openRequests } from "../../../src/board/messages/requests.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { type Answer, answerSchema, type Question, questionSchema } from "../../../src/permissions/questions/question.ts";
import { othersQuestions } from "../../../src/team/lead/others-questions.ts";
import { answerFor, askPerson, type PersonRequests } from "../../../src/team/teammate/ask-person.ts";
import { settledBy } from "../../../src/wording/question-words.ts";
import { scratchFolder } from "../../scratch.ts";

const question: Question = {
  kind: "permission",
  tool: "Bash",
  parts: [{ text: "npm publish", where: "", allowed: false }],
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  offers: [{ rules: ["Bash(npm publish)"], always: true }],
  file: ".tool/settings.local.json",
};
const from = { name: "ada", process: { machine: "m", boot: "b", namespace: "n", pid: 7, start: "1" } };

/** A screen that shows one question at a time, answered by a call. */
function screen() {
  const shown: { question: Question; answer: (answer: Answer | undefined) => void; gone: boolean }[] = [];
  const put = (asked: Question, signal: AbortSignal) =>
    new Promise<Answer | undefined>((resolve) => {
      const here = { question: asked, answer: resolve, gone: false };
      shown.push(here);
      signal.addEventListener("abort", () => {
        here.gone = true;
        resolve(undefined);
      });
    });
  return { shown, put };
}

function team() {
  let draws = 0;
  const clock = { now: () => new Date(), random: () => (draws++ % 36) / 36 };
  const requests: PersonRequests = openRequests({ disk, clock, lives: () => true }, join(scratchFolder(), "requests"), {
    question: questionSchema,
    answer: answerSchema,
  });
  const wake = waker();
  const [adas, leads] = [screen(), screen()];
  const said: string[] = [];
  const ask = askPerson({
    requests,
    from,
    own: adas.put,
    changed: wake.next,
    onStop: () => said.push("stopped"),
    onAnsweredElsewhere: (text) => said.push(`ada's pane: ${text}`),
  });
  const lead = othersQuestions({
    requests,
    put: (request, signal) => leads.put(request.question, signal),
    keepForTeam: async () => {},
    say: (asker, text) => said.push(`lead's pane: ${asker} ${text}`),
    onFault: (error) => said.push(String(error)),
  });
  /** What the watch of the folder calls. */
  const look = async () => {
    lead.refresh();
    wake.notify();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { requests, adas, leads, lead, said, ask, look };
}

const signal = new AbortController().signal;

it("answered in its own pane, it closes at the lead's", async () => {
  const { adas, leads, lead, said, ask, look } = team();
  const asked = ask(question, signal);
  await look();
  expect([adas.shown.map((here) => here.question), leads.shown.map((here) => here.question), lead.askers()]).toEqual([
    [question],
    [question],
    [{ name: "ada", aside: false }],
  ]);
  adas.shown[0]?.answer({ kind: "session", rules: ["Bash(npm publish)"] });
  expect(await asked).toEqual({ kind: "session", rules: ["Bash(npm publish)"] });
  await look();
  expect([leads.shown[0]?.gone, lead.askers(), said]).toEqual([
    true,
    [],
    ["lead's pane: ada answered in ada's pane: allowed for this session: Bash(npm publish)"],
  ]);
});

it("answered at the lead's, it closes in its own pane", async () => {
  const { adas, leads, said, ask, look } = team();
  const asked = ask(question, signal);
  await look();
  leads.shown[0]?.answer({ kind: "no", reason: "not today" });
  await look();
  expect(await asked).toEqual({ kind: "no", reason: "not today" });
  expect([adas.shown[0]?.gone, said]).toEqual([
    true,
    ["lead's pane: ada no: not today", "ada's pane: answered at the lead: no: not today"],
  ]);
});

it("a grant for the team is not reported again in the asker's name, because it is printed with its revocation", async () => {
  const { leads, said, ask, look } = team();
  const asked = ask({ ...question, team: true }, signal);
  await look();
  leads.shown[0]?.answer({ kind: "team", rules: ["Bash(npm publish)"] });
  await look();
  expect(await asked).toEqual({ kind: "team", rules: ["Bash(npm publish)"] });
  expect(said.filter((text) => text.startsWith("lead's pane"))).toEqual([]);
});

it("a no to all open questions stops the turn, wherever it was given", async () => {
  const { leads, said, ask, look } = team();
  const asked = ask(question, signal);
  await look();
  leads.shown[0]?.answer({ kind: "no", stop: true });
  await look();
  expect(await asked).toEqual({ kind: "no", stop: true });
  expect(said).toEqual([
    "lead's pane: ada no to all, and the turn was stopped",
    "ada's pane: answered at the lead: no to all, and the turn was stopped",
    "stopped",
  ]);
});

it("answered by a command, it closes in both", async () => {
  const { requests, adas, leads, said, ask, look } = team();
  const asked = ask(question, signal);
  await look();
  requests.answer(requests.pending()[0]?.id ?? "", { kind: "once" }, "command");
  await look();
  expect(await asked).toEqual({ kind: "once" });
  expect([adas.shown[0]?.gone, leads.shown[0]?.gone, said]).toEqual([
    true,
    true,
    ["lead's pane: ada answered from a shell: allowed once", "ada's pane: answered from a shell: allowed once"],
  ]);
});

it("put aside at the lead's, it stays open elsewhere, and is told when it is answered", async () => {
  const { adas, leads, lead, said, ask, look } = team();
  const asked = ask(question, signal);
  await look();
  leads.shown[0]?.answer(undefined);
  await look();
  expect([leads.shown.length, lead.askers()]).toEqual([1, [{ name: "ada", aside: true }]]);
  adas.shown[0]?.answer({ kind: "once" });
  expect(await asked).toEqual({ kind: "once" });
  await look();
  expect([lead.askers(), said]).toEqual([[], ["lead's pane: ada answered in ada's pane: allowed once"]]);
});

it("of two answers at the same moment the first is valid everywhere", async () => {
  const { adas, leads, said, ask, look } = team();
  const asked = ask(question, signal);
  await look();
  adas.shown[0]?.answer({ kind: "once" });
  leads.shown[0]?.answer({ kind: "no" });
  expect(await asked).toEqual({ kind: "once" });
  await look();
  expect(said).toEqual(["lead's pane: ada answered in ada's pane: allowed once"]);
});

it("ends with the call: interrupted, it closes everywhere, and no answer comes after that", async () => {
  const { requests, adas, leads, said, ask, look } = team();
  const call = new AbortController();
  const asked = ask(question, call.signal);
  await look();
  const id = requests.pending()[0]?.id ?? "";
  call.abort();
  expect(await asked).toBeUndefined();
  expect(requests.answer(id, { kind: "once" }, "command")?.won).toBe(false);
  await look();
  expect([adas.shown[0]?.gone, leads.shown[0]?.gone, said]).toEqual([
    true,
    true,
    ["lead's pane: ada the question is gone: the call was interrupted"],
  ]);
});

it("an answer with a rule that was not offered is ignored", async () => {
  const { requests, ask, look } = team();
  const asked = ask(question, signal);
  await look();
  requests.answer(requests.pending()[0]?.id ?? "", { kind: "session", rules: ["Bash"] }, "command");
  await look();
  expect(await asked).toBeUndefined();
});

it("a failing screen closes the question, and the error is reported", async () => {
  const { requests } = team();
  const ask = askPerson({
    requests,
    from,
    own: async () => {
      throw new Error("the screen is gone");
    },
    changed: waker().next,
    onStop: () => {},
    onAnsweredElsewhere: () => {},
  });
  await expect(ask(question, signal)).rejects.toThrow("the screen is gone");
  expect(requests.pending()).toEqual([]);
});

it("an answer for the team whose grant settles the question first has succeeded; any other that is too late has not", async () => {
  const { requests } = team();
  const settling = (reason: string) => async (answer: Answer) => {
    const { id } = requests.open(from, question);
    const keepForTeam = async () => requests.close(id, reason); // as the asking process does when it reads the grant
    return (await answerFor({ requests, keepForTeam }, { id, answer, by: "command" }))?.won;
  };
  const forTeam: Answer = { kind: "team", rules: ["Bash(npm publish)"] };
  expect([
    await settling(settledBy({ rule: "Bash(npm publish)", reason: "" }))(forTeam),
    await settling(settledBy({ rule: "Bash(npm publish)", reason: "" }))({ kind: "sandbox", for: "team" }),
    await settling(settledBy({ rule: "Bash(npm publish)", reason: "" }))({ kind: "once" }),
    await settling("the call was interrupted")(forTeam),
  ]).toEqual([true, true, false, false]);
});
