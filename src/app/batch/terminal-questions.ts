// Asks the person of `tool batch` at their terminal.
import { planTable } from "../../screen/batch/batch-plan.ts";
import { askAlone } from "../../screen/questions/ask-alone.ts";
import type { Step } from "../../screen/questions/step.ts";
import type { Terminal } from "../../screen/terminal/terminal.ts";
import { visibleText } from "../../screen/visible-text.ts";
import { note } from "../note.ts";
import { styleOf } from "../print/print-reply.ts";
import { openSettings } from "../settings/open-settings.ts";
import { personAlert } from "../settings/person-alert.ts";
import { untilSignal } from "../until-signal.ts";
import type { World } from "../world.ts";
import { type ApprovalDialog, approvePlan, type Shown } from "./approve-plan.ts";
import { agentFlags, type BatchFlags, isAttended } from "./batch-flags.ts";
import type { BatchQuestions } from "./batch-order.ts";
import { goOnStep, planStep, planWaits } from "./plan-questions.ts";

/** Undefined if nobody can answer. */
export function terminalQuestions(world: World, flags: BatchFlags): BatchQuestions | undefined {
  if (!isAttended(world, flags)) return undefined;
  return {
    async approve(plan, shown) {
      const terminal = await world.edges.terminal();
      if (!terminal) return { kind: "refused", reason: "there is no terminal" };
      await tellPerson(world, terminal);
      return approvePlan(world, plan, { shown, dialog: approvalDialog(world, terminal, shown) });
    },
    async confirm(question) {
      const terminal = await world.edges.terminal();
      return terminal ? ((await asked(world, terminal, goOnStep(question, styleOf(world)))) ?? "left") : "no";
    },
    async subAgents(prompt) {
      const { runAttended } = await import("../session/screen/attended-session.ts");
      return runAttended(world, { prompt, flags: { ...agentFlags(flags), budgetUsd: flags.budgetUsd, outputFormat: "text" } });
    },
  };
}

/** Planning took a while, and the person may look elsewhere. */
async function tellPerson(world: World, terminal: Terminal): Promise<void> {
  const settings = await openSettings(world, {});
  if ((settings.effective.notify ?? "bell") === "bell") terminal.write("\x07");
  const about = { session: "", agent: "batch", folder: world.cwd };
  const tell = personAlert(world, { settings: () => settings, about, onNotice: (text) => note(world, text) });
  void tell({ kind: "question", text: planWaits }, new AbortController().signal);
}

function approvalDialog(world: World, terminal: Terminal, shown: Shown): ApprovalDialog {
  const say = (text: string) => world.stdout.write(`${text}\n`);
  const style = styleOf(world);
  return {
    show: (plan) => say(`\n${planTable(plan, { ...shown, style, columns: terminal.columns })}`),
    say: (text) => say(visibleText(text)),
    edit: (path) => world.edges.editFile(path, world.env),
    choose: async (plan) => (await asked(world, terminal, planStep(plan, style))) ?? { kind: "left" },
  };
}

/** SIGTERM and a closed terminal leave the question as Ctrl-C does, because nothing else needs to be ended. */
const asked = <Answer>(world: World, terminal: Terminal, step: Step<Answer>): Promise<Answer | undefined> =>
  untilSignal(world, (signal) => askAlone(step, { terminal, style: styleOf(world), signal }));
