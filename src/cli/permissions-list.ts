// The list that `tool permissions` prints.
import type { SettingsFlags } from "../permissions/settings-files.ts";
import { openSettings } from "./open-settings.ts";
import type { ExitCode, World } from "./world.ts";

export async function listPermissions(world: World, { json, ...flags }: SettingsFlags & { json?: boolean }): Promise<ExitCode> {
  const { permissionLines, permissionList } = await import("../permissions/permission-list.ts");
  const { visible } = await import("../permissions/visible.ts");
  const list = permissionList(await openSettings(world, flags), world.cwd);
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, ...list })}\n`);
  else world.stdout.write(`${permissionLines(list).map(visible).join("\n")}\n`);
  return 0;
}
