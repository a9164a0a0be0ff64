// A question to the user and its answers: passed between processes as a file, so a schema. A screen escapes its texts before printing.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Mark, marks } from "../../shell/uses/marks.ts";
import type { Replaced } from "../../tools/tool.ts";
import { field, type LocatedCall } from "../call.ts";
import type { Decision } from "../decision.ts";
import type { Offer } from "./offers.ts";

export const questionSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("permission"),
      tool: z.string(),
      /** The id of the tool call, if it comes from a model. */
      call: z.string().optional(),
      /** What will be run or changed: one simple command each, or the file. */
      parts: z.array(
        z.object({
          text: z.string(),
          /** Where a shell runs it: `inside $( … )`. Empty for the command line itself. */
          where: z.string(),
          /** A rule or the mode allows this part; the others are why the question is asked. */
          allowed: z.boolean(),
          /** It passes because it changes nothing, and only next to a part that is allowed. */
          harmless: z.boolean().optional(),
          /** Effects that cannot be undone, or that leave the working directory. */
          marks: z.array(z.enum(marks)).optional(),
        }),
      ),
      /** The whole command as written, if its parts do not show all of it. */
      whole: z.string().optional(),
      /** The agent's reason for its command, which may be untrue. */
      says: z.string().optional(),
      /** The change to the file: the hunks of a unified diff, or lines that begin with + or -. */
      change: z.array(z.string()),
      /** How many lines come and go: `+9 −3`. */
      counted: z.string().optional(),
      /** There is such a file, and it is replaced entirely. */
      replaces: z.literal(true).optional(),
      /** What the change does not tell about that file, or what the command loses. */
      note: z.string().optional(),
      moreChange: z.number(),
      /** The current path of something that a command has left, which returns to its place with a yes. */
      left: z.string().optional(),
      /** Why the question is asked: one sentence without its full stop. */
      reason: z.string(),
      /** Rules that some answers may add: alternatives, the suggested one first, each with a rule for every part that needs one. */
      offers: z.array(z.object({ rules: z.array(z.string()).min(1), always: z.boolean() })),
      /** The file that "always" writes to; without it there is no such answer. */
      file: z.string().optional(),
      /** The sandbox has no network, and the command can have it this once. */
      network: z.literal(true).optional(),
      /** Which way out the command needs and the sandbox lacks: without the network it fails. */
      lacks: z.enum(["network", "ssh"]).optional(),
      /** Everything that stays in the sandbox can be allowed. */
      sandbox: z.literal(true).optional(),
      /** A grant can be for the whole team. */
      team: z.literal(true).optional(),
      /** The mode acceptEdits would allow it. */
      edits: z.literal(true).optional(),
      /** Commands that stay in the sandbox are not asked about. */
      contained: z.literal(true).optional(),
    }),
    z.object({ kind: z.literal("plan"), plan: z.string() }),
    /** An agent's question, which the user answers by choosing or writing. It grants nothing. `call`: the tool call that asks. */
    z.object({ kind: z.literal("choice"), text: z.string(), options: z.array(z.string()).min(2).max(4), call: z.string().optional() }),
  ]),
);
export type Question = z.infer<typeof questionSchema>;
export type ChoiceQuestion = Extract<Question, { kind: "choice" }>;
export type PermissionQuestion = Extract<Question, { kind: "permission" }>;

export const answerSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("once"), network: z.literal(true).optional() }),
    z.object({ kind: z.literal("session"), rules: z.array(z.string()) }),
    z.object({ kind: z.literal("team"), rules: z.array(z.string()) }),
    z.object({ kind: z.literal("always"), rules: z.array(z.string()) }),
    z.object({ kind: z.literal("sandbox"), for: z.enum(["session", "team"]) }),
    /** For a plan: continue in this mode. */
    z.object({ kind: z.literal("approve"), mode: z.enum(["default", "acceptEdits"]) }),
    /** For a choice: one of its options, literally. */
    z.object({ kind: z.literal("chosen"), option: z.string() }),
    /** For a choice: none of its options. */
    z.object({ kind: z.literal("written"), text: z.string() }),
    /** `stop`: no to everything that is open in this turn, which ends. */
    z.object({ kind: z.literal("no"), reason: z.string().optional(), stop: z.literal(true).optional() }),
  ]),
);
export type Answer = z.infer<typeof answerSchema>;

/** Whether the answer fits this question. Rules that were not offered, and so not shown, are not accepted. */
export function fits(question: Question, answer: Answer): boolean {
  if (answer.kind === "no") return true;
  if (question.kind === "plan") return answer.kind === "approve";
  if (question.kind === "choice") return answersChoice(question, answer);
  switch (answer.kind) {
    case "once":
      return !answer.network || question.network === true;
    case "session":
      return offerOf(question, answer.rules) !== undefined;
    case "team":
      return question.team === true && offerOf(question, answer.rules) !== undefined;
    case "always":
      return question.file !== undefined && offerOf(question, answer.rules)?.always === true;
    case "sandbox":
      return question.sandbox === true && (answer.for === "session" || question.team === true);
    case "approve":
    case "chosen":
    case "written":
      return false;
  }
}

/** Room for a paste; a longer text would fill the agent's context. */
const longestWritten = 400_000;

function answersChoice({ options }: ChoiceQuestion, answer: Answer): boolean {
  if (answer.kind === "chosen") return options.includes(answer.option);
  return answer.kind === "written" && answer.text.trim() !== "" && answer.text.length <= longestWritten;
}

function offerOf({ offers }: PermissionQuestion, rules: string[]): PermissionQuestion["offers"][number] | undefined {
  return offers.find((offer) => isDeepStrictEqual(offer.rules, rules));
}

/** What is possible in addition to once and no. */
export type Choices = Pick<PermissionQuestion, "network" | "lacks" | "sandbox" | "team" | "edits" | "contained">;

export type Asked = {
  decision: Decision;
  marks: (part: number) => Mark[];
  offers: Offer[];
  file: string | undefined;
  replaces?: Replaced | undefined;
  loses?: string | undefined;
  choices?: Choices;
};

export function question(call: LocatedCall, { decision, marks, offers, file, replaces, loses, choices }: Asked): PermissionQuestion {
  const note = replaces?.note ?? loses;
  const { change, more, counted } = changeOf(call, replaces);
  const command = call.subject.kind === "command" ? call.subject.command : undefined;
  const parts = partsOf(call, decision.parts, marks);
  const shown = command === undefined || showAll(command, parts);
  return {
    kind: "permission",
    tool: call.tool,
    ...(call.id !== undefined && { call: call.id }),
    parts,
    ...(!shown && { whole: command }),
    ...saidOf(call),
    change,
    ...(counted !== undefined && { counted }),
    ...(replaces && call.tool === "Write" && { replaces: true as const }),
    ...(note !== undefined && { note }),
    moreChange: more,
    ...(call.left && { left: call.left.kept }),
    reason: decision.reason,
    offers: offers.map(({ texts, always }) => ({ rules: texts, always })),
    ...(file !== undefined && { file }),
    ...choices,
  };
}

function saidOf(call: LocatedCall): { says?: string } {
  const { kind } = call.subject;
  const says = kind === "host" ? field(call, "command") : kind === "command" ? field(call, "description") : undefined;
  return says === undefined || says.trim() === "" ? {} : { says };
}

function partsOf({ subject, input }: LocatedCall, decided: Decision["parts"], marks: Asked["marks"]): PermissionQuestion["parts"] {
  const part = (text: string) => ({ text, where: "", allowed: false });
  switch (subject.kind) {
    case "path":
      return [part(subject.written === subject.real ? subject.real : `${subject.written}, which is ${subject.real}`)];
    case "command":
      if (!decided || decided.length === 0)
        return subject.command
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map(part);
      return decided.map(({ text, where, decision, harmless }, at) => {
        const found = marks(at);
        return { text, where, allowed: decision === "allow", ...(harmless && { harmless }), ...(found.length > 0 && { marks: found }) };
      });
    case "host":
      return [part(subject.url)];
    case "agent":
    case "none":
    case "unclear":
      return [part(JSON.stringify(input) ?? "")];
  }
}

/** Whether only separators are left of the command when its parts are removed. */
function showAll(command: string, parts: PermissionQuestion["parts"]): boolean {
  const rest = parts.reduce((left, { text }) => left.replace(text, ""), command);
  return /^[\s;|&(){}$"'`]*$/.test(rest);
}

/** A longer change is better read in the file, or in the transcript. */
const longestChange = 400;
const longestChangedLine = 2_000;

function changeOf(call: LocatedCall, replaced: Replaced | undefined): { change: string[]; more: number; counted?: string } {
  const { left } = call;
  const linesOf = (name: string) => field(call, name)?.replace(/\n$/, "").split("\n") ?? [];
  const [gone, come, content] = [linesOf("old_string"), linesOf("new_string"), linesOf("content")];
  const lines = left?.lines ??
    replaced?.lines ?? [
      ...gone.map((line) => `- ${line}`),
      ...come.map((line) => `+ ${line}`),
      ...(content.length > 0 ? [`@@ -0,0 +1,${content.length} @@`] : []),
      ...content.map((line) => `+${line}`),
    ];
  const counted = left ? undefined : (replaced?.counted ?? (content.length > 0 ? `+${content.length}` : undefined));
  const change = lines
    .slice(0, longestChange)
    .map((line) => (line.length > longestChangedLine ? `${line.slice(0, longestChangedLine)}…` : line));
  return { change, more: lines.length - change.length + (left?.more ?? 0), ...(counted !== undefined && { counted }) };
}
