// Questions to the person, put by the editor: with the same offers as on a screen, since the same steps are asked for them.
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import { z } from "zod";
import { soloAgent } from "../../agent/prompt.ts";
import type { Ask } from "../../permissions/permit.ts";
import type { Answer, ChoiceQuestion, Question } from "../../permissions/questions/question.ts";
import { type Given, questionStep } from "../../screen/questions/question-step.ts";
import { bodyLines, reasonLines } from "../../screen/questions/question-text.ts";
import type { Choice, Step } from "../../screen/questions/step.ts";
import type { Style } from "../../screen/style.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import { errorText } from "../../wording/error-text.ts";
import { fenced, fileOf, kindOf, textContent, titleOf } from "./calls.ts";
import type { Client } from "./client.ts";
import { diffsOf } from "./diffs.ts";
import type { Updates } from "./updates.ts";

export type AskSetup = {
  client: Client;
  session: string;
  cwd: string;
  style: Style;
  updates: Updates;
  /** Everything so far is sent before a question. */
  push(update: SessionUpdate): void;
  sent(): Promise<void>;
  /** Ends the turn: the person has said no to all, or the editor has withdrawn the question. */
  stopTurn(): void;
  uniqueId(): string;
};

/** `asker`: who asks. Undefined if the signal aborts first. An editor that cannot ask has said no. */
export function askThrough(setup: AskSetup, asker: string): Ask {
  const ask = asking(setup, asker);
  return async (question, signal) => {
    try {
      return await ask(question, signal);
    } catch (error) {
      return { kind: "no", reason: `the editor cannot put this question (${errorText(error)})` };
    }
  };
}

function asking(setup: AskSetup, asker: string): Ask {
  return async (question, signal) => {
    const { client, session } = setup;
    if (question.kind === "choice" && client.can.elicitation?.form) return askInForm(question, setup, signal);
    const options = optionsOf(questionStep(question, { asker, style: setup.style, reach: "session" }));
    const answer = await chosen(
      { ...setup, session, client },
      { call: callOf(question, setup), shown: named(asker, shownOf(question, { asker, ...setup })), options },
      signal,
    );
    return answer === "withdrawn" ? { kind: "no", stop: true } : answer;
  };
}

export type Option<Value> = { name: string; kind: PermissionOptionKind; value: Value };
type Shown = { title: string; kind: RequestPermissionRequest["toolCall"]["kind"]; content: ToolCallContent[] };
type Asked<Value> = { call: string | undefined; shown: Shown; options: Option<Value>[] };

const answerSchema = z.object({
  outcome: z.discriminatedUnion("outcome", [
    z.object({ outcome: z.literal("selected"), optionId: z.string() }),
    z.object({ outcome: z.literal("cancelled") }),
  ]),
});

/** One of the options. A question that belongs to no call that the editor knows is shown as a call of its own. */
export async function chosen<Value>(
  { client, session, updates, push, sent, stopTurn, uniqueId }: AskSetup,
  { call, shown, options }: Asked<Value>,
  signal: AbortSignal,
): Promise<Value | "withdrawn" | undefined> {
  const known = call !== undefined && updates.isOpen(call);
  const toolCallId = known ? call : `question-${uniqueId().slice(0, 8)}`;
  if (!known) push({ sessionUpdate: "tool_call", toolCallId, status: "pending", ...shown, kind: shown.kind ?? "other" });
  const end = (status: "in_progress" | "completed" | "failed") => push({ sessionUpdate: "tool_call_update", toolCallId, status });
  await sent();
  const listed = options.map(({ name, kind }, index): PermissionOption => ({ optionId: `${index}`, name, kind }));
  try {
    const toolCall = { toolCallId, status: "pending" as const, ...shown };
    const given = answerSchema.safeParse(await client.permission({ sessionId: session, toolCall, options: listed }, signal));
    const outcome = given.data?.outcome;
    const taken = outcome?.outcome === "selected" ? options[listed.findIndex(({ optionId }) => optionId === outcome.optionId)] : undefined;
    if (!taken && outcome?.outcome !== "cancelled") throw new Error("its answer is none of the options");
    end(known ? "in_progress" : !taken || taken.kind.startsWith("reject") ? "failed" : "completed");
    if (taken) return taken.value;
    if (signal.aborted) return undefined;
    stopTurn();
    return "withdrawn";
  } catch (error) {
    end(known ? "in_progress" : "failed");
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Those of the step, and in the place of one that leads to a further step those of that one: what is written is shown before it is. */
function optionsOf(step: Step<Given>): Option<Answer>[] {
  return step.choices({ hides: false, typed: "" }).flatMap((choice) => optionsAt(choice));
}

function optionsAt({ label, take }: Choice<Given>): Option<Answer>[] {
  if (take.kind === "given") {
    const { given } = take;
    return given.kind === "later" ? [] : [{ name: label, kind: optionKind(given), value: given }];
  }
  if (take.kind !== "step") return [];
  const [head = ""] = take.step.head({ width: Number.POSITIVE_INFINITY, more: 0, brief: true });
  const where = head.replace(/^\W+/, "").replace(/:$/, "");
  return optionsOf(take.step).map((option) => ({
    ...option,
    name: `always: ${option.name} (${where.charAt(0).toLowerCase()}${where.slice(1)})`,
  }));
}

function optionKind(answer: Answer): PermissionOptionKind {
  switch (answer.kind) {
    case "session":
    case "team":
    case "always":
    case "sandbox":
      return "allow_always";
    case "approve":
      return answer.mode === "acceptEdits" ? "allow_always" : "allow_once";
    case "no":
      return "reject_once";
    case "once":
    case "chosen":
    case "written":
      return "allow_once";
  }
}

function callOf(question: Question, { updates }: AskSetup): string | undefined {
  return question.kind === "plan" ? updates.openCallOf("SubmitPlan") : question.call;
}

/** An agent that the session has started is named. */
const named = (asker: string, shown: Shown): Shown =>
  asker === soloAgent ? shown : { ...shown, title: `${visibleLine(asker)}: ${shown.title}` };

type Showing = Pick<AskSetup, "cwd" | "style"> & { asker: string };

function shownOf(question: Question, { asker, cwd, style }: Showing): Shown {
  if (question.kind === "plan") return { title: "Carry out this plan?", kind: "switch_mode", content: [textContent(question.plan)] };
  if (question.kind === "choice")
    return { title: visibleText(question.text), kind: "other", content: [textContent(visibleText(question.text))] };
  const { tool, parts, change, moreChange } = question;
  const look = { asker, style, width: Number.POSITIVE_INFINITY };
  const subject = question.whole ?? parts.map(({ text }) => text).join("; ");
  const path = fileOf({ name: tool, subject: parts[0]?.text ?? "" }, cwd);
  const diffs = path === undefined ? [] : diffsOf(change, path).content;
  const lines = bodyLines(question, look);
  const rows = [...lines.must, ...(diffs.length > 0 ? [] : lines.change.flat()), ...reasonLines(question, look)];
  const more = moreChange > 0 ? [`  ${moreChange} more lines of the change are not shown`] : [];
  return {
    title: titleOf({ name: tool, subject }, cwd),
    kind: kindOf(tool),
    content: [...diffs, textContent(fenced([...rows, ...more].join("\n")))],
  };
}

const [answerField, otherField] = ["answer", "other"];

/** An editor that has forms lets the person write an answer of their own. */
async function askInForm(
  question: ChoiceQuestion,
  { client, session, updates, sent }: AskSetup,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  await sent();
  const { call, options, text } = question;
  const requestedSchema = {
    type: "object" as const,
    properties: {
      [answerField]: { type: "string" as const, title: "Answer", oneOf: options.map((option) => ({ const: option, title: option })) },
      [otherField]: { type: "string" as const, title: "Another answer" },
    },
  };
  const toolCallId = call !== undefined && updates.isOpen(call) ? call : undefined;
  try {
    const message = visibleText(text);
    const response = await client.elicit({ mode: "form", sessionId: session, toolCallId, message, requestedSchema }, signal);
    if (response.action !== "accept") return { kind: "no" };
    const content = ("content" in response ? response.content : undefined) as Record<string, unknown> | null | undefined;
    const [option, other] = [content?.[answerField], content?.[otherField]];
    if (typeof other === "string" && other.trim() !== "") return { kind: "written", text: other };
    return typeof option === "string" ? { kind: "chosen", option } : { kind: "no" };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
