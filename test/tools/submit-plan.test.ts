import { expect, it } from "vitest";
import { policyStore } from "../../src/agent/policy-store.ts";
import { planDesk } from "../../src/agent/workspace/desks.ts";
import type { Ask } from "../../src/permissions/permit.ts";
import { makePolicy, type PermissionMode } from "../../src/permissions/policy.ts";
import type { Answer } from "../../src/permissions/questions/question.ts";
import { submitPlanText, submitPlanTool } from "../../src/tools/submit-plan.ts";

const signal = new AbortController().signal;

async function submitted(answer: Answer | undefined, { plan = "# Split it\n1. …", mode = "plan" as PermissionMode } = {}) {
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", mode }, async (path) => path);
  if (!made.ok) throw new Error(made.reason);
  const store = policyStore(made.policy);
  const plans: unknown[] = [];
  const ask: Ask = async (question) => {
    plans.push(question);
    return answer ?? { kind: "no" };
  };
  const tool = submitPlanTool(planDesk(store, () => answer && ask));
  const { text, isError } = await tool.run({ plan }, { signal });
  return { text, isError, plans: plans.length, mode: store.current.mode };
}

it("an approved plan switches the session to the mode that the user chose", async () => {
  expect([await submitted({ kind: "approve", mode: "default" }), await submitted({ kind: "approve", mode: "acceptEdits" })]).toEqual([
    { text: submitPlanText.approved, isError: false, plans: 1, mode: "default" },
    { text: submitPlanText.approvedEdits, isError: false, plans: 1, mode: "acceptEdits" },
  ]);
});

it("a refused plan leaves the mode as it is, and the model reads why", async () => {
  expect([
    await submitted({ kind: "no", reason: "too large." }),
    await submitted({ kind: "no" }),
    await submitted({ kind: "once" }),
  ]).toEqual([
    { text: `The plan is not approved: too large. ${submitPlanText.again}`, isError: true, plans: 1, mode: "plan" },
    { text: `The plan is not approved. ${submitPlanText.again}`, isError: true, plans: 1, mode: "plan" },
    { text: `The plan is not approved. ${submitPlanText.again}`, isError: true, plans: 1, mode: "plan" },
  ]);
});

it("does not ask without a user, for a blank plan, or if the mode has changed", async () => {
  expect([
    await submitted(undefined),
    await submitted({ kind: "approve", mode: "default" }, { plan: " \n" }),
    await submitted({ kind: "no" }, { mode: "default" }),
  ]).toEqual([
    { text: submitPlanText.nobody, isError: true, plans: 0, mode: "plan" },
    { text: submitPlanText.blank, isError: true, plans: 0, mode: "plan" },
    { text: submitPlanText.notPlanning, isError: false, plans: 0, mode: "default" },
  ]);
});
