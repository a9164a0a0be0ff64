// The list that `tool permissions` prints.

import { openSettings } from "../../app/open-settings.ts";
import type { ExitCode, World } from "../../app/world.ts";
import type { SettingsFlags } from "../../settings/files.ts";

export async function listPermissions(world: World, { json, ...flags }: SettingsFlags & { json?: boolean }): Promise<ExitCode> {
  const { permissionLines, permissionList } = await import("../../settings/permission-list.ts");
  const { visible } = await import("../../permissions/visible.ts");
  const list = permissionList(await openSettings(world, flags), world.cwd);
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, ...list })}\n`);
  else world.stdout.write(`${permissionLines(list, world.command).map(visible).join("\n")}\n`);
  return 0;
}
