// One key walks through a team in tmux: from each member's pane to the next one's, whether they are beside each other or in windows of their own.
import type { Board } from "../../../board/board.ts";
import { panesAfter } from "../../../team/place.ts";
import type { World } from "../../world.ts";

/** Returns what the key does where there is nothing else to show with it: true if there is a pane to go to. */
export function walkPanes({ edges, env }: Pick<World, "edges" | "env">, board: Pick<Board, "record">, name: string): () => boolean {
  return () => {
    if (env["TMUX_PANE"] === undefined) return false;
    const read = board.record();
    const panes = read.ok ? panesAfter(read.record, name) : [];
    void showFirst(panes);
    return panes.length > 0;
  };

  /** The first that is still there: a pane may have been closed since it was recorded. */
  async function showFirst(panes: ReturnType<typeof panesAfter>): Promise<void> {
    for (const pane of panes) {
      const how = await edges.showPane(pane, env).catch(() => "gone" as const);
      if (how !== "gone") return;
    }
  }
}
