// Runs a lead in the first pane of a tmux server of the team's own: `tool lead --launch <file>`.
import { teamLayout, teamsFolder } from "../../board/layout.ts";
import { writeExit } from "../../team/member-files.ts";
import type { ExitCode, World } from "../world.ts";
import { takeLaunch } from "./launch-file.ts";
import { runLeadProcess } from "./lead.ts";
import { AlreadyRunning } from "./member.ts";

/** Its result is in result.json, for the process that shows this pane. */
export async function runLeadInPane(world: World, launchPath: string): Promise<ExitCode> {
  const { launch, inner } = await takeLaunch(world, launchPath);
  const [disk, clock] = await Promise.all([world.edges.disk(), world.edges.clock()]);
  const layout = teamLayout(`${teamsFolder(inner.configDir)}/${launch.team}`);
  const exit = (reason: "finished" | "fault", code: number, detail?: string) =>
    writeExit(disk, layout, { name: "lead", exit: { reason, code, detail, nonce: launch.nonce, at: clock.now().toISOString() } });
  try {
    const display = await world.edges.display({
      choice: { ok: true, mode: "tmux", where: "beside", why: "" },
      team: launch.team,
      owner: `${launch.session}:${launch.team}`,
      env: inner.env,
      size: { columns: 200, rows: 50 },
      logOf: (name) => `${layout.member(name)}/output.log`,
    });
    const print = (text: string) => world.stdout.write(text);
    const result = await runLeadProcess(inner, {
      launch,
      display,
      attended: true,
      styleEnv: inner.env,
      print,
    });
    exit("finished", result.code);
    // A tmux that misses the end of this process would keep the pane and leave the viewer waiting. The result is on disk by then.
    await inner.edges.closeOwnPane(inner.env).catch(() => {}); // end even if the server does not answer
    return result.code;
  } catch (error) {
    // The name's files belong to the process that has the name.
    if (!(error instanceof AlreadyRunning)) exit("fault", 1, error instanceof Error ? error.message : String(error));
    throw error;
  }
}
