// In which order several teammates that are asked for at once begin to start.
import { expect, it } from "vitest";
import { startTurns } from "../../../src/team/lead/start-turns.ts";

it("as many begin at once as there are cores, and each later one when one before it has started", async () => {
  const { asked, begun, end } = starts(2);
  asked("ada", "bo", "cy", "di");
  await settled();
  expect(begun).toEqual(["ada", "bo"]);
  end("bo");
  await settled();
  expect(begun).toEqual(["ada", "bo", "cy"]);
  end("ada");
  await settled();
  expect(begun).toEqual(["ada", "bo", "cy", "di"]);
});

it("a start that hangs keeps each of the next ones only for a while", async () => {
  const { asked, begun, passTurn } = starts(1);
  asked("ada", "bo", "cy");
  await settled();
  passTurn();
  await settled();
  expect(begun).toEqual(["ada", "bo"]);
  passTurn();
  await settled();
  expect(begun).toEqual(["ada", "bo", "cy"]);
});

it("a start that fails makes room like any other, and its caller gets the error", async () => {
  const inTurn = startTurns({ atOnce: 1, clock: { sleep: () => new Promise(() => {}) } });
  const failed = inTurn(() => Promise.reject(new Error("no pane")));
  await expect(failed).rejects.toThrow("no pane");
  expect(await inTurn(async () => "started")).toBe("started");
});

/** Starts that last until `end`; `passTurn`: the longest time of a turn has passed. */
function starts(atOnce: number) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let passTurn = () => {};
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => resolve());
      passTurn = resolve;
    });
  const inTurn = startTurns({ atOnce, clock: { sleep } });
  const start = (name: string) =>
    inTurn(() => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return {
    begun,
    asked: (...names: string[]) => void names.map(start),
    end: (name: string) => ends.get(name)?.(),
    passTurn: () => passTurn(),
  };
}

const settled = () => new Promise(setImmediate);
