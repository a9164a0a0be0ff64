// Runs what argv asks for: a member's process, the check of a commit, or a command of the tree. Prints errors and returns the exit code.

import type { SessionFlags } from "../app/agent-flags.ts";
import { asTyped } from "../app/controls/as-typed.ts";
import { faultText } from "../app/disk-fault.ts";
import { errorLine } from "../app/print/error-line.ts";
import { type ExitCode, LeftBeforeStart, UsageError, type World } from "../app/world.ts";

/** Never throws: prints errors itself and resolves with the exit code. */
export async function run(world: World): Promise<ExitCode> {
  try {
    return await (member(world) ?? commitCheck(world) ?? plainSession(world) ?? command(world));
  } catch (error) {
    return await exitCodeOf(error, world);
  }
}

/** The program starts its members itself with exactly these words, so their processes need not load the command tree. */
function member(world: World): Promise<ExitCode> | undefined {
  const [role, flag, launch, ...rest] = world.argv;
  if (role === "hands" && launch !== undefined) return hands(world, [flag, launch, ...rest]);
  if (flag !== "--launch" || launch === undefined || rest.length > 0) return undefined;
  if (role === "teammate")
    return import("../app/team/member/teammate.ts").then(({ runTeammateProcess }) => runTeammateProcess(world, launch));
  if (role === "lead") return import("../app/team/lead/lead-pane.ts").then(({ runLeadInPane }) => runLeadInPane(world, launch));
  if (role === "unit") return import("../app/batch/unit-process.ts").then(({ runUnitProcess }) => runUnitProcess(world));
  return undefined;
}

/** At a place (places/start-hands.ts): the last word is its folder. */
function hands(world: World, [flag, ...words]: (string | undefined)[]): Promise<ExitCode> | undefined {
  const [name, folder] = words.length === 2 ? words : [undefined, words[0]];
  if (folder === undefined || words.length > 2 || (flag !== "--link" && name === undefined)) return undefined;
  return import("../app/places/hands.ts").then(({ attachToHands, runHands }) => {
    if (flag === "--attach" && name !== undefined) return attachToHands(world, { folder, name });
    return runHands(world, { folder, ...(name !== undefined && { name }) });
  });
}

/** Started by a hook of git for each commit of an agent: without the command tree it takes two thirds of the time. */
function commitCheck(world: World): Promise<ExitCode> | undefined {
  if (world.argv.join(" ") !== "secrets look-through") return undefined;
  return import("./look-through.ts").then(({ lookThrough }) => lookThrough(world));
}

/** A plain `tool` skips the command tree, which would take longer to load than the screen. */
function plainSession(world: World): Promise<ExitCode> | undefined {
  const flags = plainFlags(world.argv);
  if (!flags || !world.stdin.isTTY || !world.stdout.isTTY) return undefined;
  return import("../app/session/screen/attended-session.ts").then(({ runAttended }) => runAttended(world, { prompt: undefined, flags }));
}

/** Parses the most common command lines as the command tree would: no words, or flags with a plain value. */
function plainFlags(argv: string[]): SessionFlags | undefined {
  const flags: SessionFlags = { outputFormat: "text", allow: [], deny: [] };
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index];
    const value = argv[index + 1];
    if (word === "--continue" || word === "-c") flags.continue = true;
    else if ((word === "--model" || word === "--script") && value && !value.startsWith("-")) {
      flags[word === "--model" ? "model" : "script"] = value;
      index++;
    } else return undefined;
  }
  return flags;
}

async function command(world: World): Promise<ExitCode> {
  const { runCommand } = await import("./command-tree.ts");
  return runCommand(world);
}

/** Of an error that only the process itself has noticed, at work that nobody waited for. */
export function uncaughtText(error: unknown, world: Pick<World, "argv" | "configDir" | "command" | "env" | "stdin" | "stdout">): string {
  const fault = faultText(error, world).replace(/\.$/, "");
  const isSession = world.stdin.isTTY && world.stdout.isTTY && world.argv[1] !== "--launch";
  const goOn = isSession ? ` To continue the session that ran here: ${world.command} --continue` : "";
  return errorLine(`This process has failed and ends: ${fault}.${goOn}`);
}

async function exitCodeOf(error: unknown, world: World): Promise<ExitCode> {
  const isUsage = error instanceof UsageError;
  const hasLeft = error instanceof LeftBeforeStart;
  const text = isUsage || hasLeft ? asTyped(error.message, world.command).replaceAll("\n", "\n      ") : faultText(error, world);
  const { fitted } = await import("../app/print/fitted.ts");
  world.stderr.write(await fitted(world.stderr, errorLine(text)));
  return isUsage ? 2 : hasLeft ? 130 : 1;
}
