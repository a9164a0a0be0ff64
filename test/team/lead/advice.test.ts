import { expect, it } from "vitest";
import { sizeAdvice } from "../../../src/team/lead/advice.ts";

it("says what a team of each size costs, and warns of one, of more than four and of eight", () => {
  const advice = [undefined, 1, 2, 4, 5, 7, 8, 20].map((teammates) => [teammates, ...sizeAdvice(teammates)]);
  const cost = (team: string) => `Each agent keeps its own context: ${team} times one agent's tokens.`;
  const many = "With more than 4 teammates, waiting for each other grows faster than the work done: 2 to 4 are recommended.";
  const most = "8 or more teammates cost more coordination than they save: 2 to 4 are recommended.";
  expect(advice).toEqual([
    [undefined, cost("a team of 4 may use about 4")],
    [
      1,
      cost("1 teammate and a lead may use about 2"),
      "A team of one teammate works mostly one task after the other: a single session does the same for less.",
    ],
    [2, cost("2 teammates and a lead may use about 3")],
    [4, cost("4 teammates and a lead may use about 5")],
    [5, cost("5 teammates and a lead may use about 6"), many],
    [7, cost("7 teammates and a lead may use about 8"), many],
    [8, cost("8 teammates and a lead may use about 9"), most],
    [20, cost("20 teammates and a lead may use about 21"), most],
  ]);
});
