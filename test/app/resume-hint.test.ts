import { expect, it } from "vitest";
import { resumeHint } from "../../src/app/resume-hint.ts";

it("names the command that was typed, and the session", () => {
  expect(resumeHint("7f3a", "node /repo/tool.js")).toBe("Resume this session: node /repo/tool.js --resume 7f3a");
});
