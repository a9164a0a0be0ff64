import { expect, it } from "vitest";
import { namedSession } from "../../../src/app/session/open-session.ts";

const sessions = ["aa11", "aa22", "bb33"].map((id) => ({ id, changedAt: new Date(0), turns: 1, prompt: "" }));

it("finds a session by the beginning of its id, or names the command that lists them", () => {
  expect(namedSession(sessions, "bb", "/resume")).toBe("bb33");
  const refused = (wanted: string) => () => namedSession(sessions, wanted, "/resume");
  expect(refused("nope")).toThrow('cannot resume "nope": no session of this folder has it. To list them: /resume');
  expect(refused("aa")).toThrow('cannot resume "aa": 2 sessions of this folder start with it. To list them: /resume');
});
