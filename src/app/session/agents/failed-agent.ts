// The person's decision about an agent that failed, or whose commands failed: /tasks retry, fix, escalate and giveup.
import type { Failures } from "../../../agent/result/failures.ts";
import type { Session } from "../../../agent/session/session.ts";
import type { Workspace } from "../../../agent/workspace.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import { fixHereText } from "../../../subagents/prompt.ts";
import { type AgentRecord, isUndecided, stateWords } from "../../../subagents/record.ts";
import type { Subagents } from "../../../subagents/subagents.ts";

export type FailureVerb = "retry" | "fix" | "escalate" | "giveup";

export type FailureActions = {
  host: Subagents;
  failures: Failures;
  /** Sends a message to the session's own agent as the person. */
  say(text: string): void;
  redacted(text: string): Promise<string>;
  now(): Date;
};

export function failureActions(
  {
    agents,
    failures,
    session,
    work,
  }: { agents: { host: Subagents }; failures: Failures; session: Session; work: Pick<Workspace, "redacted"> },
  { wake, now }: { wake: () => void; now: () => Date },
): FailureActions {
  const say = (text: string) => {
    session.say({ source: { kind: "user" }, text });
    wake();
  };
  return { host: agents.host, failures, say, redacted: work.redacted, now };
}

/** Returns the text to print. */
export async function decide(verb: FailureVerb, record: AgentRecord, actions: FailureActions): Promise<string> {
  const { id, decision, state } = record;
  const name = visibleLine(record.name);
  if (!isUndecided(record)) {
    const why = decision ? `it was decided already (${decisionWords[decision]})` : `nothing failed in it: it is ${stateWords(state)}`;
    return `Cannot ${verb} agent ${name}: ${why}.`;
  }
  switch (verb) {
    case "retry": {
      const { turns, maxTurns } = record;
      const isSpent = maxTurns !== undefined && turns >= maxTurns;
      const way = { background: true, ...(isSpent && { maxTurns: turns + maxTurns }) };
      const result = await actions.host.resume(id, way, new AbortController().signal);
      return result.kind === "refused"
        ? visibleLine(result.reason)
        : `Agent ${name} retries what failed; you are asked for the permissions it needs.`;
    }
    case "fix":
      actions.say(fixHereText(record));
      actions.host.decide(id, "fix_here");
      return `The session itself fixes what failed in the work of agent ${name}.`;
    case "escalate":
      actions.failures.record({
        at: actions.now().toISOString(),
        agent: record.name,
        item: await actions.redacted(record.description),
        error: await actions.redacted(whatFailed(record).join("\n")),
      });
      actions.host.decide(id, "escalated");
      return `Recorded for you in ${visibleLine(actions.failures.path)}; it is listed when the session ends.`;
    case "giveup":
      actions.host.decide(id, "given_up");
      return `Nothing more is done about what failed in the work of agent ${name}.`;
  }
}

const decisionWords = { fix_here: "fixed in the session", escalated: "recorded for you", given_up: "given up" };

const whatFailed = ({ failedCalls = [], reason }: AgentRecord) => (failedCalls.length > 0 ? failedCalls : [reason ?? "It failed."]);
