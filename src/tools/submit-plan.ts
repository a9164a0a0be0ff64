// SubmitPlan: an agent in plan mode submits what it would do.
import { z } from "zod";
import { because, done, refused } from "./answer.ts";
import type { Tool } from "./tool.ts";

/** `not_planning`: the session is no longer in plan mode. */
export type PlanVerdict =
  | { kind: "approved"; mode: "default" | "acceptEdits" }
  | { kind: "refused"; reason: string | undefined }
  | { kind: "nobody" }
  | { kind: "not_planning" };

export interface PlanDesk {
  /** Resolves once the user has answered, or the signal aborts. */
  submit(plan: string, signal: AbortSignal): Promise<PlanVerdict>;
}

export const submitPlanText = {
  description:
    "In the mode plan alone: submit the whole plan, in Markdown: what changes where, in which order, how it is checked. A person lets you begin, or says what is wrong.",
  approved: "The plan is approved. Carry it out now; changes and commands are still asked for where no rule allows them.",
  approvedEdits: "The plan is approved. Carry it out now; edits inside the working directory are allowed without a question.",
  refused: "The plan is not approved",
  again: "Change it and submit it again, or ask what is wanted.",
  nobody: "Nobody can approve a plan here, and nothing can be changed before. End your turn with the plan as your answer.",
  notPlanning: "This session is no longer in the mode plan: a plan needs no approval. Go on with the work.",
  blank: "Cannot submit a blank plan. Say what you would change, where, and how it is checked.",
};

const input = z.strictObject({ plan: z.string() });

export function submitPlanTool(desk: PlanDesk): Tool<z.infer<typeof input>> {
  return {
    name: "SubmitPlan",
    description: submitPlanText.description,
    input,
    readOnly: false,
    subject: ({ plan }) =>
      plan
        .trim()
        .split("\n")[0]
        ?.replace(/^#+\s*/, "") ?? "",
    async run({ plan }, { signal }) {
      if (plan.trim() === "") return refused(submitPlanText.blank, "blank");
      const verdict = await desk.submit(plan, signal);
      switch (verdict.kind) {
        case "approved":
          return done(verdict.mode === "acceptEdits" ? submitPlanText.approvedEdits : submitPlanText.approved, "approved");
        case "refused":
          return refused(`${submitPlanText.refused}${because(verdict.reason)}. ${submitPlanText.again}`, "not approved");
        case "nobody":
          return refused(submitPlanText.nobody, "nobody to ask");
        case "not_planning":
          return done(submitPlanText.notPlanning, "not planning");
      }
    },
  };
}
