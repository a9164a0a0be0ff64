// The status line of a session: the built-in one, or what the person's own command prints, which is told the facts as JSON.
import type { RunHook } from "../../../hooks/hook-process.ts";
import { personsEnvironment } from "../../../permissions/environment.ts";
import { ownStatus, type StatusRun, statusText } from "../../../screen/status/own-status.ts";
import { type SoloView, soloStatusLine, stateText } from "../../../screen/status/solo-status-line.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import { endedWhy } from "../../settings/hook-ends.ts";
import type { World } from "../../world.ts";
import type { Attended } from "./attended.ts";

type Lines = { settings: Pick<LoadedSettings, "effective" | "root">; session: string; view: () => SoloView; signal: AbortSignal };

/** `session`: its id. The command is started with the first drawing; until it has printed something, the built-in line is shown. */
export function sessionStatusLine(attended: Attended, { settings, session, view, signal }: Lines): (width: number) => string {
  const { style, pane, world } = attended;
  const { statusCommand, statusLine: show } = settings.effective;
  const usual = (now: SoloView, width: number) => soloStatusLine(now, style, { width, ...(show && { show }) });
  if (statusCommand === undefined) return (width) => usual(view(), width);
  const own = ownStatus({
    run: runOf(world, { command: statusCommand, root: settings.root, signal }),
    clock: { sleep: async (ms, until) => (await world.edges.clock()).sleep(ms, until) },
    signal,
    changed: pane.refresh,
    failed: (reason) => pane.warn(visibleLine(`The status command failed: ${reason}. The last line that it printed stays.`)),
  });
  return (width) => {
    const now = view();
    const printed = own(JSON.stringify(factsOf(now, { session, folder: world.cwd, columns: width })));
    if (printed === undefined) return usual(now, width);
    if (now.state !== "needs_you") return statusText(printed, style, width);
    const needed = stateText(now, style);
    return statusText(`${needed} ${style.separator} ${printed}`, style, width);
  };
}

/** docs/settings.md explains each of them. */
function factsOf(view: SoloView, { session, folder, columns }: { session: string; folder: string; columns: number }) {
  return {
    version: 1,
    session,
    folder,
    state: view.state,
    model: view.model,
    mode: view.mode,
    sandbox: view.sandbox,
    tokens: { used: view.window.usedTokens, of: view.window.ofTokens },
    cost_usd: view.costUsd,
    background: view.background ?? "",
    columns,
  };
}

type Command = { command: string; root: string; signal: AbortSignal };

const timeoutMs = 1_000;

function runOf(world: World, { command, root, signal }: Command): StatusRun {
  let runHook: RunHook | undefined;
  return async (facts) => {
    runHook ??= await world.edges.runHook();
    const input = JSON.stringify({ ...(JSON.parse(facts) as object), branch: await branchOf(world, root) });
    const ended = await runHook({ command, cwd: world.cwd, env: personsEnvironment(world.env), input, timeoutMs, signal });
    if (ended.kind === "exited" && ended.code === 0) return { ok: true, text: ended.stdout };
    return { ok: false, reason: endedWhy(ended, timeoutMs) };
  };
}

/** Null if it is not known: no branch is checked out, or the tree is a worktree. No git is started for it. */
async function branchOf({ edges }: World, root: string): Promise<string | null> {
  try {
    const head = (await edges.disk()).read(`${root}/.git/HEAD`)?.toString("utf8") ?? "";
    return /^ref: refs\/heads\/(.+)\n?$/.exec(head)?.[1] ?? null;
  } catch {
    return null; // .git is a file: a worktree
  }
}
