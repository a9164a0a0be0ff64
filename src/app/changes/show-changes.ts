// `tool changes`: what there is, and one set in full.
import type { Seen } from "../../changes/change-set.ts";
import { stopped } from "../../changes/take.ts";
import { changesJson, changesTable, colouredDiff, countsText, intoText, statText } from "../../screen/changes/changes-table.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import { styleOf } from "../print/print-reply.ts";
import type { ExitCode, World } from "../world.ts";
import { type Changes, lookAt, openChanges } from "./open-changes.ts";
import { takeLines } from "./take-lines.ts";

export type ShowFlags = { json?: boolean; stat?: boolean };

export async function showChanges(world: World, ids: string[], { json, stat }: ShowFlags): Promise<ExitCode> {
  const changes = await openChanges(world);
  const seen = await lookAt(changes, ids);
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, branch: changes.branch, changes: seen.map(changesJson) })}\n`);
  else if (ids.length === 0) world.stdout.write(`${await listText(world, changes, seen)}\n`);
  else await printDiffs(world, changes, { seen, stat });
  return 0;
}

/** The table, and a take that waits. */
async function listText(world: World, { branch, store }: Changes, seen: Seen[], columns = world.stdout.columns): Promise<string> {
  const style = styleOf(world);
  const width = world.stdout.isTTY ? columns : Number.POSITIVE_INFINITY;
  const waiting = store.read();
  const table = changesTable(seen, { style, columns: width, branch, command: world.command });
  return [table, ...(waiting ? takeLines(stopped(waiting), { world, root: "" }) : [])].join("\n");
}

type Shown = { seen: Seen[]; stat: boolean | undefined };

/** Through the person's pager on a terminal; elsewhere exactly as git prints it, so that it can be applied. */
async function printDiffs(world: World, { git, branch }: Changes, { seen, stat }: Shown): Promise<void> {
  const style = styleOf(world);
  const parts: string[] = [];
  for (const each of seen) {
    const { set } = each;
    const head = `${set.id}  ${set.what}${set.by ? `, by ${set.by}` : ""}: ${countsText(each)}, ${set.evidence.words || "tests unknown"}; into ${branch}: ${intoText(each).words}`;
    if (stat) parts.push(style.bold(visibleLine(head)), statText(each, style));
    else if (world.stdout.isTTY) parts.push(style.bold(visibleLine(head)), colouredDiff(visibleText(await git.diff(each)), style));
    else parts.push((await git.diff(each)).replace(/\n$/, ""));
  }
  const text = `${parts.join("\n")}\n`;
  if (!world.stdout.isTTY || !(await world.edges.page(text, world.env))) world.stdout.write(text);
}
