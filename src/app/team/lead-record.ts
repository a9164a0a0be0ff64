// What a lead notes of itself in the team record when it starts, so that other terminals find it.
import { changeMember } from "../../board/team-record.ts";
import type { World } from "../world.ts";
import type { Member } from "./member.ts";

/** Its session at once, and soon after the tmux pane it is in, if it is in one. Never rejects: a team that nobody else finds still works. */
export async function recordLead(world: World, { board, launch }: Member, onProblem: (text: string) => void): Promise<void> {
  const note = async (facts: Parameters<typeof changeMember>[2]) => {
    const noted = await board.changeRecord((record) => changeMember(record, "lead", facts));
    if (!noted.ok) throw new Error(noted.reason);
  };
  try {
    await note({ session: launch.session, display: undefined });
    const display = await world.edges.ownPane(world.env);
    if (display) await note({ display });
  } catch (error) {
    onProblem(`Other terminals cannot find this team: ${error instanceof Error ? error.message : String(error)}`);
  }
}
