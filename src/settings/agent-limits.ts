// Limits for the agents that a session starts: the range of each setting, its default, and whose value applies.
import { z } from "zod";
import type { Scope } from "../permissions/policy.ts";
import { setting } from "./setting-meaning.ts";

type Limit = { least: number; most: number; without: number; help: string };

const agentLimits = {
  depth: { least: 1, most: 10, without: 3, help: "How many levels of agents may start others" },
  atOnce: { least: 1, most: 100, without: 10, help: "How many agents of a session work at the same time" },
  reportTokens: { least: 100, most: 100_000, without: 1_500, help: "The part of a conversation that an agent's report may take" },
  wallClockMinutes: { least: 1, most: 10_080, without: 60, help: "How long an agent may take" },
  noProgressMinutes: {
    least: 1,
    most: 10_080,
    without: 15,
    help: "How long an agent may take without an event: a token, a tool call, a line of a command",
  },
  promptBytes: { least: 200, most: 100_000, without: 1_500, help: "The bytes of every request that the list of agents may take" },
} as const satisfies Record<string, Limit>;

export type AgentLimit = keyof typeof agentLimits;
export type AgentLimits = Record<AgentLimit, number>;

const agentLimitNames = Object.keys(agentLimits) as AgentLimit[];

const agentModels = {
  coordinatorModel: setting(modelName(), { help: "The model of the built-in coordinator", repository: ["trusted"] }),
  workerModel: setting(modelName(), { help: "The model of the built-in workers", repository: ["trusted"] }),
};

/** The schema of these settings. */
export const agentSettings = z.strictObject({
  ...(Object.fromEntries(
    agentLimitNames.map((name) => {
      const { help, without, ...range } = agentLimits[name];
      return [name, setting(wholeNumber(range), { help, without, repository: ["restricts"] })];
    }),
  ) as Record<AgentLimit, z.ZodOptional<z.ZodNumber>>),
  ...agentModels,
});

export type AgentSettings = z.infer<typeof agentSettings>;

export const agentModelNames = Object.keys(agentModels) as (keyof typeof agentModels)[];

function modelName() {
  const error = "a model's name";
  return z.string({ error }).min(1, { error });
}

/** Errors of a setting complete "… must be". */
export function wholeNumber({ least, most }: { least: number; most: number }) {
  const error = `a whole number from ${least} to ${most}`;
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

type Given = { scope: Scope; file?: string; settings: { agents?: Partial<Record<AgentLimit, number | undefined>> | undefined } };

/** A repository's value beyond the user's limits, which is never applied. */
export type RefusedLimit = { what: string; file?: string };

/**
 * `strongestFirst`: among the user's own scopes the strongest applies. A repository can only lower a limit, and needs no trust for that.
 */
export function limitsIn(
  strongestFirst: readonly Given[],
  isRepository: (scope: Scope) => boolean,
): { limits: AgentLimits; refused: RefusedLimit[] } {
  const refused: RefusedLimit[] = [];
  const limits = {} as AgentLimits;
  for (const name of agentLimitNames) {
    const said = strongestFirst.flatMap(({ settings, scope, file }) => {
      const value = settings.agents?.[name];
      return value === undefined ? [] : [{ value, scope, file }];
    });
    const persons = said.find(({ scope }) => !isRepository(scope))?.value ?? agentLimits[name].without;
    const narrower = said.filter(({ scope, value }) => isRepository(scope) && value < persons).map(({ value }) => value);
    limits[name] = Math.min(persons, ...narrower);
    for (const { scope, value, file } of said) {
      const what = `agents.${name}: ${value}, above ${persons}`;
      if (isRepository(scope) && value > persons) refused.push({ what, ...(file !== undefined && { file }) });
    }
  }
  return { limits, refused };
}
