// What the harness does for a member that another program plays: it runs the command that proves a task, in the process that makes the update.
import type { Witness } from "../../board/tasks/task.ts";
import type { TeamRecord } from "../../board/team-record.ts";
import type { World } from "../world.ts";
import { verifyCommand } from "./verify-command.ts";

/** The command runs in the team's folder, under the rules that count there when nobody can be asked. The workspace is opened for it alone. */
export function scriptWitness(world: World, { cwd, name }: Pick<TeamRecord, "cwd" | "name">): Witness {
  return {
    async verify(command, signal) {
      const { openSettings } = await import("../settings/open-settings.ts");
      const place = { ...world, cwd };
      const work = await world.edges.work({
        cwd,
        configDir: world.configDir,
        env: world.env,
        owner: `${name}:verify`,
        readOnly: false,
        sandboxFound: undefined,
        settings: await openSettings(place, { allow: [], deny: [] }),
      });
      const { now } = await world.edges.clock();
      try {
        return await verifyCommand({ tools: work.tools, permit: work.permit(undefined), redacted: work.redacted, now })(command, signal);
      } finally {
        await work.endAll();
      }
    },
  };
}
