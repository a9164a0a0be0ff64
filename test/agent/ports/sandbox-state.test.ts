import { describe, expect, it } from "vitest";
import { openingState, stateAfterTrial, underSettings } from "../../../src/agent/ports/sandbox-state.ts";
import { sandboxNotice } from "../../../src/app/settings/sandbox-here.ts";
import type { SandboxFinding } from "../../../src/permissions/policy.ts";

const works: SandboxFinding = { kind: "works" };
const missing: SandboxFinding = { kind: "missing", why: "bwrap was not found on PATH" };
const uncertain: SandboxFinding = { kind: "uncertain", why: "bwrap did not end within its time" };

describe("stateAfterTrial()", () => {
  it.each([
    ["the first process", undefined, ["active", "missing", "lost"]],
    ["a teammate of a lead that has one", works, ["active", "lost", "lost"]],
    ["a teammate of a lead that has none", missing, ["active", "missing", "lost"]],
    ["a teammate of a lead that could not tell", uncertain, ["active", "lost", "lost"]],
  ] as const)("of %s", (_, first, expected) => {
    expect([works, missing, uncertain].map((trial) => stateAfterTrial(trial, first).kind)).toEqual(expected);
  });
});

it("underSettings() refuses commands if a sandbox is required and missing", () => {
  const states = [{ kind: "active" }, { kind: "missing", why: "w" }, { kind: "lost", why: "w" }] as const;
  expect(states.map((state) => underSettings(state, { required: true }).kind)).toEqual(["active", "refused", "refused"]);
  expect(states.map((state) => underSettings(state, {}).kind)).toEqual(["active", "missing", "lost"]);
});

it("sandboxNotice() says what is missing and what follows, and nothing if all is as the user chose", () => {
  const said = (setting: { enabled?: boolean; required?: boolean }, trial: SandboxFinding) =>
    sandboxNotice(openingState(setting, trial), "tool doctor");
  expect([said({}, works), said({ enabled: false }, missing)]).toEqual([undefined, undefined]);
  expect(said({}, missing)).toMatch(
    /^Commands run without a sandbox: bwrap was not found on PATH\. Each that does more .* tool doctor says more\.$/,
  );
  expect(said({}, uncertain)).toMatch(/You are asked for every command\.$/);
  expect(said({ required: true }, missing)).toMatch(/^No command runs/);
});
