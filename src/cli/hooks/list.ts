// Prints `tool hooks list`.
import { openSettings } from "../../app/open-settings.ts";
import { styleOf } from "../../app/print-reply.ts";
import type { ExitCode, World } from "../../app/world.ts";
import { type ConfiguredHook, configuredHooks } from "../../hooks/configured.ts";
import { aligned, cell } from "../../screen/table.ts";
import { visibleLine } from "../../screen/visible-text.ts";

export async function listHooks(world: World, { json, ...flags }: { json?: boolean; trust?: boolean }): Promise<ExitCode> {
  const hooks = configuredHooks(await openSettings(world, flags));
  world.stdout.write(json ? `${JSON.stringify({ ok: true, hooks: hooks.map(asJson) })}\n` : `${listText(world, hooks)}\n`);
  return 0;
}

function asJson({ event, matcher, command, timeoutMs, scope, file, held, warning }: ConfiguredHook) {
  return {
    event,
    matcher: matcher?.join("|") ?? "*",
    command,
    timeout: timeoutMs === undefined ? null : timeoutMs / 1000,
    scope,
    file: file ?? null,
    state: held ? "held back" : "runs",
    warning: warning ?? null,
  };
}

function listText(world: World, hooks: ConfiguredHook[]): string {
  if (hooks.length === 0) return `There are no hooks here. How to write one: ${world.command} hooks --help`;
  const style = styleOf(world);
  const rows = hooks.map(({ event, matcher, command, file, held }) => [
    cell(event, style.bold),
    cell(matcher?.join("|") ?? "*"),
    cell(held ? "held back" : "runs"),
    cell(visibleLine(command)),
    cell(visibleLine(file ?? ""), style.dim),
  ]);
  const held = hooks.filter((hook) => hook.held).length;
  return [
    ...aligned(rows),
    ...hooks.flatMap(({ event, warning }) => (warning === undefined ? [] : [visibleLine(`${event}: ${warning}`)])),
    ...(held > 0
      ? [`${held} of this project ${held === 1 ? "is" : "are"} held back until you trust it: --trust, or answer in a session.`]
      : []),
  ].join("\n");
}
