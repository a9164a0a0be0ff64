// `tool`: a session on the person's terminal. The screen is shown before anything else is loaded, and nothing that is typed meanwhile is lost.
import { soloAgent } from "../../../agent/prompt.ts";
import { createStyle } from "../../../screen/style.ts";
import { askingBackground, canTell } from "../../../screen/terminal/background.ts";
import { openPane } from "../../../screen/terminal/pane.ts";
import type { SessionFlags } from "../../agent-flags.ts";
import { editorOf, emptyCompletions } from "../../controls/line-editor.ts";
import { isFolder } from "../../is-folder.ts";
import { resumeHint, sessionCommand } from "../../resume-hint.ts";
import { waker } from "../../waker.ts";
import type { ExitCode, World } from "../../world.ts";
import type { Attended } from "./attended.ts";

/** Runs until the person ends it. Throws UsageError, after releasing the terminal, if it cannot be started. */
export async function runAttended(world: World, { prompt, flags }: { prompt: string | undefined; flags: SessionFlags }): Promise<ExitCode> {
  const { edges } = world;
  const [terminal, clock, disk] = await Promise.all([edges.terminal(), edges.clock(), edges.disk()]);
  const agentNames: string[] = [];
  let theme = world.theme;
  const style = createStyle(
    world.env,
    () => agentNames,
    () => theme,
  );
  const nowMs = () => clock.now().getTime();
  const completions = emptyCompletions();
  const ending = new AbortController();
  const told = (background: "light" | "dark") => {
    theme = background;
    pane.refresh();
  };
  const asks = terminal && style.colour && theme === "auto" && canTell(world.env);
  const pane = openPane({
    terminal: asks ? askingBackground(terminal, told) : terminal,
    write: (text) => world.stdout.write(text),
    style,
    name: soloAgent,
    term: world.env["TERM"],
    now: clock.monotonicMs,
    editor: editorOf(world, disk, completions),
    onLeave: () => ending.abort(),
  });
  const attended: Attended = {
    world,
    flags,
    pane,
    style,
    completions,
    wake: waker(),
    resumable: {},
    ending,
    declined: {},
    agentNames,
    nowMs,
  };
  let signalled = false;
  const stopSignals = world.onSignal(() => {
    signalled = true;
    ending.abort();
  });
  try {
    pane.refresh();
    const { runOnScreen } = await import("./run-on-screen.ts");
    await runOnScreen(attended, prompt);
  } finally {
    stopSignals();
    pane.close();
    const { id } = attended.resumable;
    // A session belongs to its folder, and cannot be resumed without it.
    if (id && !flags.endWhenDone && isFolder(disk, world.cwd)) world.stdout.write(`${resumeHint(id, sessionCommand(world))}\n`);
  }
  // A demo ends by itself, so it was interrupted if the person ended it.
  const isInterrupted = ending.signal.aborted || attended.lastEnd === "aborted";
  return signalled || (flags.endWhenDone && isInterrupted) ? 130 : 0;
}
