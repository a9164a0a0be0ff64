import { expect, it } from "vitest";
import { beginningOfLine, jsonLines } from "../../../src/agent/session/json-lines.ts";

it("a line that was torn by a kill is left out, and the next one begins on its own", () => {
  const torn = '{"n":1}\n{"n":';
  const whole = `${torn}${beginningOfLine(Buffer.from(torn))}{"n":3}\n`;
  expect(jsonLines(whole)).toEqual([{ n: 1 }, { n: 3 }]);
  expect([undefined, Buffer.from(""), Buffer.from(whole)].map(beginningOfLine)).toEqual(["", "", ""]);
});
