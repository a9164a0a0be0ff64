// Checks a teammate's edits in a shared tree: an edit of a file that another task in progress took first is refused. That is checked before the user
// is asked, so that nobody is asked in vain, and once more under the list's lock when the edit was allowed.

import type { FileInTree } from "../../agent/file-in-tree.ts";
import type { Permission, Permit, ToolCall } from "../../agent/ports/permit.ts";
import type { WrittenFile } from "../../agent/workspace/written-files.ts";
import type { Board } from "../../board/board.ts";
import { claimEdit, whyNotYours } from "../../board/tasks/edit-claim.ts";
import type { ToolResult } from "../../tools/tool.ts";

export type SharedTree = {
  board: Board;
  agent: string;
  /** The files that a call says it writes. */
  written: (call: ToolCall) => Promise<WrittenFile[]>;
  /** The file's one name below the working directory. */
  inTree: (path: string) => Promise<FileInTree>;
  /** By such a name. */
  exists: (path: string) => boolean;
};

/** The same check for agents that edit on behalf of this teammate. */
export function editPermit(permit: Permit, tree: SharedTree): Permit {
  const { board, agent, exists } = tree;
  return async (call, signal) => {
    const paths = await pathsWritten(call, tree);
    if (paths.length === 0) return permit(call, signal);
    const taken = () => paths.map((path) => whyNotYours(board, { agent, path })).find((reason) => reason !== undefined);
    const permission = await permit({ ...call, obstacle: async () => notYours(taken()) ?? call.obstacle?.() }, signal);
    if (!permission.allowed) return permission;
    for (const path of paths) {
      const refused = notYours(await claimEdit(board, { agent, path, made: !exists(path) }));
      if (refused) return { allowed: false, reason: refused.text, obstacle: refused } satisfies Permission;
    }
    return permission;
  };
}

/** Their names below the working directory; files outside it are decided elsewhere. */
async function pathsWritten(call: ToolCall, { written, inTree, exists }: SharedTree): Promise<string[]> {
  const named = await written(call);
  const found = await Promise.all(named.map(async ({ path, ifThere }) => ({ file: await inTree(path), ifThere })));
  return [...new Set(found.flatMap(({ file, ifThere }) => (file.ok && !(ifThere && !exists(file.path)) ? [file.path] : [])))];
}

function notYours(reason: string | undefined): ToolResult | undefined {
  return reason === undefined ? undefined : { text: `${reason}.`, isError: true, summary: "another task has it" };
}
