import { expect, it } from "vitest";
import { readHooks } from "../../src/settings/hook-settings.ts";

const guard = { type: "command", command: "./guard" };
const beside = { hooks: [guard] };

it("reads what runs, in the order of the events", () => {
  const written = {
    Stop: [beside],
    PreToolUse: [{ matcher: " Edit | Write ", hooks: [{ ...guard, timeout: 0.5, if: "Edit(*.ts)", async: true }] }],
  };
  expect(readHooks(written)).toEqual({
    hooks: [
      { event: "PreToolUse", matcher: "Edit | Write", only: "Edit(*.ts)", command: "./guard", timeoutMs: 500, unwaited: true },
      { event: "Stop", command: "./guard" },
    ],
    leftOut: [],
  });
});

it("limits a time that is too long instead of leaving the hook out, and ignores texts about it", () => {
  const entry = { ...guard, timeout: 60_000, description: "guards", statusMessage: "Checking", once: true };
  expect(readHooks({ Stop: [{ hooks: [entry] }] }).hooks).toEqual([{ event: "Stop", command: "./guard", timeoutMs: 3_600_000 }]);
});

it("runs an entry with an unknown key, which is named", () => {
  const { hooks } = readHooks({ PreToolUse: [{ matchers: "Bash", hooks: [{ ...guard, tiemout: 5 }] }] });
  expect(hooks).toEqual([
    { event: "PreToolUse", command: "./guard", odd: ['"matchers"; did you mean "matcher"', '"tiemout"; did you mean "timeout"'] },
  ]);
});

it.each([
  ["an unknown event", { PreToolUs: [beside] }, 'there is no event of that name here; did you mean "PreToolUse"'],
  ["an event of another product", { WorktreeCreate: [beside] }, "there is no event of that name here"],
  ["an event without a list", { PreToolUse: {} }, "they must be a list"],
  ["a group that is none", { PreToolUse: ["./guard"] }, "it must be an object"],
  ["a group without hooks", { PreToolUse: [{ matcher: "Bash", command: "./guard" }] }, 'its "hooks" is missing'],
  ["an entry that asks a model", { PreToolUse: [{ hooks: [{ type: "prompt", prompt: "Is it safe?" }] }] }, 'its "type" must be "command"'],
  [
    "an entry that asks an address",
    { PreToolUse: [{ hooks: [{ type: "http", url: "http://localhost" }] }] },
    'its "type" must be "command"',
  ],
  ["an empty command", { Stop: [{ hooks: [{ type: "command", command: " " }] }] }, 'its "command" is empty'],
  ["a time that is no number", { Stop: [{ hooks: [{ ...guard, timeout: "10" }] }] }, 'its "timeout" must be a number'],
  ["a time of nothing", { Stop: [{ hooks: [{ ...guard, timeout: 0 }] }] }, 'its "timeout" must be more than 0 seconds'],
  ["another shell", { Stop: [{ hooks: [{ ...guard, shell: "powershell" }] }] }, 'its "shell" must be "bash"'],
  [
    "arguments apart",
    { Stop: [{ hooks: [{ ...guard, args: ["x"] }] }] },
    'its "args" is not known here: write the arguments into the command',
  ],
  [
    "a broken expression",
    { PreToolUse: [{ matcher: "Bash[", hooks: [guard] }] },
    'its matcher "Bash[" is neither names nor a regular expression',
  ],
  ["a condition that is no rule", { PreToolUse: [{ hooks: [{ ...guard, if: "Bash(" }] }] }, 'its "if" "Bash(" is neither names nor'],
  ["a condition where there is no call", { Stop: [{ hooks: [{ ...guard, if: "Bash(rm:*)" }] }] }, '"if" has a meaning only at PreToolUse'],
])("leaves out %s by its name, and the others count", (_title, wrong, why) => {
  const { hooks, leftOut } = readHooks({ ...wrong, SessionEnd: [beside] });
  expect(hooks).toEqual([{ event: "SessionEnd", command: "./guard" }]);
  expect(leftOut).toEqual([expect.objectContaining({ event: Object.keys(wrong)[0], why: expect.stringContaining(why) })]);
});
