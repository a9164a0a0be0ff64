// The person decides about a plan in a terminal: run it, edit it, drop units, or refuse it and say why.
import { join } from "node:path";
import { judgePlan, type Plan } from "../../batch/plan.ts";
import { planText, readPlan } from "../../batch/plan-file.ts";
import { planTable } from "../../screen/batch-plan.ts";
import { askLine } from "../../screen/terminal/ask-line.ts";
import type { Terminal } from "../../screen/terminal/terminal.ts";
import { visibleText } from "../../screen/visible-text.ts";
import { styleOf } from "../print-reply.ts";
import type { World } from "../world.ts";

export type Shown = { instruction: string; head: string; model: string; folder: string };
/** `left`: with Ctrl-C and the like, without an answer. */
export type Approval = { kind: "approved"; plan: Plan } | { kind: "refused"; reason: string | undefined } | { kind: "left" };

export async function approvePlan(world: World, plan: Plan, shown: Shown): Promise<Approval> {
  const terminal = await world.edges.terminal();
  if (!terminal) return { kind: "refused", reason: "there is no terminal" };
  let now = plan;
  for (;;) {
    world.stdout.write(`\n${planTable(now, { ...shown, style: styleOf(world), columns: terminal.columns })}\n`);
    const answer = await askLine(terminal, "  y run   e edit   d drop units   n no, and say why: ");
    if (answer === undefined) return { kind: "left" };
    const [letter = "", ...rest] = answer.trim().split(/[\s,]+/);
    if (letter === "y") return { kind: "approved", plan: now };
    if (letter === "n") return { kind: "refused", reason: await reasonOf(terminal, rest) };
    if (letter === "e") now = await edited(world, now, shown);
    else if (letter === "d") now = dropped(world, now, rest.length > 0 ? rest : await numbers(terminal));
    else say(world, "Type y, e, d or n, and Enter.");
  }
}

async function reasonOf(terminal: Terminal, said: string[]): Promise<string | undefined> {
  const reason = said.length > 0 ? said.join(" ") : await askLine(terminal, "  Why not? (Enter for no reason) ");
  return reason?.trim() || undefined;
}

async function numbers(terminal: Terminal): Promise<string[]> {
  return ((await askLine(terminal, "  Which units? Their numbers: ")) ?? "").trim().split(/[\s,]+/);
}

/** The plan without these units; as it was where one is not in it, or the rest is no plan. */
function dropped(world: World, plan: Plan, which: string[]): Plan {
  const { length } = plan.units;
  const wrong = which.filter((text) => !/^\d+$/.test(text) || Number(text) < 1 || Number(text) > length);
  if (wrong.length > 0) {
    say(world, `Cannot drop "${wrong.join(" ")}": give numbers of units, 1 to ${length}, as in d 2 5. Nothing was dropped.`);
    return plan;
  }
  const without = new Set(which.map((text) => Number(text) - 1));
  return orAsItWas(world, plan, { units: plan.units.filter((_, index) => !without.has(index)) });
}

async function edited(world: World, plan: Plan, { instruction, head, folder }: Shown): Promise<Plan> {
  const disk = await world.edges.disk();
  const path = join(folder, "plan.edit.json");
  disk.makeFolder(folder);
  disk.replace(path, planText(plan, { instruction, head }));
  const problem = await world.edges.editFile(path, world.env);
  if (problem) say(world, problem);
  const read = problem ? undefined : readPlan(disk.read(path)?.toString("utf8") ?? "");
  disk.remove(path);
  if (!read) return plan;
  if (read.ok) return orAsItWas(world, plan, read.plan);
  say(world, `The edited plan cannot be used:\n- ${read.reasons.join("\n- ")}`);
  return plan;
}

function orAsItWas(world: World, before: Plan, after: Plan): Plan {
  const verdict = judgePlan(after);
  if (verdict.kind === "good") return after;
  const why = verdict.kind === "refused" ? verdict.reasons : [`${verdict.units} units would be left, and a batch has at least 5.`];
  say(world, `The plan stays as it was:\n- ${why.join("\n- ")}`);
  return before;
}

const say = ({ stdout }: World, text: string) => stdout.write(`${visibleText(text)}\n`);
