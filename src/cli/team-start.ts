// `tool team [prompt]`: chooses a display, makes the team, and runs its lead here or in the first pane of a tmux server of the team's own.
import { type Command, InvalidArgumentError, Option } from "commander";
import { createTeam } from "../board/create-team.ts";
import { teamLayout, teamsFolder } from "../board/layout.ts";
import { permissionModes } from "../permissions/policy.ts";
import { wrap } from "../screen/screen.ts";
import { createStyle } from "../screen/style.ts";
import { teamEndText } from "../screen/team-report.ts";
import { detachedText } from "../screen/team-status.ts";
import { sizeAdvice } from "../team/advice.ts";
import { chooseDisplay, type DisplayChoice } from "../team/choose-display.ts";
import { demo, type ScratchRepository } from "../team/demo.ts";
import { displayModes } from "../team/display.ts";
import type { Launch } from "../team/launch.ts";
import { readExit } from "../team/member-files.ts";
import type { TeamOptions } from "../team/place.ts";
import { readResult, type TeamResult } from "../team/result.ts";
import { runLeadProcess } from "./lead.ts";
import { allTeams } from "./open-team.ts";
import type { Finish } from "./team.ts";
import { type Environment, type ExitCode, UsageError, type World } from "./world.ts";

type Flags = {
  teammates?: number;
  display?: string;
  demo?: boolean;
  print?: boolean;
  json?: boolean;
  model?: string;
  permissionMode?: Launch["options"]["permissionMode"];
  allow: string[];
  deny: string[];
  script?: string;
  maxTurns?: number;
  budgetUsd?: number;
  leadMayEdit?: boolean;
};

/** Adds the arguments and the action to `tool team` itself. */
export function addTeamStart(team: Command, world: World, finish: Finish): void {
  team
    .argument("[prompt]", "what the team is to do")
    .option("--teammates <n>", "how many teammates the lead starts (2 to 4 are recommended)", positiveInteger)
    .option("--display <mode>", `where teammates are shown: ${displayModes.join(", ")}`)
    .option("-p, --print", "no screen: one line per fact, then the summary; ends when the work is done")
    .option("--json", "with --print: the summary as JSON on standard output, the lines on standard error")
    .option("--demo", "a scripted team on a scratch copy of a small program; no key, no network")
    .option("--model <model>", "the model of all members")
    .addOption(new Option("--permission-mode <mode>", "what needs no question").choices(permissionModes))
    .option("--allow <rule>", "a permission rule, such as 'Bash(npm test)'; may be repeated", append, [])
    .option("--deny <rule>", "a rule for what is never done; may be repeated", append, [])
    .option("--script <file>", "answers come from a script for the scripted model instead of a provider")
    .option("--max-turns <n>", "an agent that reaches it fails, and its task is blocked", positiveInteger)
    .option("--budget-usd <x>", "an agent that has spent it stops", positiveNumber)
    .option("--lead-may-edit", "the lead may also write files and run commands")
    .addHelpText(
      "after",
      `
Examples:
  tool team "Port the report module to the new parser"
  tool team --print --allow Edit --allow 'Bash(npm test)' "Fix the failing tests" > team.log
  tool team --demo`,
    )
    .action(async (prompt: string | undefined, flags: Flags) => finish(await startTeam(world, team, { prompt, flags })));
}

async function startTeam(world: World, team: Command, { prompt, flags }: { prompt: string | undefined; flags: Flags }): Promise<ExitCode> {
  refuseTypo(team, prompt);
  if (flags.json && !flags.print) throw new UsageError("--json goes with --print.");
  const facts = await world.edges.displayFacts(world.env);
  const attended = facts.terminal && !flags.print;
  if (!attended && !prompt && !flags.demo)
    throw new UsageError('nothing to do: give a prompt, such as tool team --print "Fix the failing tests".');
  const choice = chooseDisplay({ flag: flags.display, env: world.env["TOOL_DISPLAY_MODE"], facts: { ...facts, terminal: attended } });
  if (!choice.ok) throw new UsageError(choice.reason);
  if (!flags.demo) return runTeam(world, { prompt, flags, choice, attended, cwd: world.cwd });
  return runDemo(world, { flags, choice, attended });
}

/** A single word that looks like a subcommand is more likely a slip than a task for a team. */
function refuseTypo(team: Command, prompt: string | undefined): void {
  if (!prompt || !/^[a-z]{3,12}$/.test(prompt)) return;
  const names = team.commands.map((command) => command.name());
  throw new UsageError(`"${prompt}" is not a command of tool team (${names.join(", ")}), and a team needs more than one word to go on.`);
}

type Choice = Extract<DisplayChoice, { ok: true }>;
type Run = {
  prompt: string | undefined;
  flags: Flags;
  choice: Choice;
  attended: boolean;
  cwd: string;
  scratch?: ScratchRepository;
  /** Aborts at a signal that came while there was no lead yet to take it. */
  interrupted?: AbortSignal;
};

async function runDemo(world: World, { flags, choice, attended }: Pick<Run, "flags" | "choice" | "attended">): Promise<ExitCode> {
  const interrupted = new AbortController();
  const stopSignals = world.onSignal(() => interrupted.abort()); // the team ends first, then the copy goes
  const scratch = await world.edges.scratchRepository(`${world.packageDir}/${demo.repository}`);
  try {
    const own: Flags = {
      ...flags,
      script: flags.script ?? `${world.packageDir}/${demo.script}`,
      allow: [...flags.allow, ...demo.allow],
      teammates: demo.teammates,
      demo: true,
    };
    const cwd = scratch.path;
    return await runTeam(world, { prompt: demo.prompt, flags: own, choice, attended, cwd, scratch, interrupted: interrupted.signal });
  } finally {
    stopSignals();
    if (await isAtWork(world, scratch.path)) world.stdout.write(`Its copy of the program stays in ${scratch.path}\n`);
    else scratch.remove();
  }
}

/** Whether a living lead works in that folder: who detaches leaves a team that goes on. */
async function isAtWork(world: World, cwd: string): Promise<boolean> {
  return (await allTeams(world)).some(({ board }) => {
    const read = board.record();
    return read.ok && read.record.cwd === cwd && board.holder("lead") !== undefined;
  });
}

async function runTeam(world: World, run: Run): Promise<ExitCode> {
  const { flags, choice, attended, scratch, cwd, interrupted } = run;
  const problem = await world.edges.modelProblem({ env: world.env, script: flags.script, paced: false });
  if (problem) throw new UsageError(`${problem} Nothing was started.`);
  const launch = await newTeam(world, run);
  const out = flags.json ? world.stderr : world.stdout;
  const print = (text: string) => out.write(text);
  const before = scratch && (await scratch.test());
  if (interrupted?.aborted) return 130;
  const styleEnv = attended || world.stdout.isTTY ? world.env : { ...world.env, NO_COLOR: "1" };
  const opening = openingLines(run, { team: launch.team, before: before?.summary });
  const result =
    attended && choice.mode === "tmux" && choice.where === "private"
      ? await leadInPrivateServer(world, launch, { opening, print })
      : await leadHere(world, { launch, choice, attended, styleEnv, opening, print, cwd, interrupted });
  if (result === "detached") return 0;
  const report = teamEndText(
    result,
    createStyle(styleEnv, () => result.report.members),
  );
  print(`\n${out.isTTY ? wrap(report, Math.min(out.columns, 100), 2) : report}\n`);
  const checked = scratch && (await scratch.test());
  if (checked)
    print(
      `Checked: node --test → ${checked.summary} (before: ${before?.summary}). ${(await scratch.changes()) || "No file changed"}.\n${demo.notice}\n`,
    );
  const code = checked && !checked.green && result.code === 0 ? 1 : result.code;
  if (flags.json) world.stdout.write(`${JSON.stringify({ ...result.report, ended: result.end.how, exit_code: code, checked })}\n`);
  return code;
}

/** Makes the team's folder under the first free name, and the lead's launch. */
async function newTeam(world: World, { prompt, flags, choice, attended, cwd }: Run): Promise<Launch> {
  const [disk, lock, clock] = await Promise.all([world.edges.disk(), world.edges.lock(), world.edges.clock()]);
  const folder = teamsFolder(world.configDir);
  const taken = new Set(disk.list(folder));
  const team = freeName(flags.demo ? ["demo"] : teamNames, taken);
  const graceSeconds = Number(world.env["TOOL_LEAD_GRACE_SECONDS"] ?? defaultGraceSeconds);
  const leadGraceMs = (Number.isFinite(graceSeconds) && graceSeconds >= 0 ? graceSeconds : defaultGraceSeconds) * 1000;
  const recorded: TeamOptions = { where: choice.where, lead_grace_ms: leadGraceMs };
  const created = createTeam({ disk, lock, clock }, `${folder}/${team}`, { name: team, cwd, members: ["lead"], options: recorded });
  if (!created.ok) throw new UsageError(created.reason);
  const { model, script, allow, deny, permissionMode, maxTurns, budgetUsd, display, teammates, leadMayEdit } = flags;
  return {
    version: 1,
    role: "lead",
    team,
    name: "lead",
    session: world.uniqueId(),
    cwd,
    configDir: world.configDir,
    nonce: world.uniqueId(),
    env: Object.fromEntries(Object.entries(world.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    prompt,
    options: {
      model,
      script,
      attended,
      allow,
      deny,
      permissionMode,
      maxTurns,
      budgetUsd,
      leadGraceMs,
      display,
      teammates,
      leadMayEdit,
      endWhenDone: !attended || flags.demo === true,
    },
  };
}

const defaultGraceSeconds = 120;

/** Short, easy to type, and apart from each other. */
const teamNames = ["atlas", "birch", "cedar", "delta", "ember", "flint", "grove", "heron", "inlet", "juniper", "kestrel", "larch"];

function freeName(names: string[], taken: ReadonlySet<string>): string {
  for (let round = 1; ; round++) {
    const free = names.map((name) => (round === 1 ? name : `${name}-${round}`)).find((name) => !taken.has(name));
    if (free) return free;
  }
}

function openingLines({ flags, choice, attended }: Run, { team, before }: { team: string; before: string | undefined }): string[] {
  const look = choice.where === "detached" ? `Look: tool team attach --team ${team}  ` : "";
  const stop = attended ? "Stop: Ctrl-C twice." : `Stop: tool team stop --team ${team}`;
  return [
    `Team ${team}: ${placeWords[choice.where]} (${choice.why}). ${look}${stop}`,
    `Watch: tool team status --team ${team} --watch`,
    ...sizeAdvice(flags.teammates),
    ...(before ? [`The tests of the copy before the team starts: ${before}`, demo.notice] : []),
  ];
}

const placeWords: Record<Choice["where"], string> = {
  beside: "tmux, beside this pane",
  private: "tmux, on a server of its own",
  detached: "detached tmux",
  tabs: "iTerm2 tabs",
  lead: "in this terminal",
  logs: "in log files",
};

type Here = {
  launch: Launch;
  choice: Choice;
  attended: boolean;
  styleEnv: Environment;
  opening: string[];
  print: (text: string) => void;
  cwd: string;
  interrupted: AbortSignal | undefined;
};

async function leadHere(world: World, { launch, choice, attended, styleEnv, opening, print, cwd, interrupted }: Here): Promise<TeamResult> {
  const layout = teamLayout(`${teamsFolder(world.configDir)}/${launch.team}`);
  const display = await world.edges.display({
    choice,
    team: launch.team,
    owner: `${launch.session}:${launch.team}`,
    env: world.env,
    size: { columns: 200, rows: 50 },
    logOf: (name) => `${layout.member(name)}/output.log`,
  });
  return runLeadProcess({ ...world, cwd }, { launch, display, attended, styleEnv, opening, print, interrupted });
}

/** The lead runs in the first pane of a tmux server of the team's own, which this terminal shows until the person detaches or the team ends. */
async function leadInPrivateServer(
  world: World,
  launch: Launch,
  { opening, print }: { opening: string[]; print: (text: string) => void },
): Promise<TeamResult | "detached"> {
  const disk = await world.edges.disk();
  const layout = teamLayout(`${teamsFolder(world.configDir)}/${launch.team}`);
  const path = `${layout.member("lead")}/launch.json`;
  disk.replace(path, JSON.stringify({ ...launch, opening } satisfies Launch));
  const argv = [...world.self, "lead", "--launch", path];
  const server = await world.edges.startPrivateServer({
    team: launch.team,
    owner: `${launch.session}:${launch.team}`,
    argv,
    cwd: launch.cwd,
    env: world.env,
  });
  const how = await world.edges.attach(server.socket, world.env);
  if (how === "detached") {
    print(`${detachedText(launch.team)}\n`);
    return "detached";
  }
  const result = readResult(disk, layout);
  if (result) return result;
  const exit = readExit(disk, layout, "lead");
  throw new Error(
    `The lead of team ${launch.team} ended without a report${exit?.detail ? `: ${exit.detail}` : ""}. Its log: tool team log --team ${launch.team}`,
  );
}

function append(value: string, all: string[]): string[] {
  return [...all, value];
}

function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return number;
}

function positiveNumber(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return number;
}
