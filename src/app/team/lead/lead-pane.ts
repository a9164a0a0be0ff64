// Runs a lead in the first pane of a tmux server of the team's own: `tool lead --launch <file>`.
import { errorText } from "../../../wording/error-text.ts";
import type { ExitCode, World } from "../../world.ts";
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
    // A tmux that misses the end of this process would keep the pane and leave the viewer waiting. The result is on disk by then.
    await inner.edges.closeOwnPane(inner.env).catch(() => {}); // end even if the server does not answer
    return result.code;
  } catch (error) {
    // The name's files belong to the process that has the name.
    if (!(error instanceof AlreadyRunning)) exit({ reason: "fault", code: 1, detail: errorText(error) });
    throw error;
  }
}
