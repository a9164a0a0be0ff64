// Asks the person about a plan, in a terminal or in a session: run it, edit it, drop units, or refuse it with a reason.
import { join } from "node:path";
import type { Basis } from "../../batch/estimate.ts";
import { judgePlan, type Plan } from "../../batch/plan/plan.ts";
import { planText, readPlan } from "../../batch/plan/plan-file.ts";
import { visibleText } from "../../screen/visible-text.ts";
import type { World } from "../world.ts";

export type Shown = { instruction: string; head: string; basis: Basis; folder: string };
/** `left`: left without an answer, for instance with Ctrl-C. */
export type Approval = { kind: "approved"; plan: Plan } | { kind: "refused"; reason: string | undefined } | { kind: "left" };

/** `units`: their numbers as typed. */
export type Choice = { kind: "run" | "edit" | "left" } | { kind: "drop"; units: string[] } | { kind: "no"; reason: string | undefined };

/** Where the person is asked. */
export type ApprovalDialog = {
  show(plan: Plan): void;
  say(text: string): void;
  choose(plan: Plan): Promise<Choice>;
  /** Opens the person's editor on the file; returns a sentence if that failed. */
  edit(path: string): Promise<string | undefined>;
};

export async function approvePlan(
  world: World,
  plan: Plan,
  { shown, dialog }: { shown: Shown; dialog: ApprovalDialog },
): Promise<Approval> {
  for (let now = plan; ; ) {
    dialog.show(now);
    const choice = await dialog.choose(now);
    switch (choice.kind) {
      case "run":
        return { kind: "approved", plan: now };
      case "no":
        return { kind: "refused", reason: choice.reason };
      case "left":
        return { kind: "left" };
      case "edit":
        now = await edited(world, now, { shown, dialog });
        break;
      case "drop":
        now = dropped(now, choice.units, dialog);
        break;
    }
  }
}

/** The plan without these units; unchanged if one of them does not exist, or if the rest is not a valid plan. */
function dropped(plan: Plan, which: string[], dialog: ApprovalDialog): Plan {
  const { length } = plan.units;
  const wrong = which.filter((text) => !/^\d+$/.test(text) || Number(text) < 1 || Number(text) > length);
  if (wrong.length > 0) {
    dialog.say(`Cannot drop "${wrong.join(" ")}": give numbers of units, 1 to ${length}, as in d 2 5. Nothing was dropped.`);
    return plan;
  }
  const without = new Set(which.map((text) => Number(text) - 1));
  return validOrUnchanged(plan, { units: plan.units.filter((_, index) => !without.has(index)) }, dialog);
}

async function edited(world: World, plan: Plan, { shown, dialog }: { shown: Shown; dialog: ApprovalDialog }): Promise<Plan> {
  const disk = await world.edges.disk();
  const path = join(shown.folder, "plan.edit.json");
  disk.makeFolder(shown.folder);
  disk.replace(path, planText(plan, { instruction: shown.instruction, head: shown.head }));
  const problem = await dialog.edit(path);
  if (problem) dialog.say(problem);
  const read = problem ? undefined : readPlan(disk.read(path)?.toString("utf8") ?? "");
  disk.remove(path);
  if (!read) return plan;
  if (read.ok) return validOrUnchanged(plan, read.plan, dialog);
  dialog.say(visibleText(`The edited plan cannot be used:\n- ${read.reasons.join("\n- ")}`));
  return plan;
}

function validOrUnchanged(before: Plan, after: Plan, dialog: ApprovalDialog): Plan {
  const verdict = judgePlan(after);
  if (verdict.kind === "good") return after;
  const why = verdict.kind === "refused" ? verdict.reasons : [`${verdict.units} units would be left, and a batch has at least 5.`];
  dialog.say(visibleText(`The plan stays as it was:\n- ${why.join("\n- ")}`));
  return before;
}
