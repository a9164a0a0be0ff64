// Starts a team: checks the flags and chooses a display before anything is written.
import { chooseDisplay, isDisplayMode, type Wishes } from "../../team/display/choose-display.ts";
import { settingsFlags } from "../agent-flags.ts";
import { promptOf } from "../print/stdin-prompt.ts";
import { openSettings } from "../settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { runTeam } from "./run-team.ts";
import type { Flags } from "./team-run.ts";

/** Runs a team to its end. Throws UsageError, with nothing written, if it cannot be started as requested. */
export async function startTeam(world: World, { prompt, flags }: { prompt: string | undefined; flags: Flags }): Promise<ExitCode> {
  if (flags.outputFormat !== "text" && !flags.print)
    throw new UsageError(`--${flags.json ? "json" : "output-format"} needs --print. Add it.`);
  if (flags.demo && flags.teammate)
    throw new UsageError("--teammate cannot be used with --demo, whose teammates are scripted. Leave one of them out.");
  if (flags.demo && flags.worktrees) throw new UsageError("--worktrees cannot be used with --demo. Leave one of them out.");
  if (flags.demo && flags.places !== undefined)
    throw new UsageError("--places cannot be used with --demo, whose team works in one tree. Leave one of them out.");
  await checkTest(flags);
  if (flags.demo && flags.resume !== undefined)
    throw new UsageError("--resume cannot be used with --demo: the demo's copy of the program is removed at its end.");
  const facts = await world.edges.displayFacts(world.env);
  const attended = facts.terminal && !flags.print;
  const wishes = { flag: flags.display, env: world.env["TOOL_DISPLAY_MODE"] };
  const configured = await configuredDisplays(world, wishes.flag || wishes.env, flags);
  const choice = chooseDisplay({ ...wishes, ...configured, facts: { ...facts, terminal: attended } });
  if (!choice.ok) throw new UsageError(choice.reason);
  if (flags.demo) return (await import("./run-demo.ts")).runDemo(world, { flags, choice, attended });
  const resume = typeof flags.resume === "string" ? flags.resume : undefined;
  // A resumed team has work to do, so it does not wait for piped input.
  const nothingPiped = attended || (flags.resume !== undefined && prompt === undefined);
  const { typed, piped } = nothingPiped ? { typed: prompt } : await promptOf(world, prompt);
  const run = { prompt: typed, piped, flags, choice, attended };
  if (flags.resume !== undefined) return (await import("./resume-team.ts")).resumeTeam(world, resume, run);
  return runTeam(world, { ...run, cwd: world.cwd });
}

/** Only commands that a batch's plan may contain too, so that one permission covers exactly one command. */
async function checkTest({ test, worktrees, resume }: Flags): Promise<void> {
  if (test === undefined) return;
  if (!worktrees && resume === undefined)
    throw new UsageError("--test needs --worktrees, whose merged work it tests. Add --worktrees, or leave --test out.");
  const { plainCommand } = await import("../../batch/plan/plan.ts");
  const read = plainCommand.safeParse(test);
  if (!read.success) throw new UsageError(`--test ${JSON.stringify(test)} ${read.error.issues[0]?.message}.`);
}

/** The person's settings about displays; they are read unless a built-in one was named. */
async function configuredDisplays(world: World, wish: string | undefined, flags: Flags): Promise<Pick<Wishes, "setting" | "drivers">> {
  if (wish && isDisplayMode(wish)) return {};
  const { display, displays } = (await openSettings(world, settingsFlags(flags))).effective;
  return { ...(display !== undefined && { setting: display }), drivers: displays };
}
