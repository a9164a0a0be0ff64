// The first lines of a session on a screen: what it is, surprising choices, and the end of the conversation that it continues.
import { cutInstructions, skippedInstructions } from "../../../agent/instructions.ts";
import { conversationOf } from "../../../agent/rewind/conversation.ts";
import { stoppedWithSession } from "../../../screen/commands/command-table.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { Solo } from "../open-session.ts";
import type { Attended } from "./attended.ts";

/** Prints them. `warnFurther`: comes before the conversation. */
export function printOpening(attended: Attended, solo: Solo, warnFurther: () => void): void {
  attended.pane.print(openingLine(attended, solo));
  for (const notice of openingNotices(attended, solo)) attended.pane.warn(visibleLine(notice));
  warnFurther();
  showPast(attended, solo);
}

function openingLine({ world, style }: Attended, { session, past, instructions, script }: Solo): string {
  const parts = [
    past.length > 0 ? `Session ${session.id.slice(0, 8)} resumed` : `tool ${world.version}`,
    script ? `scripted: the answers come from ${script}, not from a model` : session.agent.modelName,
    ...(instructions.length > 0 ? [`${instructions.length} instruction file${instructions.length > 1 ? "s" : ""}`] : []),
    "/help lists commands and keys",
    world.cwd,
  ];
  return style.dim(parts.join("  "));
}

/** Warnings about surprising choices. */
function openingNotices({ world }: Attended, { instructions, skipped, notices, work }: Solo): string[] {
  const files = [...cutInstructions(instructions, world.cwd), ...skippedInstructions(skipped, world.cwd)];
  const ended = stoppedWithSession(work.commands.all.list());
  return [...notices, ...ended, ...files].map(visibleLine);
}

/** How many events of a resumed session are shown again; the model has all of them. */
const shownAgain = 30;

function showPast({ pane, style }: Attended, solo: Solo): void {
  const past = conversationOf(solo.past);
  if (past.length > shownAgain) pane.print(style.dim(`  … ${past.length - shownAgain} earlier events`));
  pane.replay(past.slice(-shownAgain));
}
