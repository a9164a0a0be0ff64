// What a server asks the person in the middle of a call, as questions of ours. Nothing is answered that the person has not chosen or written.
import { z } from "zod";
import type { AskDesk, PersonsAnswer } from "../tools/ask-user.ts";
import { oneLine } from "./catalog.ts";

/** As the server asks. */
export type RawForm = { message: string; requestedSchema?: unknown };

type FormField = {
  name: string;
  title: string;
  kind: "text" | "number" | "integer" | "boolean";
  /** The only values that are accepted. */
  values?: string[];
  required: boolean;
};
type Form = { server: string; message: string; fields: FormField[] };
export type FormAnswer = { action: "accept"; content: Record<string, string | number | boolean> } | { action: "decline" | "cancel" };

const property = z.object({
  type: z.enum(["string", "number", "integer", "boolean"]),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  oneOf: z.array(z.object({ const: z.string() })).optional(),
});
const requested = z.object({ properties: z.record(z.string(), property).default({}), required: z.array(z.string()).default([]) });

/** Undefined if it asks for something else than plain values, or for more than a person is asked in one go. */
function formOf(server: string, { message, requestedSchema }: RawForm): Form | undefined {
  const parsed = requested.safeParse(requestedSchema ?? {});
  if (!parsed.success) return undefined;
  const fields = Object.entries(parsed.data.properties).map(([name, one]): FormField => {
    const values = one.enum ?? one.oneOf?.map((each) => each.const);
    return {
      name,
      title: oneLine([one.title ?? name, one.description].filter(Boolean).join(": ")),
      kind: one.type === "string" ? "text" : one.type,
      ...(values && { values }),
      required: parsed.data.required.includes(name),
    };
  });
  return fields.length > mostFields ? undefined : { server, message: oneLine(message).slice(0, 600), fields };
}

const mostFields = 10;
const [yes, no, leave, decline, cancel] = ["Yes", "No", "Leave it out", "Decline", "Cancel"];

/** `desk`: absent if nobody can be asked. */
export async function answerForm(
  raw: RawForm,
  { server, desk }: { server: string; desk: AskDesk | undefined },
  signal: AbortSignal,
): Promise<FormAnswer> {
  const form = formOf(server, raw);
  if (!desk || !form) return { action: "decline" };
  const about = `The server "${form.server}" asks: ${form.message}`;
  if (form.fields.length === 0) return confirmed(await desk.ask({ text: about, options: [yes, decline] }, signal));
  const content: Record<string, string | number | boolean> = {};
  for (const field of form.fields) {
    const answer = await fieldAnswer(field, { about, desk }, signal);
    if ("action" in answer) return answer;
    if (answer.value !== undefined) content[field.name] = answer.value;
  }
  return { action: "accept", content };
}

function confirmed(answer: PersonsAnswer): FormAnswer {
  if (answer.kind === "chosen" && answer.option === yes) return { action: "accept", content: {} };
  return { action: answer.kind === "chosen" || answer.kind === "written" ? "decline" : "cancel" };
}

type FieldAnswer = { value: string | number | boolean | undefined } | { action: "decline" | "cancel" };
type Asking = { about: string; desk: AskDesk };

/** Asks again, with what was wrong, at most this often. */
const mostTries = 3;

async function fieldAnswer(field: FormField, { about, desk }: Asking, signal: AbortSignal): Promise<FieldAnswer> {
  let wrong = "";
  for (let tries = 0; tries < mostTries; tries++) {
    const text = `${about} — ${field.title}${hintOf(field)}${wrong}`.slice(0, 990);
    const answer = await desk.ask({ text, options: optionsOf(field) }, signal);
    if (answer.kind === "nobody") return { action: "decline" };
    if (answer.kind === "none") return { action: "cancel" };
    const said = answer.kind === "chosen" ? answer.option : answer.text.trim();
    if (answer.kind === "chosen" && said === decline) return { action: "decline" };
    if (answer.kind === "chosen" && said === cancel) return { action: "cancel" };
    if (answer.kind === "chosen" && said === leave && !field.required) return { value: undefined };
    const value = givenValue(field, said);
    if (value !== undefined) return { value };
    wrong = ` (${JSON.stringify(said.slice(0, 50))} is not an answer)`;
  }
  return { action: "decline" };
}

function optionsOf({ kind, values, required }: FormField): string[] {
  if (kind === "boolean") return [yes, no, decline];
  if (values && values.length > 0 && values.length <= 3) return [...values.map((value) => oneLine(value).slice(0, 200)), decline];
  return required ? [decline, cancel] : [leave, decline];
}

const hintOf = ({ kind, values = [] }: FormField) =>
  values.length > 3
    ? `. Write one of: ${values.map(oneLine).join(", ")}`
    : kind === "boolean" || values.length > 0
      ? ""
      : ". Write the answer";

function givenValue({ kind, values }: FormField, said: string): string | number | boolean | undefined {
  if (kind === "boolean") return said === yes ? true : said === no ? false : undefined;
  if (values) return values.find((value) => oneLine(value) === said);
  if (kind === "text") return said === "" ? undefined : said;
  const number = /^-?\d+(?:\.\d+)?$/.test(said) ? Number(said) : undefined;
  return kind === "integer" && !Number.isInteger(number) ? undefined : number;
}
