// `/batch` in a session: plans, asks and runs beside the conversation, which receives the result but not the progress.

import { planTable } from "../../screen/batch/batch-plan.ts";
import { visibleText } from "../../screen/visible-text.ts";
import { errorText } from "../../wording/error-text.ts";
import type { Solo } from "../session/open-session.ts";
import type { Attended } from "../session/screen/attended.ts";
import { type Output, UsageError, type World } from "../world.ts";
import { type ApprovalDialog, approvePlan, type Shown } from "./approve-plan.ts";
import { agentFlags } from "./batch-flags.ts";
import type { BatchQuestions } from "./batch-order.ts";
import { goOnStep, planStep, planWaits } from "./plan-questions.ts";

type BatchScreen = Pick<Attended, "world" | "flags" | "pane" | "style" | "ending" | "wake">;
type Listener = Pick<Solo, "session" | "alert">;

/** One batch at a time. It ends with the session and can be continued with `tool batch --resume`. */
export function batchCommand(screen: BatchScreen, solo: Listener): (words: string) => void {
  let running: AbortController | undefined;
  return (words) => {
    const instruction = words.trim();
    const { pane, ending } = screen;
    if (instruction === "stop") {
      if (running) running.abort();
      else pane.warn("Cannot stop a batch: none runs in this session.");
    } else if (instruction === "") pane.warn('Cannot start a batch without the change to make: /batch "Replace the logger with pino".');
    else if (running) pane.warn("Cannot start another batch: one runs in this session. To stop it: /batch stop");
    else {
      const stop = new AbortController();
      running = stop;
      carryOutHere(screen, solo, { instruction, signal: AbortSignal.any([stop.signal, ending.signal]) })
        .catch((error: unknown) => {
          const why = errorText(error);
          pane.warn(error instanceof UsageError ? `The batch was not started: ${why}` : why);
        })
        .finally(() => {
          running = undefined;
        });
    }
  };
}

type Wanted = { instruction: string; signal: AbortSignal };

async function carryOutHere(screen: BatchScreen, { session, alert }: Listener, { instruction, signal }: Wanted): Promise<void> {
  const { world, flags, pane, style } = screen;
  const { startBatch } = await import("./start-batch.ts");
  let report = "";
  const lines = (print: (text: string) => void): Output => ({
    write: (text) => print(text.trimEnd()),
    drained: async () => "open",
    isTTY: false,
    columns: world.stdout.columns,
  });
  const here: World = {
    ...world,
    stderr: lines((text) => pane.print(style.dim(`  ${text}`))),
    stdout: lines((text) => {
      report = text.trim();
      pane.print(`\n${report}`);
    }),
  };
  await startBatch(here, {
    instruction,
    flags: { ...agentFlags(flags), budgetUsd: flags.budgetUsd, pr: true, stack: "yes" },
    questions: sessionQuestions(screen, { session, alert }, signal),
    signal,
  });
  if (report)
    session.note({ source: { kind: "command", command: "/batch" }, text: `The person ran a batch: ${instruction}\n${report}`, shown: "" });
}

function sessionQuestions(screen: BatchScreen, { session, alert }: Listener, signal: AbortSignal): BatchQuestions {
  const { pane, style, world, wake } = screen;
  return {
    confirm: async (question) => (await pane.question(goOnStep(question, style), signal)) ?? "no",
    approve(plan, shown) {
      alert({ kind: "question", text: planWaits });
      return approvePlan(world, plan, { shown, dialog: approvalDialog(screen, shown, signal) });
    },
    async subAgents(prompt) {
      session.say({ source: { kind: "user" }, text: prompt });
      pane.print(style.dim("  This session goes on with it."));
      wake.notify();
      return 0;
    },
  };
}

function approvalDialog({ pane, style, world }: BatchScreen, shown: Shown, signal: AbortSignal): ApprovalDialog {
  return {
    show: (plan) => pane.print(`\n${planTable(plan, { ...shown, style, columns: world.stdout.columns })}`),
    say: (text) => pane.warn(visibleText(text).replaceAll("\n", "\n    ")),
    edit: (path) => pane.lend(() => world.edges.editFile(path, world.env)),
    choose: async (plan) => (await pane.question(planStep(plan, style), signal)) ?? { kind: "left" },
  };
}
