// Validates the arguments of an operation: returns typed arguments, or the first refusal that applies.
import { z } from "zod";
import { nearestName } from "../wording/nearest-name.ts";
import { isBlank } from "./blank.ts";
import { type Refusal, type RefusalCode, refuse } from "./refusal.ts";
import { taskStatuses } from "./tasks/task.ts";

export const maxTitleLength = 200;

const text = z.string({ error: "must be a string" });
const assignee = text.nullable();
const taskId = z.string({ error: notAnId }).regex(/^task-\d+$/, { error: notAnId });
const dependencies = z.array(taskId, { error: "must be a list of task ids" });
const file = text
  .refine((path) => fileProblem(path) === undefined, { error: ({ input }) => fileProblem(String(input)) ?? "" })
  .overwrite((path) => segments(path).join("/"));
const files = z.array(file, { error: "must be a list of paths" }).max(200, { error: "a task names at most 200 files" });
const title = z
  .string({ error: "a title is required, a short text in one line" })
  .refine((value) => !isBlank(value), { error: "the title is blank" })
  .refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), { error: "a title is one line without control characters" })
  .refine((value) => characters(value) <= maxTitleLength, {
    error: ({ input }) =>
      `a title has at most ${maxTitleLength} characters, and this one has ${characters(String(input))}; put the rest into the description`,
  });
/** The most characters of a verify command; longer ones belong into a script. */
const maxVerifyLength = 200;
const verify = text
  .refine((value) => !isBlank(value) && !/[\p{Cc}\u2028\u2029]/u.test(value), { error: "a command in one line" })
  .refine((value) => value.length <= maxVerifyLength, {
    error: `a command of at most ${maxVerifyLength} characters; put a longer one into a script`,
  });
const status = z.enum(taskStatuses, { error: ({ input }) => `${shown(input)} is not a status; use one of ${taskStatuses.join(", ")}` });

/** The arguments of each operation. The schemas of the models' tools are made from the same table. */
export const operationArguments = {
  TaskCreate: z.strictObject({
    title,
    description: text.optional(),
    assignee: assignee.optional(),
    dependencies: dependencies.optional(),
    files: files.optional(),
    verify: verify.optional(),
  }),
  TaskUpdate: z.strictObject({
    id: taskId,
    status: status.optional(),
    summary: text.optional(),
    reason: text.optional(),
    assignee: assignee.optional(),
    dependencies: dependencies.optional(),
    files: files.optional(),
    verify: verify.nullable().optional(),
  }),
  TaskGet: z.strictObject({ id: taskId }),
  TaskList: z.strictObject({}),
  SendMessage: z.strictObject({ to: text, text }),
  Inbox: z.strictObject({ ack: z.array(text, { error: "must be a list of message ids" }).optional() }),
};
export type OperationName = keyof typeof operationArguments;
export type Arguments<Name extends OperationName> = z.infer<(typeof operationArguments)[Name]>;

/** Parses `raw` as the arguments of `name`. Null means "left out", except where it has a meaning of its own. */
export function readArguments<Name extends OperationName>(name: Name, raw: unknown): { ok: true; args: Arguments<Name> } | Refusal {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return refuse("bad_request", `Cannot run ${name}: its "args" must be an object, and ${shown(raw)} was found`);
  const schema: z.ZodObject = operationArguments[name];
  const given = Object.entries(raw).filter(
    ([key, value]) => (value ?? null) !== null || hasMeaningAsNull(key) || !Object.hasOwn(schema.shape, key),
  );
  const parsed = schema.safeParse({ ...blank[name], ...Object.fromEntries(given) });
  if (parsed.success) return { ok: true, args: parsed.data as Arguments<Name> };
  const refusals = parsed.error.issues.map((issue) => ({ code: codeOf(issue), reason: `Cannot run ${name}: ${sentence(issue, schema)}` }));
  const first = doorOrder.flatMap((code) => refusals.find((refusal) => refusal.code === code) ?? [])[0];
  return refuse(first?.code ?? "bad_request", first?.reason ?? `Cannot run ${name}`);
}

/** The order of refusals. Problems outside this list come last. */
export const doorOrder = ["unknown_field", "bad_id", "bad_title", "bad_status", "bad_request"] as const satisfies RefusalCode[];

/** A message without receiver or text gets the same refusal as one whose receiver or text is blank. */
const blank: Partial<Record<OperationName, Record<string, string>>> = { SendMessage: { to: "", text: "" } };

const codeOfField = new Map<unknown, (typeof doorOrder)[number]>([
  ["id", "bad_id"],
  ["title", "bad_title"],
  ["status", "bad_status"],
]);

type Issue = z.core.$ZodIssue;

function codeOf({ code, path }: Issue): (typeof doorOrder)[number] {
  if (code === "unrecognized_keys") return "unknown_field";
  if (path[0] === "dependencies" && path.length > 1) return "bad_id";
  return codeOfField.get(path[0]) ?? "bad_request";
}

function sentence(issue: Issue, schema: z.ZodObject): string {
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(schema.shape);
    const takes = known.length > 0 ? `it takes ${known.join(", ")}` : "it takes no arguments";
    return `${issue.keys.map(shown).join(", ")} ${issue.keys.length === 1 ? "is not an argument" : "are not arguments"}; ${takes}${meant(issue.keys, known)}`;
  }
  return `${shown(issue.path.join("."))}: ${issue.message}`;
}

/** Names of the command line, such as `depends`, and names with a mistake in them. */
function meant(keys: string[], known: string[]): string {
  const near = keys.flatMap(
    (key) => known.find((name) => key.length >= 4 && name.startsWith(key.slice(0, 4))) ?? nearestName(key, known) ?? [],
  );
  return near.length > 0 ? `. Did you mean ${[...new Set(near)].map(shown).join(", ")}?` : "";
}

/** `"assignee": null` removes the assignee. For a status or an id, null is a mistake. */
function hasMeaningAsNull(key: string): boolean {
  return key === "assignee" || key === "verify" || key === "status" || key === "id" || key === "title";
}

/** Counts code points: an emoji of several code points counts as several, a letter of any alphabet as one. */
function characters(value: string): number {
  return Array.from(value).length;
}

function notAnId({ input }: { input?: unknown }): string {
  return `${shown(input)} is not a task id; one looks like "task-3"`;
}

/** Checks the text of the path only: resolving links needs the disk. */
function fileProblem(path: string): string | undefined {
  if (isBlank(path) || /[\p{Cc}\u2028\u2029]/u.test(path)) return `${shown(path)} is not a path`;
  if (/[*?{}]/.test(path)) return `${shown(path)} is a pattern; name each file`;
  if (/^[/~]/.test(path) || segments(path).includes("..")) return `${shown(path)} is not below the working directory; name it from there`;
  return path.endsWith("/") || segments(path).length === 0 ? `${shown(path)} is a folder; name each file in it` : undefined;
}

function segments(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

/** A value as a message quotes it, shortened. */
function shown(value: unknown): string {
  const json = value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
