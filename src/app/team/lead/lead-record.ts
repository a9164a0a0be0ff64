// Records a starting lead in the team record, so that other terminals find it.

import { changeMember } from "../../../board/team-record.ts";
import { errorText } from "../../../wording/error-text.ts";
import type { World } from "../../world.ts";
import type { Member } from "../member/member.ts";

/** Records its session at once, and shortly afterwards its tmux pane if it has one. Never rejects: the team works even if nothing else finds it. */
export async function recordLead(
  world: World,
  { board, launch }: Pick<Member, "board" | "launch">,
  onProblem: (text: string) => void,
): Promise<void> {
  const note = async (facts: Parameters<typeof changeMember>[2]) => {
    const noted = await board.changeRecord((record) => changeMember(record, "lead", facts));
    if (!noted.ok) throw new Error(noted.reason);
  };
  try {
    await note({ session: launch.session, display: undefined });
    const display = await world.edges.ownPane(world.env);
    if (display) await note({ display });
  } catch (error) {
    onProblem(`Other terminals cannot find this team: ${errorText(error)}`);
  }
}
