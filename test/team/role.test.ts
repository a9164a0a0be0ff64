// Which permissions and tools a role leaves a teammate, and what the team record must say of it.
import { expect, it } from "vitest";
import { recordedRole, roleLimits } from "../../src/team/role.ts";

const role = { name: "reviewer", prompt: "Look.", disallowedTools: [], skills: [] };

it("gives the tools that it names, plus the task list, messages and plans", () => {
  expect(roleLimits({ ...role, tools: ["Read", "Bash(npm test)"] })).toEqual({
    tools: ["Read", "Bash(npm test)", "TaskUpdate", "TaskGet", "TaskList", "SendMessage", "SubmitPlan"],
    disallowedTools: [],
  });
});

it("removes the tools that it disallows, except the task list and messages, and applies its mode", () => {
  const limits = roleLimits({ ...role, disallowedTools: ["Write", " SendMessage", "SubmitPlan"], permissionMode: "plan" });
  expect(limits).toEqual({ disallowedTools: ["Write"], mode: "plan" });
});

it("with skills has the tool that reads them", () => {
  expect(roleLimits({ ...role, tools: [], skills: ["dates"] }).tools).toContain("Skill");
});

it("is what the record says, without a file", () => {
  expect(recordedRole({ name: "ada", definition: { ...role, tools: ["Read"] } })).toEqual({ ok: true, role: { ...role, tools: ["Read"] } });
  expect(recordedRole({ name: "ada", definition: undefined })).toEqual({ ok: true, role: undefined });
});

it("is refused if the record is incomplete: the teammate would have other rights", () => {
  expect(recordedRole({ name: "ada", definition: { ...role, disallowedTools: "Write" } as never })).toEqual({
    ok: false,
    reason: expect.stringMatching(
      /^Cannot start "ada": the role "reviewer" in the team record cannot be read: "disallowedTools" must be a list\. Start another teammate with that role\.$/,
    ),
  });
});
