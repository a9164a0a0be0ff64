// Checks a teammate's edits in a shared tree: an edit of a file that another task in progress took first is refused, before a person is asked
// for nothing, and once more when the edit was allowed, under the list's lock.
import type { Permission, Permit, ToolCall } from "../../agent/permit.ts";
import type { Board } from "../../board/board.ts";
import { claimEdit, whyNotYours } from "../../board/edit-claim.ts";
import type { FileInTree } from "../../permissions/file-in-tree.ts";
import type { ToolResult } from "../../tools/tool.ts";

export type SharedTree = {
  board: Board;
  agent: string;
  /** The file's one name below the working directory. */
  inTree: (path: string) => Promise<FileInTree>;
  /** By such a name. */
  exists: (path: string) => boolean;
};

/** The same check for agents that edit on behalf of this teammate. */
export function editPermit(permit: Permit, { board, agent, inTree, exists }: SharedTree): Permit {
  return async (call, signal) => {
    const named = editedPath(call);
    const file = named === undefined ? undefined : await inTree(named);
    if (!file?.ok) return permit(call, signal); // files outside this tree are decided elsewhere
    const { path } = file;
    const obstacle = async () => notYours(whyNotYours(board, { agent, path })) ?? call.obstacle?.();
    const permission = await permit({ ...call, obstacle }, signal);
    if (!permission.allowed) return permission;
    const refused = notYours(await claimEdit(board, { agent, path, made: !exists(path) }));
    return refused ? ({ allowed: false, reason: refused.text, obstacle: refused } satisfies Permission) : permission;
  };
}

function editedPath({ tool, input }: ToolCall): string | undefined {
  const { path } = (input ?? {}) as { path?: unknown };
  return (tool === "Edit" || tool === "Write") && typeof path === "string" ? path : undefined;
}

function notYours(reason: string | undefined): ToolResult | undefined {
  return reason === undefined ? undefined : { text: `${reason}.`, isError: true, summary: "another task has it" };
}
