import { expect, it } from "vitest";
import { modeChanged } from "../../src/agent/environment.ts";

it("the mode plan is told by what the agent has for a plan, so that its tools need not change", () => {
  expect([modeChanged("plan", { submitsPlans: true }), modeChanged("plan", { submitsPlans: false })].map(({ text }) => text)).toEqual([
    "The person changed the mode to plan: look only, and submit a plan before anything is changed.",
    "The person changed the mode to plan: look only; end your turn with the plan, and the person lets you begin by changing the mode again.",
  ]);
});
