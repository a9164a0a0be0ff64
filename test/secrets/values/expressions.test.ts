import { expect, it } from "vitest";
import { textsOf } from "../../../src/secrets/values/expressions.ts";

it.each([
  [' "a"; x', ["value a"]],
  ['os.environ.get("NAME", "value")', ["made value"]],
  [' a ? "b" : "c"', ["made b", "made c"]],
  ['"a" + "b"', ["value a", "passed b"]],
  ['{ "a": "b" }', ["mapped b"]],
  ['func("x")', ["passed x"]],
  ['process.env.X || "fallback"', ["made fallback"]],
  ['new Secret("x")', ["made x"]],
  ['["a", "b"]', ["passed a", "passed b"]],
  ['other\n"next"', []],
  ['if x == "a"', ["passed a"]],
  [' getenv("X") ?: "y"', ["passed X", "made y"]],
])("textsOf() finds in %j %j", (text, expected) => {
  expect(textsOf(text, 0).map(({ role, start, end }) => `${role} ${text.slice(start, end)}`)).toEqual(expected);
});
