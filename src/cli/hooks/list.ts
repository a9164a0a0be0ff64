// Prints `tool hooks list`.
import { hooksText } from "../../app/controls/hooks-text.ts";
import { styleOf } from "../../app/print/print-reply.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import type { ExitCode, World } from "../../app/world.ts";
import { type ConfiguredHook, type ConfiguredHooks, configuredHooks, whyLeftOut } from "../../hooks/configured.ts";

export async function listHooks(world: World, { json, ...flags }: { json?: boolean; trust?: boolean }): Promise<ExitCode> {
  const configured = configuredHooks(await openSettings(world, flags));
  const { hooks, leftOut } = configured;
  world.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, hooks: [...hooks.map(asJson), ...leftOut.map(leftAsJson)] })}\n`
      : `${hooksText(configured, { style: styleOf(world), command: world.command })}\n`,
  );
  return 0;
}

function leftAsJson(left: ConfiguredHooks["leftOut"][number]) {
  const { event, matcher = "*", what, scope, file = null } = left;
  return {
    event,
    matcher,
    if: null,
    command: what,
    timeout: null,
    sandbox: false,
    scope,
    file,
    state: "left out",
    warning: whyLeftOut(left),
  };
}

function asJson({ event, matcher, only, command, timeoutMs, scope, file, held, warning, sandboxed }: ConfiguredHook) {
  return {
    event,
    matcher: matcher ?? "*",
    if: only ?? null,
    command,
    timeout: timeoutMs === undefined ? null : timeoutMs / 1000,
    scope,
    file: file ?? null,
    sandbox: sandboxed === true,
    state: held ? "held back" : "runs",
    warning: warning ?? null,
  };
}
