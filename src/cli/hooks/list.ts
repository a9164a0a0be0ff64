// Prints `tool hooks list`.
import { hooksText } from "../../app/hooks-text.ts";
import { openSettings } from "../../app/open-settings.ts";
import { styleOf } from "../../app/print-reply.ts";
import type { ExitCode, World } from "../../app/world.ts";
import { type ConfiguredHook, configuredHooks } from "../../hooks/configured.ts";

export async function listHooks(world: World, { json, ...flags }: { json?: boolean; trust?: boolean }): Promise<ExitCode> {
  const hooks = configuredHooks(await openSettings(world, flags));
  world.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, hooks: hooks.map(asJson) })}\n`
      : `${hooksText(hooks, { style: styleOf(world), command: world.command })}\n`,
  );
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
