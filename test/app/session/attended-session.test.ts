import { expect, it } from "vitest";
import { resumeHint } from "../../../src/app/session/attended-session.ts";

it.each([
  [{}, "Resume this session: tool --resume 7f3a"],
  [{ script: "demo.yaml" }, "Resume this session: tool --script demo.yaml --resume 7f3a"],
  [{ script: "my scripts/a.yaml" }, "Resume this session: tool --script 'my scripts/a.yaml' --resume 7f3a"],
])("a session says how to resume it with the same model or script: %j", async (flags, expected) => {
  expect(await resumeHint("7f3a", "tool", flags)).toBe(expected);
});
