import { describe, expect, it } from "vitest";
import { readOutput, unknownKey } from "../../src/hooks/output.ts";

const read = (value: unknown) => readOutput(JSON.stringify(value));
const output = (value: unknown) => {
  const answer = read(value);
  return answer.ok ? answer.output : answer;
};

describe("readOutput()", () => {
  it.each(["", " \n"])("reads %j as no decision", (text) => expect(readOutput(text)).toEqual({ ok: true, output: {}, unknown: [] }));

  it.each([
    ["allow", "allow"],
    ["ask", "ask"],
    ["deny", "deny"],
    ["block", "deny"],
    ["approve", "allow"],
  ])('reads the decision "%s" as "%s"', (said, meant) => expect(output({ decision: said })).toEqual({ decision: meant }));

  it("understands the names of other products, nested ones too", () => {
    const hookSpecificOutput = {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "no",
      updatedInput: {},
    };
    expect(output({ hookSpecificOutput })).toEqual({ decision: "deny", reason: "no", updated_input: {} });
    expect(output({ additionalContext: "note" })).toEqual({ additional_context: "note" });
  });

  it("does not let another spelling weaken a refusal", () => {
    expect(output({ decision: "allow", hookSpecificOutput: { permissionDecision: "deny" } })).toEqual({ decision: "deny" });
  });

  it("names the keys without a meaning and keeps the others", () => {
    expect(read({ decision: "deny", decison: "allow", suppress: true })).toEqual({
      ok: true,
      output: { decision: "deny" },
      unknown: ["decison", "suppress"],
    });
  });

  it.each(["deny", "[]", "null", "3", '{"decision":"perhaps"}', '{"updated_input":[1]}', '{"reason":1}'])("refuses %s", (text) =>
    expect(readOutput(text)).toMatchObject({ ok: false, reason: expect.stringMatching(/\S/) }),
  );
});

it("unknownKey() suggests the key that was probably meant", () => {
  expect(unknownKey("decison")).toContain('"decision"');
  expect(unknownKey("colour")).toBe('"colour"');
});
