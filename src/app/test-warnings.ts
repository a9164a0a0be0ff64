// Warns about the test commands of a batch or a team before any tokens are spent: no rule allows them, or their program is missing.
import { allowsFor, programOf } from "../batch/test-commands.ts";
import type { SandboxState } from "../permissions/policy.ts";
import { quotedWord } from "../wording/shell-word.ts";
import { type AgentFlags, settingsFlags } from "./agent-flags.ts";
import { openSettings } from "./settings/open-settings.ts";
import { policyHere } from "./settings/policy-here.ts";
import type { World } from "./world.ts";

/** `tests`: each once. `otherwise`: why a rule is needed and what happens without one; absent if that is no matter for a warning. */
export type TestsToRun = { tests: string[]; flags: AgentFlags; otherwise: string | undefined };

/** Warnings for the person who starts it; it runs anyway. */
export async function testWarnings(world: World, { tests, flags, otherwise }: TestsToRun): Promise<string[]> {
  const missing = await missingPrograms(world, tests);
  const unallowed = otherwise === undefined ? undefined : await withoutRule(world, { tests, flags });
  return [
    ...missing.map((program) => `The tests need ${program}, which is neither on PATH nor in this repository.`),
    ...(unallowed ? [`No rule allows ${unallowed.named}, and ${otherwise} Stop, and start with: ${unallowed.rules}`] : []),
  ];
}

const flagText = (rule: string) => `--allow ${quotedWord(rule)}`;

/** `sandbox`: how commands will be confined; absent: as the settings say. */
type Judged = Pick<TestsToRun, "tests" | "flags"> & { sandbox?: SandboxState };

/** The tests that would be denied if nobody can be asked, and the flags that would allow them; undefined if there are none. */
export async function withoutRule(world: World, { tests, flags, sandbox }: Judged): Promise<{ named: string; rules: string } | undefined> {
  const [{ locate }, { decide }] = await Promise.all([import("../permissions/call.ts"), import("../permissions/decision.ts")]);
  const settings = await openSettings(world, settingsFlags(flags));
  const { policy: written, real } = await policyHere(world, settings);
  const policy = sandbox ? { ...written, sandbox } : written;
  const decided = await Promise.all(
    tests.map(async (command) => decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision),
  );
  const unallowed = tests.filter((_, index) => decided[index] !== "allow");
  if (unallowed.length === 0) return undefined;
  const named = tests.length > 1 && unallowed.length === tests.length ? "the test commands" : unallowed.slice(0, 5).join(", ");
  return { named, rules: allowsFor(unallowed).map(flagText).join(" ") };
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
