// Presents the plan of an agent in plan mode to the user. If it is approved, the session continues in the mode that the user chose.
import type { PlanDesk, PlanVerdict } from "../../tools/submit-plan.ts";
import type { Ask } from "../permit.ts";
import type { PolicyStore } from "../policy-store.ts";
import { reasonOfNo } from "./question.ts";

/** `ask` is looked up for each plan: undefined if nobody can be asked. */
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
