// What a place may ask, and what it may make of an answer.
import { expect, it } from "vitest";
import { placeDesk } from "../../../src/app/places/place-desk.ts";
import type { Answer, Question } from "../../../src/permissions/questions/question.ts";

const question = {
  kind: "permission",
  tool: "Bash",
  parts: [{ text: "make", where: "", allowed: false }],
  change: [],
  moreChange: 0,
  reason: "No rule allows it",
  offers: [{ rules: ["Bash(make)"], always: true }],
  file: "/home/me/.tool/settings.json",
};

async function asked(raw: unknown, answer: Answer) {
  const seen: Question[] = [];
  const desk = placeDesk();
  desk.state.ask = async (one) => {
    seen.push(one);
    return answer;
  };
  return { got: await desk.ask!(raw, new AbortController().signal), seen };
}

it("placeDesk() asks what a place asks, without a settings file to write to, and passes on an answer that fits", async () => {
  const { file: _, ...withoutFile } = question;
  expect(await asked(question, { kind: "once" })).toEqual({ got: { kind: "once" }, seen: [withoutFile] });
  expect((await asked(question, { kind: "session", rules: ["Bash(make)"] })).got).toEqual({ kind: "session", rules: ["Bash(make)"] });
});

it.each<[string, unknown, Answer]>([
  ["an answer for always, which would be written there", question, { kind: "always", rules: ["Bash(make)"] }],
  ["an answer with rules that were not offered", question, { kind: "session", rules: ["Bash"] }],
])("placeDesk() passes on no answer for %s", async (_what, raw, answer) => {
  expect((await asked(raw, answer)).got).toBe(undefined);
});

it.each([["text"], [{ kind: "settings" }], [{ ...question, parts: "all" }], [null]])("placeDesk() asks nobody about %j", async (raw) => {
  expect(await asked(raw, { kind: "once" })).toEqual({ got: undefined, seen: [] });
});

it("placeDesk() keeps records of commands that are records, and those that were told stay so", () => {
  const desk = placeDesk();
  const record = { id: "bash-1", agent: "x", command: "make", state: "completed", code: 0, startedAt: "2026-01-01T00:00:00Z", told: false };
  desk.commands!([record, { id: "bash-2" }, "text"]);
  expect(desk.state.commands).toEqual([record]);
  desk.state.commands = [{ ...desk.state.commands[0]!, told: true }];
  desk.commands!([record]);
  expect(desk.state.commands.map(({ told }) => told)).toEqual([true]);
});
