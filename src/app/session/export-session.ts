// `/export [file]`: writes the conversation as a Markdown file, without a name in the person's own folder, and asks before it replaces one.

import { dirname } from "node:path";
import { exportText } from "../../agent/session/export.ts";
import type { BoardDisk } from "../../board/disk.ts";
import { absolute } from "../../permissions/paths/given-path.ts";
import { choiceStep } from "../../screen/questions/choice-step.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { faultSentence } from "../../wording/error-text.ts";
import type { ControlsSetup } from "../controls/controls-setup.ts";
import { isFolder } from "../is-folder.ts";
import { UsageError } from "../world.ts";

type Exported = Pick<ControlsSetup, "world" | "style" | "events"> & {
  pane: Pick<Pane, "print" | "question">;
  id: string;
  nowMs(): number;
  /** Aborts when the session ends, which also closes the question. */
  ending: AbortSignal;
};

export function exportSession({ world, pane, style, events, id, nowMs, ending }: Exported): (file: string) => Promise<void> {
  return async (file) => {
    const own = `${world.configDir}/exports`;
    const path = file ? absolute(file, world) : `${own}/session-${id.slice(0, 8)}.md`;
    const past = events();
    if (past.length === 0) throw new UsageError("Cannot export: nothing was said in this session yet.");
    const text = exportText(past, { id, cwd: world.cwd, at: new Date(nowMs()).toISOString() });
    const replaces = async () => {
      const choices = [
        { words: ["y", "yes"], label: "replace it", value: true },
        { words: ["n", "no"], label: "leave it", value: false },
      ];
      const title = `${visibleLine(path)} exists already.`;
      const step = choiceStep({ title, choices, atEscape: false, escapeHint: "Esc leaves it", style });
      return (await pane.question(step, ending)) === true;
    };
    const temporary = `${path}.${world.uniqueId()}.tmp`;
    const disk = await world.edges.disk();
    if (!file) disk.makeFolder(own);
    const written = await writeExport(disk, { path, temporary, text, replaces });
    pane.print(written ? `  The conversation is in ${visibleLine(path)}` : style.dim("  Nothing was written."), 2);
  };
}

type Export = { path: string; temporary: string; text: string; replaces: () => Promise<boolean> };

/** Written whole or not at all, readable only by its user. Throws UsageError if it cannot be written there. */
export async function writeExport(disk: Pick<BoardDisk, "publish" | "replace" | "list" | "size">, order: Export): Promise<boolean> {
  const { path, temporary, text, replaces } = order;
  const cannot = (why: string) => new UsageError(`Cannot export to ${path}: ${why}`);
  if (disk.size(dirname(path)) === undefined) throw cannot(`there is no folder ${dirname(path)}. Make it, or name another file.`);
  if (isFolder(disk, path)) throw cannot(`it is a folder. Name a file in it, such as ${path}/conversation.md`);
  try {
    if (disk.publish(temporary, path, text)) return true;
    if (!(await replaces())) return false;
    disk.replace(path, text);
    return true;
  } catch (error) {
    throw cannot(`${faultSentence(error, "Nothing was written")}.`);
  }
}
