// What the editor of every pane needs: the lines typed in this project before, and the completions.
import { projectFolder } from "../../agent/session/transcript.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { SlashCommand } from "../../screen/commands/commands.ts";
import type { EditorPorts } from "../../screen/editor/editor.ts";
import { createLineHistory } from "../../screen/editor/line-history.ts";
import { pathMatches } from "../../screen/editor/path-matches.ts";
import type { World } from "../world.ts";

/** Filled when the session is open; the pane exists earlier. */
export type Completions = { commands: SlashCommand[]; paths: () => Promise<string[]>; agents: () => string[] };

export function emptyCompletions(): Completions {
  return { commands: [], paths: async () => [], agents: () => [] };
}

export function editorOf({ configDir, cwd }: World, disk: BoardDisk, completions: Completions): EditorPorts {
  return {
    history: createLineHistory(disk, `${projectFolder(configDir, cwd)}/history`),
    commands: () => completions.commands,
    files: async (prefix) => pathMatches(await completions.paths(), prefix),
    agents: () => completions.agents(),
  };
}
