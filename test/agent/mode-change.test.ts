import { describe, expect, it } from "vitest";
import { changedMode, nextMode } from "../../src/agent/mode-change.ts";
import { type PermissionMode, permissionModes } from "../../src/permissions/policy.ts";
import { mergeSettings } from "../../src/settings/scopes.ts";

/** The modes in the order in which the key changes them, until it has no effect. */
function modesFrom(from: PermissionMode, managed?: PermissionMode): string[] {
  const seen: PermissionMode[] = [from];
  for (let next = nextMode(from, managed); next.ok && seen.length < 5; next = nextMode(next.mode, managed)) seen.push(next.mode);
  return seen;
}

describe("nextMode()", () => {
  it("goes from default to acceptEdits to plan and back", () => {
    expect(modesFrom("default")).toEqual(["default", "acceptEdits", "plan", "default", "acceptEdits"]);
  });

  it("never reaches the mode without questions, and leaves it for default", () => {
    expect(modesFrom("bypassPermissions")).toEqual(["bypassPermissions", "default", "acceptEdits", "plan", "default"]);
    expect(modesFrom("dontAsk").slice(0, 2)).toEqual(["dontAsk", "default"]);
    expect(modesFrom("default", "bypassPermissions")).not.toContain("bypassPermissions");
  });

  it("is never laxer than the managed settings", () => {
    expect(modesFrom("default", "default")).toEqual(["default", "plan", "default", "plan", "default"]);
    expect(nextMode("plan", "plan")).toEqual({ ok: false, reason: "The mode stays plan: the managed settings allow no other." });
  });
});

describe("changedMode()", () => {
  it("says which mode was probably meant", () => {
    const reason =
      'Cannot change to the mode "acceptedits": the modes of a session are default, acceptEdits, plan. Did you mean acceptEdits?';
    expect(changedMode("acceptedits", undefined)).toEqual({ ok: false, reason });
  });

  it("takes the three by name, within the managed limit", () => {
    expect(changedMode("acceptEdits", undefined)).toEqual({ ok: true, mode: "acceptEdits" });
    expect(changedMode("plan", "default")).toEqual({ ok: true, mode: "plan" });
    expect(changedMode("acceptEdits", "default")).toEqual({
      ok: false,
      reason: "Cannot change to the mode acceptEdits: the managed settings set default, and it can only be made stricter.",
    });
    const others = permissionModes.filter((mode) => !["default", "acceptEdits", "plan"].includes(mode));
    expect(others.map((mode) => changedMode(mode, undefined).ok)).toEqual([false, false]);
  });
});

it("the settings say which mode is managed, and no other scope's mode is", () => {
  const given = (scope: "managed" | "user") => [{ scope, settings: { permissions: { defaultMode: "default" as const } }, folder: "/" }];
  const trust = { trusted: true, home: "/" };
  expect(mergeSettings(given("managed"), trust).managedMode).toBe("default");
  expect(mergeSettings(given("user"), trust).managedMode).toBeUndefined();
});
