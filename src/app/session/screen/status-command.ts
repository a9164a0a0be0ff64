// The status line of a session: the built-in one, or what the person's own command prints, which is told the facts as JSON.
import type { RunHook } from "../../../hooks/hook-process.ts";
import type { HandsFacts } from "../../../places/hands-facts.ts";
import { ownStatus, type StatusRun, statusText } from "../../../screen/status/own-status.ts";
import { type SoloView, soloStatusLine, stateText } from "../../../screen/status/solo-status-line.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import { personsEnvironment } from "../../../secrets/environment.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import { endedWhy } from "../../settings/hook-ends.ts";
import type { World } from "../../world.ts";
import type { Attended } from "./attended.ts";

type Place = Pick<Attended, "style" | "pane" | "world">;

/** What the command is told; docs/settings.md explains each of them. */
export type StatusFacts = {
  state: SoloView["state"];
  model: string;
  mode: string;
  sandbox: string;
  tokens: { used: number; of: number };
  cost_usd: number | null;
  background: string;
  /** Of its hands at a place; null if they are on this machine. */
  hands: HandsFacts | null;
  /** Null outside a team. */
  team: { name: string; member: string; task: string | null } | null;
};

/** `session`: its id. */
type Own = { settings: Pick<LoadedSettings, "effective" | "root">; session: string; signal: AbortSignal };
/** `usual`: the built-in line. `needed`: what is said first whenever the person is needed. */
type Line = { usual: (width: number) => string; facts: () => StatusFacts; needed: () => string };

/** The line of a solo session, whose parts the person may have chosen. */
export function sessionStatusLine(place: Place, { view, ...own }: Own & { view: () => SoloView }): (width: number) => string {
  const { style } = place;
  const { statusLine: show } = own.settings.effective;
  return statusLineBy(place, {
    ...own,
    usual: (width) => soloStatusLine(view(), style, { width, ...(show && { show }) }),
    facts: () => soloFacts(view()),
    needed: () => stateText(view(), style),
  });
}

/** The command is started with the first drawing; until it has printed something, and where there is none, the built-in line is shown. */
export function statusLineBy({ style, pane, world }: Place, line: Own & Line): (width: number) => string {
  const { settings, session, signal, usual, facts, needed } = line;
  const { statusCommand } = settings.effective;
  if (statusCommand === undefined) return usual;
  const own = ownStatus({
    run: runOf(world, { command: statusCommand, root: settings.root, signal }),
    clock: { sleep: async (ms, until) => (await world.edges.clock()).sleep(ms, until) },
    signal,
    changed: pane.refresh,
    failed: (reason) => pane.warn(visibleLine(`The status command failed: ${reason}. The last line that it printed stays.`)),
  });
  return (width) => {
    const now = facts();
    const printed = own(JSON.stringify({ version: 1, session, folder: world.cwd, ...now, columns: width }));
    if (printed === undefined) return usual(width);
    if (now.state !== "needs_you") return statusText(printed, style, width);
    return statusText(`${needed()} ${style.separator} ${printed}`, style, width);
  };
}

function soloFacts({ state, model, mode, sandbox, window, costUsd, background = "", hands }: SoloView): StatusFacts {
  const tokens = { used: window.usedTokens, of: window.ofTokens };
  return { state, model, mode, sandbox, tokens, cost_usd: costUsd, background, hands: hands ?? null, team: null };
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
