// What is wrong with a plan's test commands, known before a token is spent: no rule allows them, or their program is nowhere.
import type { Plan } from "../../batch/plan.ts";
import { allowsFor, programOf } from "../../batch/test-commands.ts";
import { settingsFlags } from "../agent-flags.ts";
import { openSettings } from "../open-settings.ts";
import { policyHere } from "../policy-here.ts";
import type { World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";

/** Sentences for the person who approves the plan; the units run all the same. */
export async function testWarnings(world: World, { units }: Plan, flags: BatchFlags): Promise<string[]> {
  const tests = [...new Set(units.map(({ test }) => test))];
  const missing = await missingPrograms(world, tests);
  const unallowed = flags.yes ? await withoutRule(world, tests, flags) : [];
  return [
    ...missing.map((program) => `The tests need ${program}, which is neither on PATH nor in this repository.`),
    ...(unallowed.length === 0
      ? []
      : [
          `No rule allows ${unallowed.length === tests.length ? "the test commands" : unallowed.slice(0, 5).join(", ")}, and --yes grants none: ` +
            `units with them will fail. Stop, and start with: ${allowsFor(unallowed).map(flagText).join(" ")}`,
        ]),
  ];
}

const flagText = (rule: string) => `--allow '${rule.replaceAll("'", "'\\''")}'`;

/** Those that a unit's agent, which nobody answers, would not be allowed. */
async function withoutRule(world: World, tests: string[], flags: BatchFlags): Promise<string[]> {
  const [{ locate }, { decide }] = await Promise.all([import("../../permissions/call.ts"), import("../../permissions/decision.ts")]);
  const settings = await openSettings(world, settingsFlags({ ...flags, permissionMode: flags.permissionMode ?? "acceptEdits" }));
  const { policy, real } = await policyHere(world, settings);
  const decided = await Promise.all(
    tests.map(async (command) => decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision),
  );
  return tests.filter((_, index) => decided[index] !== "allow");
}

async function missingPrograms({ edges, env, cwd }: World, tests: string[]): Promise<string[]> {
  const [disk, { join, resolve }] = await Promise.all([edges.disk(), import("node:path")]);
  const places = (env["PATH"] ?? "").split(":").filter(Boolean);
  const isThere = (program: string) =>
    program.includes("/")
      ? disk.size(resolve(cwd, program)) !== undefined
      : places.some((place) => disk.size(join(place, program)) !== undefined);
  return [...new Set(tests.map(programOf))].filter((program) => program !== undefined).filter((program) => !isThere(program));
}
