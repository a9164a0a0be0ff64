// Asks the person of `tool batch` at their terminal, a line at a time.
import { planTable } from "../../screen/batch/batch-plan.ts";
import { askLine } from "../../screen/terminal/ask-line.ts";
import type { Terminal } from "../../screen/terminal/terminal.ts";
import { visibleText } from "../../screen/visible-text.ts";
import { styleOf } from "../print/print-reply.ts";
import { untilSignal } from "../until-signal.ts";
import type { World } from "../world.ts";
import { type ApprovalDialog, approvePlan, type Choice, type Shown } from "./approve-plan.ts";
import { agentFlags, type BatchFlags, isAttended } from "./batch-flags.ts";
import type { BatchQuestions } from "./batch-order.ts";

/** Undefined if nobody can answer. */
export function terminalQuestions(world: World, flags: BatchFlags): BatchQuestions | undefined {
  if (!isAttended(world, flags)) return undefined;
  return {
    async approve(plan, shown) {
      const terminal = await world.edges.terminal();
      if (!terminal) return { kind: "refused", reason: "there is no terminal" };
      return approvePlan(world, plan, { shown, dialog: approvalDialog(world, terminal, shown) });
    },
    async confirm(question) {
      const terminal = await world.edges.terminal();
      const answer = terminal ? await asked(world, terminal, `${question} (y/n) `) : "n";
      return answer === undefined ? "left" : answer.trim() === "y" ? "yes" : "no";
    },
    async subAgents(prompt) {
      const { runAttended } = await import("../session/screen/attended-session.ts");
      return runAttended(world, { prompt, flags: { ...agentFlags(flags), budgetUsd: flags.budgetUsd, outputFormat: "text" } });
    },
  };
}

function approvalDialog(world: World, terminal: Terminal, shown: Shown): ApprovalDialog {
  const say = (text: string) => world.stdout.write(`${text}\n`);
  return {
    show: (plan) => say(`\n${planTable(plan, { ...shown, style: styleOf(world), columns: terminal.columns })}`),
    say: (text) => say(visibleText(text)),
    edit: (path) => world.edges.editFile(path, world.env),
    async choose() {
      for (;;) {
        const answer = await asked(world, terminal, "  y run   e edit   d drop units   n no, and say why: ");
        const choice =
          answer === undefined ? ({ kind: "left" } as const) : await choiceOf(answer, (question) => asked(world, terminal, question));
        if (choice) return choice;
        say("Type y, e, d or n, and Enter.");
      }
    },
  };
}

type Ask = (question: string) => Promise<string | undefined>;

/** SIGTERM and a closed terminal leave the question as Ctrl-C does, because nothing else needs to be ended. */
const asked = (world: World, terminal: Terminal, question: string): Promise<string | undefined> =>
  untilSignal(world, (ending) => askLine(terminal, question, ending));

async function choiceOf(answer: string, ask: Ask): Promise<Choice | undefined> {
  const [letter = "", ...rest] = answer.trim().split(/[\s,]+/);
  switch (letter) {
    case "y":
      return { kind: "run" };
    case "e":
      return { kind: "edit" };
    case "n":
      return { kind: "no", reason: await reasonOf(ask, rest) };
    case "d":
      return { kind: "drop", units: rest.length > 0 ? rest : await numbers(ask) };
    default:
      return undefined;
  }
}

async function reasonOf(ask: Ask, said: string[]): Promise<string | undefined> {
  const reason = said.length > 0 ? said.join(" ") : await ask("  Why not? (Enter for no reason) ");
  return reason?.trim() || undefined;
}

async function numbers(ask: Ask): Promise<string[]> {
  return ((await ask("  Which units? Their numbers: ")) ?? "").trim().split(/[\s,]+/);
}
