// What several outputs have in common, each described once in docs/scripting.md.
import { z } from "zod";
import { denialSchema } from "../../src/agent/result/outcome.ts";
import { teamEventSchema } from "../../src/board/event.ts";
import { messageSchema } from "../../src/board/messages/message.ts";
import { taskSchema } from "../../src/board/tasks/task.ts";
import { handsFactsSchema } from "../../src/places/hands-facts.ts";
import { teamReportSchema } from "../../src/team/report/report.ts";
import { evidenceSchema } from "../../src/wording/evidence.ts";

export const text = z.string();
export const number = z.number();
export const flag = z.boolean();
export const ok = z.boolean();
/** ISO 8601, UTC. */
export const time = z.string();
export const list = <T extends z.ZodType>(item: T) => z.array(item);
export const object = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape);
export const one = <const T extends readonly string[]>(...words: T) => z.enum(words);
/** Several objects, of which one is printed. */
export const either = (...options: z.ZodObject[]) => z.union(options);

/** The name of a shape, by its schema. */
export const shapes = z.registry<{ name: string }>();

function shape<T extends z.ZodType>(name: string, schema: T): T {
  shapes.add(schema, { name });
  return schema;
}

export const money = z.number().nullable();

const usage = shape(
  "Usage",
  object({ input_tokens: number, output_tokens: number, cache_creation_input_tokens: number, cache_read_input_tokens: number }),
);
export const denial = shape("Denial", denialSchema.extend({ agent: text.describe("whose call it was; `ada/probe` is an agent of `ada`") }));
export const failure = shape("Failure", object({ item: text, error: text, agent: text }));
export const evidence = shape("Evidence", evidenceSchema);
export const hands = shape("Hands", handsFactsSchema.strict());
export const teamEvent = shape("Team event", teamEventSchema);
export const task = shape("Task", taskSchema);
export const message = shape("Message", messageSchema);
export const refusal = shape(
  "Refusal",
  object({ ok: z.literal(false), error: object({ code: text.describe("the same in every version"), message: text }) }),
);

const { tasks: reportedTasks, ...report } = teamReportSchema.shape;
export const teamReport = {
  ...report,
  tasks: list(shape("Reported task", reportedTasks.element.extend({ evidence: evidence.nullable() }))),
  members: list(text).describe("teammates, in the order of joining"),
  cost_usd: money,
  permission_denials: list(denial),
  failures: list(failure),
};

const goal = object({
  condition: text,
  reached: flag,
  checks: list(object({ holds: flag, how: text, files: list(text), said: text })),
  turns: number,
  cost_usd: money,
});
export const runResult = shape(
  "Result",
  object({
    type: z.literal("result"),
    ok,
    session_id: text,
    ending: one("done", "denied", "max_turns", "budget", "aborted", "repeats_itself", "stopped_by_hook", "not_reached", "fault"),
    reason: text.optional().describe("why it is not `done`"),
    result: text.describe("the last text of the agent"),
    model: text,
    turns: number.describe("requests that were answered"),
    duration_ms: number,
    api_ms: number.describe("of that, waiting for the provider"),
    tool_ms: number.describe("of that, running calls; those side by side count each"),
    usage,
    cost_usd: money,
    goal: goal.optional(),
    hands: hands.optional().describe("of a session at a place"),
    permission_denials: list(denial),
    failures: list(failure),
    exit_code: number,
  }),
);

export const mistake = shape(
  "Mistake",
  object({ level: one("error", "warning"), found: text, action: text, file: text, line: number.optional() }),
);
export const checkedFiles = object({
  ok,
  files: number,
  usable: number,
  errors: number,
  warnings: number,
  checked: list(object({ file: text, name: text.nullable(), usable: flag })),
  mistakes: list(mistake),
});

export const setting = {
  name: text,
  value: z.unknown().describe("what counts here; null if there is none"),
  default: z.unknown(),
  help: text,
  repository: list(one("restricts", "trusted")).describe("what the file of a repository may do with it"),
  variables: list(text).describe("variables that count before it"),
  variable: text.nullable().describe("the one that does"),
  sources: list(object({ scope: text, file: text.optional(), value: z.unknown(), counts: one("yes", "once trusted", "never") })),
};

const definition = {
  name: text,
  description: text,
  scope: text,
  file: text,
  model: text,
  tools: list(text).optional().describe("absent: all"),
  disallowed_tools: list(text),
  max_turns: number.nullable(),
  permission_mode: text.nullable(),
  background: flag,
  context: one("fresh", "fork"),
  skills: list(text),
  isolation: text.optional(),
  mcp_servers: list(text).nullable().describe("null: those of its parent"),
  color: text.optional(),
  effort: text.optional(),
};
export const agentDefinition = shape("Definition", object(definition));
export const agentWithPrompt = object({ ...definition, prompt: text });

const skillFacts = {
  name: text,
  description: text,
  kind: one("skill", "command"),
  scope: text,
  file: text.nullable().describe("null for built-in ones"),
  sha256: text,
  bytes: number,
  context: text,
  model: text.optional(),
  allowed_tools: list(text).nullable().describe("null: all that the agent has"),
  argument_hint: text.nullable(),
  by_model: flag,
  by_person: flag,
  needs_git: flag,
};
export const skill = shape("Skill", object(skillFacts));
export const skillWithBody = object({ ...skillFacts, body: text });

export const changes = shape(
  "Change set",
  object({
    id: text,
    what: text,
    by: text,
    evidence: text,
    tests_failed: flag,
    at_work: flag,
    branch: text.optional(),
    worktree: text.nullable().optional(),
    part_of: text.optional().describe("in place of a branch: the change set that it is a part of"),
    from: text,
    tip: text,
    files: list(object({ path: text, kind: text, added: number.nullable(), removed: number.nullable() })),
    uncommitted: list(text),
    into: text.describe("how it would come into this tree"),
    into_files: list(text),
    conflicts_with: list(object({ id: text, files: list(text) })),
  }),
);

const range = object({ low: number, high: number });
export const estimate = shape("Estimate", object({ tokens: range, cost_usd: range.nullable(), from: text }));

const server = {
  name: text,
  state: text,
  kind: one("stdio", "http"),
  command: list(text).optional(),
  url: text.optional(),
  scope: text,
  file: text,
  line: number,
  hides: list(z.unknown()).describe("entries of the same name in weaker files"),
  tools: number.nullable().describe("null if it was never started"),
};
export const mcpServer = shape("Server", object(server));
export const mcpServerAdded = object({
  ok,
  server: text,
  file: text,
  checked: object({ tools: number.optional(), reason: text.optional(), needs_login: flag.optional() })
    .nullable()
    .describe("null with `--no-check`"),
});
export const mcpServerWhole = object({ ...server, entry: z.unknown().describe("as it is configured"), catalog: z.unknown() });
