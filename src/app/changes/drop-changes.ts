// `tool drop`: removes the branches and worktrees of change sets, after the person has seen what would be lost.

import type { Seen } from "../../changes/change-set.ts";
import { type ChangesRepository, isTaken } from "../../changes/repository.ts";
import { sizeText } from "../../screen/changes/changes-table.ts";
import { askAlone } from "../../screen/questions/ask-alone.ts";
import { choiceStep } from "../../screen/questions/choice-step.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { plural } from "../../wording/figures.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { errorLine } from "../print/error-line.ts";
import { styleOf } from "../print/print-reply.ts";
import { untilSignal } from "../until-signal.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { isOfRewind, lookAt, openChanges } from "./open-changes.ts";

export async function dropChanges(world: World, ids: string[], { yes, json }: { yes?: boolean; json?: boolean }): Promise<ExitCode> {
  if (ids.length === 0) throw new UsageError(`Which changes? Name their ids. To list them: ${world.command} changes`);
  const changes = await openChanges(world);
  const seen = await lookAt(changes, ids);
  const busy = seen.find(({ set }) => set.atWork);
  if (busy) throw new UsageError(`${busy.set.id} is still at work. Stop it first, or wait for its end.`);
  const part = seen.flatMap(({ set: { id, content } }) =>
    content.kind === "range" && content.whole !== id ? [{ id, whole: content.whole }] : [],
  )[0];
  if (part)
    throw new UsageError(
      `${part.id} is a part of ${part.whole}, and is dropped with it: ${world.command} drop ${part.whole}. Nothing was dropped.`,
    );
  if (!yes && !(await confirmed(world, seen))) return 130;
  const dropped: { id: string; branches: { branch: string; commit: string }[] }[] = [];
  for (const each of seen) {
    const { id } = each.set;
    if (isOfRewind(each.set)) changes.store.remember({ [id]: each.tree });
    const answer = isOfRewind(each.set) ? nothingElse : await changes.git.drop(each);
    if (!answer.ok) {
      if (json) world.stdout.write(`${JSON.stringify({ ok: false, dropped, id, error: answer.reason })}\n`);
      else world.stderr.write(errorLine(`Cannot drop ${id}: ${answer.reason}.`));
      return 1;
    }
    dropped.push({ id, branches: answer.value });
    const git = `git -C ${shellWord(changes.git.root)}`;
    const back = answer.value.map(({ branch, commit }) => `${git} branch ${branch} ${commit.slice(0, 12)}`);
    if (!json)
      world.stdout.write(`Dropped: ${id}.${back.length > 0 ? ` To get it back, while git keeps the commit: ${back.join(" && ")}` : ""}\n`);
  }
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, dropped })}\n`);
  return 0;
}

const nothingElse: Awaited<ReturnType<ChangesRepository["drop"]>> = { ok: true, value: [] };

async function confirmed(world: World, seen: Seen[]): Promise<boolean> {
  const lines = seen.map((each) => `  ${visibleLine(lossText(each))}\n`).join("");
  const terminal = world.stdin.isTTY && world.stdout.isTTY ? await world.edges.terminal() : null;
  if (!terminal)
    throw new UsageError(
      `This removes branches and worktrees:\n${lines}To do it: ${world.command} drop --yes ${seen.map(({ set }) => set.id).join(" ")}`,
    );
  world.stdout.write(`This removes branches and worktrees:\n${lines}`);
  const style = styleOf(world);
  const choices = [
    { words: ["y", "yes"], label: "drop", value: true },
    { words: ["n", "no"], label: "keep", value: false },
  ];
  const step = choiceStep({ title: "Drop these?", choices, marked: 1, atEscape: false, escapeHint: "Esc keeps them", style });
  return (await untilSignal(world, (signal) => askAlone(step, { terminal, style, signal }))) === true;
}

function lossText(seen: Seen): string {
  const { set, uncommitted, files } = seen;
  if (files.length === 0) return `${set.id}  nothing in it`;
  if (isTaken(seen)) return `${set.id}  taken`;
  const open = uncommitted.length > 0 ? `, ${plural(uncommitted.length, "file")} of it not committed` : "";
  return `${set.id}  NOT taken: ${sizeText(seen)}${open}`;
}
