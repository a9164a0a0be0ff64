// Prints `tool permissions`.

import { fitted } from "../../app/print/fitted.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import { sandboxHere } from "../../app/settings/sandbox-here.ts";
import type { ExitCode, World } from "../../app/world.ts";
import type { SettingsFlags } from "../../settings/files.ts";

export async function listPermissions(world: World, { json, ...flags }: SettingsFlags & { json?: boolean }): Promise<ExitCode> {
  const { permissionLines, permissionList } = await import("../../settings/permission-list.ts");
  const { visible } = await import("../../wording/visible.ts");
  const settings = await openSettings(world, flags);
  const list = permissionList(settings, { cwd: world.cwd, sandbox: (await sandboxHere(world, settings)).state });
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, ...list })}\n`);
  else
    world.stdout.write(
      `${await fitted(world.stdout, permissionLines(list, `${world.command} permissions add`).map(visible).join("\n"))}\n`,
    );
  return 0;
}
