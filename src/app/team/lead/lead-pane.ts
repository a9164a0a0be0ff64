// Runs a lead in the first pane of a tmux server of the team's own: `tool lead --launch <file>`.
import { errorText } from "../../../wording/error-text.ts";
import { type ExitCode, LeftBeforeStart, type World } from "../../world.ts";
import { takeLaunch } from "../launch-file.ts";
import { AlreadyRunning } from "../member/join-team.ts";
import { exitWriter, openDisplay } from "../team-place.ts";
import { runLeadProcess } from "./lead.ts";

/** Its result is in result.json, for the process that shows this pane. */
export async function runLeadInPane(world: World, launchPath: string): Promise<ExitCode> {
  const { launch, inner } = await takeLaunch(world, launchPath);
  const exit = await exitWriter(inner, launch);
  try {
    const display = await openDisplay(inner, launch, { ok: true, mode: "tmux", where: "beside", why: "" });
    const print = (text: string) => world.stdout.write(text);
    const result = await runLeadProcess(inner, { launch, display, print });
    exit({ reason: "finished", code: result.code });
    await closePane(inner);
    return result.code;
  } catch (error) {
    if (error instanceof LeftBeforeStart) {
      exit({ reason: "finished", code: 130, detail: error.message });
      await closePane(inner);
      return 130;
    }
    // The name's files belong to the process that has the name.
    if (!(error instanceof AlreadyRunning)) exit({ reason: "fault", code: 1, detail: errorText(error) });
    throw error;
  }
}

/** A tmux that misses the end of this process would keep the pane and leave the viewer waiting. What others are to know is on disk by then. */
const closePane = ({ edges, env }: World) => edges.closeOwnPane(env).catch(() => {}); // end even if the server does not answer
