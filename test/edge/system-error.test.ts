// What an error of the operating system means to a caller.
import { expect, it } from "vitest";
import { codeOf, ifPossible, unless } from "../../src/edge/system-error.ts";

const failing = (code: string) => () => {
  throw Object.assign(new Error("no"), { code });
};

it("codeOf() is the code of a system error, and of nothing else", () => {
  expect(codeOf(Object.assign(new Error("no"), { code: "ENOENT" }))).toBe("ENOENT");
  expect([codeOf(new Error("no")), codeOf({ code: "ENOENT" }), codeOf(Object.assign(new Error("no"), { code: 7 }))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("unless() replaces one error only", () => {
  expect([unless("ENOENT", () => 1, 2), unless("ENOENT", failing("ENOENT"), 2)]).toEqual([1, 2]);
  expect(() => unless("ENOENT", failing("EACCES"), 2)).toThrow("no");
});

it("ifPossible() replaces every error by undefined", () => {
  expect([ifPossible(() => 1), ifPossible(failing("EACCES"))]).toEqual([1, undefined]);
});
