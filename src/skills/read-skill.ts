// Turns the text of one file into a skill. All mistakes are reported at once, each with its line.
import { createHash } from "node:crypto";
import type { DefinitionScope, Mistake } from "../subagents/definitions/definition.ts";
import type { ReadFrontMatter } from "../subagents/definitions/front-matter.ts";
import { type Noted, ourToolIn, type ReadKeys, readKeys, shown, toolNote } from "../subagents/definitions/read-keys.ts";
import type { ReadSkill, Skill, SkillKind } from "./skill.ts";
import { describingKeys, isSkillName, type SkillKey, skillKeys } from "./skill-keys.ts";

/** The text of one file as it was found. */
export type SkillSource = { text: string; file: string; scope: DefinitionScope; kind: SkillKind };

type Placed = Noted & { line: number };

/** Never throws. */
export function readSkill(source: SkillSource, readFrontMatter: ReadFrontMatter): ReadSkill {
  const read = keysOf(source, readFrontMatter);
  if (!read.ok) return read;
  const { values, given } = read;
  const body = read.body.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const further = [...nameFaults(values, source), ...descriptionFaults(given, source), ...bodyFaults(body), ...modelFaults(values, given)];
  const mistakes: Mistake[] = [...read.mistakes, ...further.map((mistake) => ({ ...mistake, file: source.file }))];
  mistakes.sort((a, b) => a.line - b.line);
  if (mistakes.some(({ level }) => level === "error")) return { mistakes };
  return { skill: skillOf(values, { ...source, body: whatFits(body, source) }), mistakes };
}

/** Front matter is optional in a command: without it the whole file is the body. */
function keysOf({ text, file, kind }: SkillSource, readFrontMatter: ReadFrontMatter): ReadKeys<typeof skillKeys> {
  if (kind === "command" && !/^\uFEFF?---/.test(text)) return { ok: true, values: {}, given: new Set(), body: text, mistakes: [] };
  const textKeys = ["description", "name", "when_to_use", "argument-hint", "allowed-tools"];
  return readKeys({ text, file }, readFrontMatter, { keys: skillKeys, textKeys, known: describingKeys, notes: toolNotes });
}

type Values = Partial<Record<SkillKey, unknown>>;

function skillOf(values: Values, { text, body, kind, scope, file }: SkillSource & { body: string }): Skill {
  const description = [values.description, values.when_to_use].filter(Boolean).join(" ");
  const tools = values["allowed-tools"] as string[] | undefined;
  const hint = values["argument-hint"] as string | undefined;
  return {
    name: (values.name as string | undefined) ?? placeName({ file, kind }),
    description,
    body: body.trim(),
    ...(tools && !tools.includes("*") && { allowedTools: tools.map(ourToolIn) }),
    ...(hint !== undefined && { argumentHint: hint }),
    ...(values.model !== undefined && { model: values.model as string }),
    context: (values.context as Skill["context"] | undefined) ?? "inline",
    byModel: values["disable-model-invocation"] !== true,
    byPerson: values["user-invocable"] !== false,
    kind,
    scope,
    file,
    sha256: createHash("sha256").update(text).digest("hex"),
    bytes: Buffer.byteLength(text),
  };
}

function toolNotes(key: string, value: unknown): Noted[] {
  return key === "allowed-tools" ? (value as string[]).flatMap((text) => (text === "*" ? [] : toolNote(text))) : [];
}

/** The default name: the folder's for a skill, the file's for a command. */
function placeName({ file, kind }: Pick<SkillSource, "file" | "kind">): string {
  const parts = file.split("/");
  return (kind === "skill" ? parts.at(-2) : parts.at(-1)?.replace(/\.md$/i, "")) ?? "";
}

function nameFaults(values: Values, { file, kind }: SkillSource): Placed[] {
  const name = placeName({ file, kind });
  if (values.name !== undefined || isSkillName(name)) return [];
  const found = `The skill has no name that can be used: its ${kind === "skill" ? "folder" : "file"} is called ${shown(name)}.`;
  return [{ level: "error", line: 1, found, action: 'Give it a "name" of letters, digits and -_:. without blanks or slashes.' }];
}

function descriptionFaults(given: ReadonlySet<string>, { kind }: SkillSource): Placed[] {
  if (kind === "command" || given.has("description")) return [];
  const found = '"description" is missing, so a model cannot tell when to use the skill.';
  return [{ level: "warning", line: 1, found, action: "Say in one sentence what it does and when to use it." }];
}

const mostBodyBytes = 100 * 1024;

function bodyFaults(body: string): Placed[] {
  if (body.trim() === "")
    return [{ level: "error", line: 1, found: "There are no instructions in the file.", action: "Add instructions for the agent." }];
  const bytes = Buffer.byteLength(body);
  if (bytes <= mostBodyBytes) return [];
  const found = `The instructions have ${bytes} bytes, and at most ${mostBodyBytes} are given to a model at once.`;
  return [
    {
      level: "warning",
      line: 1,
      found,
      action:
        "The rest is left out, and the model is told where it is. Put what is not always needed into files beside it, and name those.",
    },
  ];
}

/** Whole lines up to the limit, and where the rest is. */
function whatFits(body: string, { text, file }: Pick<SkillSource, "text" | "file">): string {
  const bytes = Buffer.from(body);
  if (bytes.length <= mostBodyBytes) return body;
  const head = bytes.subarray(0, mostBodyBytes).toString("utf8");
  const kept = head.slice(0, head.lastIndexOf("\n") + 1) || head.replace(/\uFFFD$/, "");
  const linesOf = (all: string) => all.split(/\r\n?|\n/).length;
  const line = linesOf(text) - linesOf(body.slice(kept.length)) + 1;
  return `${kept}\n[The instructions go on: these are ${Buffer.byteLength(kept)} of ${bytes.length} bytes. The rest begins in line ${line} of ${file}: read it when you need it.]`;
}

function modelFaults({ context, model }: Values, given: ReadonlySet<string>): Placed[] {
  if (!given.has("model") || model === undefined || model === "inherit" || context === "fork") return [];
  const found = '"model" has no effect without "context: fork": another model would have to read the whole conversation anew.';
  return [{ level: "warning", line: 1, found, action: 'Add "context: fork", or leave the line out.' }];
}
