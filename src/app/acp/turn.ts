// One prompt of a session in an editor: the repository's trust is asked for first, then the session works until nothing is left to do.

import type { StopReason } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../agent/events.ts";
import { refused } from "../../agent/loop.ts";
import { soloAgent } from "../../agent/prompt.ts";
import { endingIncident } from "../../agent/result/outcome.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { trustQuestion } from "../../settings/trust.ts";
import { capital } from "../../wording/capital.ts";
import { errorText } from "../../wording/error-text.ts";
import { runToGoal } from "../session/session-goal.ts";
import { keepTrust, neverCounts } from "../settings/trust.ts";
import { chosen } from "./ask.ts";
import { fenced, textContent } from "./calls.ts";
import { AcpRefusal } from "./client.ts";
import type { Opened, Shown } from "./opened.ts";
import type { Prompt } from "./prompt-blocks.ts";

type Ended = Extract<AgentEvent, { type: "ended" | "goal_ended" }>;

/** Throws AcpRefusal if the provider gave no answer, and UsageError for a skill that cannot be used. */
export async function work(shown: Shown, opened: Opened, prompt: Prompt, signal: AbortSignal): Promise<StopReason> {
  const { solo, goal, compaction, tellChoices } = opened;
  await say(shown, opened, prompt);
  let last: Ended | undefined;
  const stop = solo.session.listen((event) => {
    if (event.type === "ended" || event.type === "goal_ended") last = event;
  });
  try {
    if (compaction.waits()) await compaction.make(signal);
    await runToGoal(solo, goal, signal);
  } finally {
    stop();
    tellChoices();
  }
  if (signal.aborted) return "cancelled";
  return last ? stopReason(shown, last.ending) : "end_turn";
}

/** A command is run instead of being said. */
async function say({ pane }: Shown, { solo, commands }: Opened, { text, media, texts }: Prompt): Promise<void> {
  const command = media.length === 0 && texts.length === 0 ? commands.run(text) : undefined;
  if (command) return command.catch((error: unknown) => pane.warn(capital(errorText(error))));
  const { session, skills } = solo;
  const input = await skills.inputOf(text.trim() === "" ? "(an image)" : text);
  session.say({ ...input, ...(media.length > 0 && { media }) });
  for (const sent of texts) session.say(sent);
}

function stopReason({ pane }: Shown, ending: Ended["ending"]): StopReason {
  if (ending.kind === "fault") {
    if (ending.reason === refused) return "refusal";
    throw new AcpRefusal(ending.cause === "key_refused" ? "auth_required" : "internal", ending.reason);
  }
  const incident = endingIncident(ending, soloAgent);
  if (incident && "reason" in incident) pane.warn(incident.reason);
  if (ending.kind === "aborted") return "cancelled";
  return ending.kind === "max_turns" || ending.kind === "budget" ? "max_turn_requests" : "end_turn";
}

/** Asks about what waits for trust. True if the person trusts it now. */
export async function trusts(
  { world, asking }: Shown,
  { trust, effective, root, hash }: LoadedSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const question = trust.state === "trusted" ? undefined : trustQuestion(effective.held, { root, trust });
  if (!question || hash === undefined) return false;
  const lines = question.lines.map(({ text, isNew }) => `${isNew ? "new " : ""}${visibleLine(text)}`);
  const never = question.never > 0 ? [neverCounts(question.never, world.command)] : [];
  const content = [textContent(visibleLine(question.title)), textContent(fenced([...lines, ...never].join("\n")))];
  const options = [
    { name: "yes, as it is now; you are asked again when any of this changes", kind: "allow_always" as const, value: true },
    { name: "no, it may only forbid", kind: "reject_once" as const, value: false },
  ];
  const shown = { title: "Trust this repository?", kind: "other" as const, content };
  if ((await chosen(asking, { call: undefined, shown, options }, signal)) !== true) return false;
  await keepTrust(world, { root, hash, shown: question.shown });
  return true;
}
