// How the commands of an agent, and of the agents that it starts, are sandboxed, from given facts.
import { expect, it } from "vitest";
import { sandboxOfStarted } from "../../../src/agent/workspace/open-sandbox.ts";
import type { WorkspaceRequest } from "../../../src/agent/workspace/workspace-request.ts";
import type { SandboxFinding } from "../../../src/permissions/policy.ts";

it("an agent without commands says how the commands of its agents are confined", () => {
  const none = { kind: "missing", why: "none" } as const;
  const of = (sandboxFound: SandboxFinding | undefined, sandbox: object = {}) =>
    sandboxOfStarted({ sandboxFound, settings: { effective: { sandbox } } } as WorkspaceRequest);
  expect([of({ kind: "works" }), of(none), of(none, { required: true }), of({ kind: "works" }, { enabled: false }), of(undefined)]).toEqual(
    [{ kind: "active" }, none, { kind: "refused", why: "none" }, { kind: "off" }, { kind: "off" }],
  );
  expect(of({ kind: "uncertain", why: "slow" })).toEqual({ kind: "lost", why: "slow" });
});
