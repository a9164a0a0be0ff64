import { expect, it } from "vitest";
import { modeChanged } from "../../src/agent/ports/environment.ts";

it("the text of the mode plan depends on the agent's tools, so that these need not change", () => {
  expect([modeChanged("plan", { submitsPlans: true }), modeChanged("plan", { submitsPlans: false })].map(({ text }) => text)).toEqual([
    "The person changed the mode to plan: look only, and submit a plan before anything is changed.",
    "The person changed the mode to plan: look only; end your turn with the plan, and the person lets you begin by changing the mode again.",
  ]);
});
