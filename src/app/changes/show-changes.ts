// `tool changes`: what there is, and one set in full.
import type { Seen } from "../../changes/change-set.ts";
import { stopped } from "../../changes/take.ts";
import { changesJson, changesTable, colouredDiff, intoText, sizeText, statText } from "../../screen/changes/changes-table.ts";
import type { ListedChanges } from "../../screen/commands/session-commands.ts";
import type { Style } from "../../screen/style.ts";
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
  else if (ids.length === 0) world.stdout.write(`${listText(world, changes, { seen, style: styleOf(world) })}\n`);
  else await printDiffs(world, changes, { seen, stat });
  return 0;
}

/** The table, and a take that waits. */
function listText(world: World, { branch, store, sets }: Changes, { seen, style }: { seen: Seen[]; style: Style }): string {
  const columns = world.stdout.isTTY ? world.stdout.columns : Number.POSITIVE_INFINITY;
  const waiting = store.read();
  const table = changesTable(seen, { style, columns, branch, command: world.command });
  return [table, ...(waiting ? takeLines(stopped(waiting), { world, root: "", sets }) : [])].join("\n");
}

/** For `/changes`: the list with what each of them shows in full, or the files of some of them with the beginning of their diffs. */
export async function changesHere(world: World, words: string, style: Style): Promise<ListedChanges> {
  const changes = await openChanges(world);
  const ids = words.split(/\s+/).filter(Boolean);
  const seen = await lookAt(changes, ids);
  const inFull = async (each: Seen) => {
    const diff = visibleText(await changes.git.diff(each)).trimEnd();
    return [headText(each, changes, style), statText(each, style), colouredDiff(diff, style)].join("\n").split("\n");
  };
  if (ids.length === 0) {
    const items = seen.map((each) => ({
      label: each.set.id,
      hint: `${each.set.what}: ${sizeText(each)}, ${intoText(each).words}`,
      whole: () => inFull(each),
    }));
    return { text: listText(world, changes, { seen, style }), hang: 0, items };
  }
  const parts = await Promise.all(
    seen.map(async (each) => {
      const lines = visibleText(await changes.git.diff(each))
        .trimEnd()
        .split("\n");
      const rest = lines.length - mostLines;
      const more = rest > 0 ? [style.dim(`  ${rest} more lines: ${world.command} changes ${each.set.id}`)] : [];
      return [headText(each, changes, style), statText(each, style), colouredDiff(lines.slice(0, mostLines).join("\n"), style), ...more];
    }),
  );
  return { text: parts.flat().join("\n"), hang: 0 };
}

const mostLines = 60;

function headText(seen: Seen, { branch }: Pick<Changes, "branch">, style: Style): string {
  const { id, what, by, evidence } = seen.set;
  const tests = evidence.words || "tests unknown";
  const head = `${id}  ${what}${by ? `, by ${by}` : ""}: ${sizeText(seen)}, ${tests}; into ${branch}: ${intoText(seen).words}`;
  return style.bold(visibleLine(head));
}

type Shown = { seen: Seen[]; stat: boolean | undefined };

/** Through the person's pager on a terminal; elsewhere exactly as git prints it, so that it can be applied. */
async function printDiffs(world: World, changes: Changes, { seen, stat }: Shown): Promise<void> {
  const style = styleOf(world);
  const parts: string[] = [];
  for (const each of seen) {
    if (stat) parts.push(headText(each, changes, style), statText(each, style));
    else if (world.stdout.isTTY) parts.push(headText(each, changes, style), colouredDiff(visibleText(await changes.git.diff(each)), style));
    else parts.push((await changes.git.diff(each)).replace(/\n$/, ""));
  }
  const text = `${parts.join("\n")}\n`;
  if (!world.stdout.isTTY || !(await world.edges.page(text, world.env))) world.stdout.write(text);
}
