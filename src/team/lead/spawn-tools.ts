// The two tools that only a lead has: starting and stopping a teammate.
import { z } from "zod";
import { modelNamed, unknownModel } from "../../agent/requests/prices.ts";
import { type Effort, efforts } from "../../agent/requests/thinking.ts";
import type { Task } from "../../board/tasks/task.ts";
import type { PlaceRoom } from "../../places/free-place.ts";
import type { AnyTool, Tool, ToolResult } from "../../tools/tool.ts";
import { stoppedResult } from "../prompt.ts";
import type { FoundRole, Role } from "../role.ts";

/** `place`: where its hands are, if not on this machine. */
export type SpawnOutcome = { ok: true; place?: string | undefined } | { ok: false; reason: string };
/** `left`: the task that the teammate had in progress, in its current state. */
export type StopOutcome = { ok: true; left: Task | undefined } | { ok: false; reason: string };

/** `duty`: its purpose, which the others see. `model`: an id; the lead's when absent, and so is its effort. */
export type TeammateOrder = {
  name: string;
  prompt?: string;
  duty?: string;
  model?: string;
  effort?: Effort;
  role?: Role;
  /** A program of the person's, by its name in their settings, instead of an agent of ours. */
  program?: string;
  /** A place of the person's for its hands, which stay there; absent: one of the team's that has room, if the team has places. */
  place?: string;
};

export type Spawner = {
  /** The definition of that name as a role, as its file is now. */
  roleNamed(name: string): Promise<FoundRole>;
  spawn(order: TeammateOrder): Promise<SpawnOutcome>;
  stop(name: string): Promise<StopOutcome>;
};

const spawnInput = z.strictObject({
  name: z.string().describe("a-z, 0-9 and -, at most 40 characters; never used before in this team"),
  prompt: z.string().optional().describe("what this teammate should know or attend to, beyond its tasks"),
  duty: z.string().max(200).optional().describe("what it is there for, in a few words; all teammates see it"),
  role: z.string().optional().describe("one of the roles above: its instructions, tools and model; none when left out"),
  model: z.string().optional().describe("small, medium, large or a model's id; the role's or yours when left out"),
  effort: z.enum(efforts).optional().describe("how much it thinks; the role's or as you when left out"),
});

const stopInput = z.strictObject({ name: z.string() });

/** `roles`: a line for each definition that a teammate may work by. `places`: the team's, where teammates' hands may be. */
export function spawnTools(staff: Spawner, { roles = "", places = [] }: { roles?: string; places?: readonly PlaceRoom[] } = {}): AnyTool[] {
  const names = places.map(({ name }) => name);
  const placed = () =>
    spawnInput.extend({ place: z.enum(names).optional().describe("where its files and commands are; a free one of these when left out") });
  const spawn: Tool<z.infer<typeof spawnInput> & { place?: string }> = {
    name: "SpawnTeammate",
    description: `Starts a teammate. It claims tasks by itself. 2 to 4 teammates are recommended.${roles && `\nRoles:\n${roles}`}`,
    input: names.length > 0 ? placed() : spawnInput,
    readOnly: false,
    sideBySide: true,
    goesFirst: true, // a task of the same reply may name it
    subject: ({ name }) => name,
    async run({ role, ...wanted }) {
      const { name } = wanted;
      const result = await startTeammate(staff, wanted, role);
      if (!result.ok) return failure(result.reason);
      return success(`${name} has started${result.place === undefined ? "" : `, with its hands at ${result.place}`}.`, "started");
    },
  };
  const stop: Tool<z.infer<typeof stopInput>> = {
    name: "StopTeammate",
    description: "Ends a teammate. Its task becomes blocked, and you can release it to another.",
    input: stopInput,
    readOnly: false,
    subject: ({ name }) => name,
    async run({ name }) {
      const result = await staff.stop(name);
      return result.ok ? success(stoppedResult(name, result.left), "stopped") : failure(result.reason);
    },
  };
  return [spawn, stop];
}

/** Starts a teammate, with model and role given by name. */
export async function startTeammate(
  staff: Spawner,
  { model: wanted, ...order }: Omit<TeammateOrder, "role">,
  roleName: string | undefined,
): Promise<SpawnOutcome> {
  const refused = (why: string) => ({ ok: false, reason: `Cannot start "${order.name}": ${why}` }) as const;
  const found = roleName === undefined ? undefined : await staff.roleNamed(roleName);
  if (found && !found.ok) return refused(found.reason);
  const model = wanted === undefined ? found?.role.model : modelNamed(wanted);
  const unknown = model === undefined ? undefined : unknownModel(model);
  if (unknown) return refused(unknown);
  return staff.spawn({ ...order, ...(model !== undefined && { model }), ...(found && { role: found.role }) });
}

function success(text: string, summary: string): ToolResult {
  return { text, isError: false, summary };
}

function failure(text: string): ToolResult {
  return { text, isError: true, summary: "refused" };
}
