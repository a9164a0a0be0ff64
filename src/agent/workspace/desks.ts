// Passes an agent's own question, or its plan, to the user.

import type { Ask } from "../../permissions/permit.ts";
import type { Policy } from "../../permissions/policy.ts";
import type { Answer } from "../../permissions/questions/question.ts";
import type { AskDesk } from "../../tools/ask-user.ts";
import type { PlanDesk, PlanVerdict } from "../../tools/submit-plan.ts";
import type { PolicyStore } from "../policy-store.ts";

/** An answer grants nothing. `ask` is looked up for each question: undefined if nobody can be asked. In the mode dontAsk nobody is. */
export function askDesk(policy: Pick<Policy, "mode">, ask: () => Ask | undefined): AskDesk {
  return {
    async ask({ text, options, call }, signal) {
      const put = policy.mode === "dontAsk" ? undefined : ask();
      if (!put) return { kind: "nobody" };
      const answer = await put({ kind: "choice", text, options, ...(call !== undefined && { call }) }, signal);
      if (answer?.kind === "chosen" || answer?.kind === "written") return answer;
      return { kind: "none", reason: reasonOfNo(answer) };
    },
  };
}

/** If the plan is approved, the session continues in the mode that the user chose. */
export function planDesk(store: Pick<PolicyStore, "current" | "changeMode">, ask: () => Ask | undefined): PlanDesk {
  return {
    async submit(plan, signal): Promise<PlanVerdict> {
      if (store.current.mode !== "plan") return { kind: "not_planning" };
      const put = ask();
      if (!put) return { kind: "nobody" };
      const answer = await put({ kind: "plan", plan }, signal);
      if (answer?.kind !== "approve") return { kind: "refused", reason: reasonOfNo(answer) };
      store.changeMode(answer.mode);
      return { kind: "approved", mode: answer.mode };
    },
  };
}

/** Why the answer is no, if a reason is known. Undefined as the answer: nobody has answered. */
function reasonOfNo(answer: Answer | undefined): string | undefined {
  if (!answer) return "interrupted";
  return answer.kind === "no" ? answer.reason : undefined;
}
