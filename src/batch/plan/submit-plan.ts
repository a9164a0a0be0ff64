// SubmitBatchPlan: the tool with which the planner submits its plan. Mistakes in the plan are returned as the tool result.
import type { Tool } from "../../tools/tool.ts";
import { planText } from "../prompt.ts";
import { judgePlan, type Plan, planSchema } from "./plan.ts";

export type PlanSubmission = {
  /** The accepted plan, or the last one that had too few units. */
  plan(): { kind: "good" | "too_few"; plan: Plan } | undefined;
  /** The reasons why the last plan was refused. */
  refused(): string[];
  tool: Tool<Plan>;
};

export function planSubmission(): PlanSubmission {
  let plan: ReturnType<PlanSubmission["plan"]>;
  let refused: string[] = [];
  return {
    plan: () => plan,
    refused: () => refused,
    tool: {
      name: "SubmitBatchPlan",
      description: planText.tool,
      input: planSchema,
      readOnly: false,
      subject: ({ units }) => `${units.length} units`,
      async run(submitted) {
        const verdict = judgePlan(submitted);
        refused = verdict.kind === "refused" ? verdict.reasons : [];
        if (verdict.kind === "refused") return failed([planText.refused, ...verdict.reasons].join("\n- "), "refused");
        plan = { kind: verdict.kind, plan: submitted };
        if (verdict.kind === "too_few") return failed(planText.tooFew(verdict.units), "too few units");
        return { text: planText.accepted, summary: "accepted", isError: false };
      },
    },
  };
}

const failed = (text: string, summary: string) => ({ text, summary, isError: true });
