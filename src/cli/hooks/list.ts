// Prints `tool hooks list`.
import { hooksText } from "../../app/controls/hooks-text.ts";
import { fitted } from "../../app/print/fitted.ts";
import { styleOf } from "../../app/print/print-reply.ts";
import { hooksHere } from "../../app/settings/hooks-here.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import type { ExitCode, World } from "../../app/world.ts";
import { type ConfiguredHook, type ConfiguredHooks, whyItCannotRun, whyLeftOut } from "../../hooks/configured.ts";
import { trustWays } from "../../settings/trust.ts";

export async function listHooks(world: World, { json, ...flags }: { json?: boolean; trust?: boolean }): Promise<ExitCode> {
  const settings = await openSettings(world, flags);
  const configured = await hooksHere(world, settings);
  const { hooks, leftOut } = configured;
  const ok = leftOut.length === 0 && hooks.every(({ fault }) => fault === undefined);
  world.stdout.write(
    json
      ? `${JSON.stringify({ ok, hooks: [...hooks.map(asJson), ...leftOut.map(leftAsJson)] })}\n`
      : `${await fitted(world.stdout, hooksText(configured, { style: styleOf(world), command: world.command, trust: trustWays(settings) }))}\n`,
  );
  return ok ? 0 : 1;
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

function asJson({ event, matcher, only, command, timeoutMs, scope, file, held, fault, warning, sandboxed }: ConfiguredHook) {
  const notes = [...(fault ? [whyItCannotRun(fault, event)] : []), ...(warning === undefined ? [] : [warning])];
  return {
    event,
    matcher: matcher ?? "*",
    if: only ?? null,
    command,
    timeout: timeoutMs === undefined ? null : timeoutMs / 1000,
    scope,
    file: file ?? null,
    sandbox: sandboxed === true,
    state: held ? "held back" : fault ? "cannot run" : "runs",
    warning: notes.length > 0 ? notes.join("; ") : null,
  };
}
