// `/batch` in a session: planned, asked about and carried out beside the conversation, which hears of the result and of nothing on the way.
import type { Plan } from "../../batch/plan.ts";
import { planTable } from "../../screen/batch-plan.ts";
import { choiceDialog } from "../../screen/choice-dialog.ts";
import { visibleText } from "../../screen/visible-text.ts";
import type { Attended } from "../session/attended-session.ts";
import type { Solo } from "../session/open-session.ts";
import { type Output, UsageError, type World } from "../world.ts";
import type { Approval, Shown } from "./approve-plan.ts";
import type { BatchDesk } from "./start-batch.ts";

type Seat = Pick<Attended, "world" | "flags" | "pane" | "style" | "ending">;
type Listener = Pick<Solo, "session">;

/** One at a time. It ends with the session, and can be gone on with: `tool batch --resume`. */
export function batchCommand(seat: Seat, solo: Listener): (words: string) => void {
  let running: AbortController | undefined;
  return (words) => {
    const instruction = words.trim();
    const { pane, ending } = seat;
    if (instruction === "stop") {
      if (running) running.abort();
      else pane.warn("No batch runs in this session.");
    } else if (instruction === "") pane.warn('Cannot start a batch without the change to make: /batch "Replace the logger by pino".');
    else if (running) pane.warn("Cannot start another batch: one runs in this session. To stop it: /batch stop");
    else {
      const stop = new AbortController();
      running = stop;
      carryOutHere(seat, solo, { instruction, signal: AbortSignal.any([stop.signal, ending.signal]) })
        .catch((error: unknown) => {
          const why = error instanceof Error ? error.message : String(error);
          pane.warn(error instanceof UsageError ? `The batch was not started: ${why}` : why);
        })
        .finally(() => {
          running = undefined;
        });
    }
  };
}

type Wanted = { instruction: string; signal: AbortSignal };

async function carryOutHere(seat: Seat, { session }: Listener, { instruction, signal }: Wanted): Promise<void> {
  const { world, flags, pane, style } = seat;
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
  const { model, permissionMode, allow, deny, addDir, settings, trust, script, maxTurns, budgetUsd } = flags;
  await startBatch(here, {
    instruction,
    flags: { model, permissionMode, allow, deny, addDir, settings, trust, script, maxTurns, budgetUsd, pr: true, stack: "yes" },
    desk: deskOf(seat, signal),
    signal,
  });
  if (report)
    session.note({ source: { kind: "command", command: "/batch" }, text: `The person ran a batch: ${instruction}\n${report}`, shown: "" });
}

function deskOf({ pane, style, world }: Seat, signal: AbortSignal): BatchDesk {
  const ask = <Value>(title: string, choices: { key: string; label: string; value: Value }[], left: Value) =>
    pane.question(choiceDialog({ title, choices, escape: left, escapeHint: "refuses", style }), signal);
  return {
    async confirm(question) {
      const choices = [
        { key: "y", label: "go on", value: true },
        { key: "n", label: "no", value: false },
      ];
      return (await ask(visibleText(question), choices, false)) === true ? "yes" : "no";
    },
    async approve(plan: Plan, shown: Shown): Promise<Approval> {
      pane.print(`\n${planTable(plan, { ...shown, style, columns: world.stdout.columns })}`);
      const choices = [
        { key: "y", label: "run it: its test commands are allowed", value: true },
        { key: "n", label: "no", value: false },
      ];
      const isApproved = (await ask("Carry out this plan?", choices, false)) === true;
      return isApproved ? { kind: "approved", plan } : { kind: "refused", reason: undefined };
    },
  };
}
