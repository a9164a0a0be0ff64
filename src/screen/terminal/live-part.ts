// The layout below the finished text: the open block, the activity, waiting lines, a question, the editor, and the status line. If there are few
// rows, less important parts are dropped first.
import type { Style } from "../style.ts";

export type LiveParts = {
  /** At most that many rows. */
  open: (rows: number) => string[];
  /** At most that many rows. */
  activity: (rows: number) => string[];
  /** Agents that the session has started, a row each; at most that many rows. */
  agents: (rows: number) => string[];
  queued: string[];
  /** At most that many rows. */
  dialog: (rows: number) => string[];
  editor: string[];
  /** The agent's todo list; dropped before the separator lines. */
  todo: string[];
  status: string;
};

export function liveLines(parts: LiveParts, { style, width, height }: { style: Style; width: number; height: number }): string[] {
  const { editor, todo, status } = parts;
  const budget = Math.max(1, height - 1);
  const dialog = parts.dialog(dialogRows(budget));
  const rule = style.dim(style.rule.repeat(width));
  const bottom = [...dialog, rule, ...editor, rule, ...todo, status];
  if (bottom.length > budget) {
    const plain = [...dialog, ...editor, status];
    if (plain.length <= budget) return plain;
    const left = budget - dialog.length;
    return left > 0 ? [...dialog, ...editor.slice(-left)] : dialog.slice(0, budget);
  }
  const rows = Math.min(mostActivity, budget - bottom.length);
  const activity = shortened(parts.activity(rows), rows, style);
  const left = budget - bottom.length - activity.length;
  const agents = shortened(parts.agents(left), left, style);
  const queued = shortened(parts.queued, Math.min(mostQueued, budget - bottom.length - activity.length - agents.length), style);
  const above = [...activity, ...agents, ...queued];
  const room = budget - bottom.length - above.length;
  return [...(room > 0 ? parts.open(room).slice(-room) : []), ...above, ...bottom];
}

/** A question needs a few rows more than the separator lines, and fewer still more than the status line. */
function dialogRows(budget: number): number {
  const beside = (rowsBelow: number, most = Number.POSITIVE_INFINITY) => Math.min(most, budget - rowsBelow);
  return Math.max(1, beside(editorRows + 3), beside(editorRows + 1, 6), beside(editorRows, 3));
}

/** A line that is longer is cut if a question is open and there are few rows. */
const editorRows = 1;
const mostActivity = 7;
const mostQueued = 4;

function shortened(lines: string[], most: number, style: Style): string[] {
  if (lines.length <= most) return lines;
  return most <= 0 ? [] : [...lines.slice(0, most - 1), style.dim(`  ${style.ellipsis} ${lines.length - most + 1} more`)];
}
