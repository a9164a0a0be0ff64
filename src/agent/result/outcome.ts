// What a run came to. Everything that ran in it (a session, its agents, teammates, units) reports incidents, and one function derives the outcome.
import { z } from "zod";
import { plural } from "../../wording/figures.ts";
import type { GoalEnding } from "../goal/goal.ts";

/** A call that was refused for lack of a permission. `rules`: these together would have allowed it. */
export const denialSchema = z.object({ tool: z.string(), subject: z.string(), reason: z.string(), rules: z.array(z.string()).optional() });
export type Denial = z.infer<typeof denialSchema>;

/** `agent`: whose it is, as a person names it. `ada/probe` is an agent that the teammate or the unit `ada` has started. */
const whose = { agent: z.string() };
/** `item`: the piece of work that was not done. */
const undone = { ...whose, item: z.string(), reason: z.string() };

/** What keeps a run from being simply done. */
export const incidentSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("interrupted"), ...whose }),
    denialSchema.extend({ kind: z.literal("denied"), ...whose }),
    z.object({ kind: z.literal("max_turns"), ...undone }),
    z.object({ kind: z.literal("budget"), ...undone }),
    z.object({ kind: z.literal("repeats_itself"), ...undone }),
    z.object({ kind: z.literal("stopped_by_hook"), ...undone }),
    z.object({ kind: z.literal("not_reached"), ...undone }),
    z.object({ kind: z.literal("failed"), ...undone }),
  ]),
);
export type Incident = z.infer<typeof incidentSchema>;

type Kind = Incident["kind"];
type Rank = {
  ending: "aborted" | "denied" | "max_turns" | "budget" | "repeats_itself" | "stopped_by_hook" | "not_reached" | "fault";
  exit_code: 1 | 3 | 4 | 130;
};

/**
 * Where several apply, the first decides. An interruption says that nothing else is known for certain. A missing permission comes before a limit, and
 * a limit before a failure: each may be the cause of the next, and the caller can give what was missing.
 */
const ranks: Record<Kind, Rank> = {
  interrupted: { ending: "aborted", exit_code: 130 },
  denied: { ending: "denied", exit_code: 3 },
  max_turns: { ending: "max_turns", exit_code: 4 },
  budget: { ending: "budget", exit_code: 4 },
  repeats_itself: { ending: "repeats_itself", exit_code: 1 },
  stopped_by_hook: { ending: "stopped_by_hook", exit_code: 1 },
  not_reached: { ending: "not_reached", exit_code: 1 },
  failed: { ending: "fault", exit_code: 1 },
};

/** `reason`: one sentence, absent when all is done. */
export type RunOutcome = { ending: "done" | Rank["ending"]; reason?: string; exit_code: 0 | Rank["exit_code"] };

/** Pure. `self`: the agent that the run is about, which needs no name in the reason. */
export function outcomeOfRun(incidents: readonly Incident[], self?: string): RunOutcome {
  for (const kind of Object.keys(ranks) as Kind[]) {
    const ofKind = incidents.filter((one) => one.kind === kind);
    if (ofKind[0]) return { ...ranks[kind], reason: reasonOf(ofKind[0], { count: ofKind.length, self }) };
  }
  return { ending: "done", exit_code: 0 };
}

function reasonOf(first: Incident, { count, self }: { count: number; self: string | undefined }): string {
  switch (first.kind) {
    case "interrupted":
      return "Interrupted.";
    case "denied":
      return `${count} tool call${count > 1 ? "s were" : " was"} denied, so this may not be all that was asked for.`;
    case "max_turns":
    case "budget":
    case "repeats_itself":
    case "stopped_by_hook":
    case "not_reached":
    case "failed": {
      const [line = ""] = first.reason.split("\n", 1);
      const named = first.agent === self && first.item === wholeSession ? line : `${first.agent}: ${line}`;
      return count > 1 ? `${named} (and ${count - 1} more)` : named;
    }
  }
}

/** The item of an agent's own end. */
export const wholeSession = "the session";

/** What the end of a run of turns, or of a goal, means; undefined if the agent said that it was done. */
export function endingIncident(ending: GoalEnding, agent: string, item = wholeSession): Incident | undefined {
  const { kind } = ending;
  switch (kind) {
    case "done":
      return undefined;
    case "aborted":
      return { kind: "interrupted", agent };
    case "max_turns":
      return { kind, agent, item, reason: `The limit of ${plural(ending.limit, "turn")} was reached.` };
    case "budget":
      return { kind, agent, item, reason: `$${ending.spentUsd.toFixed(4)} of the budget of $${ending.limitUsd} is spent.` };
    case "repeats_itself":
    case "stopped_by_hook":
    case "not_reached":
      return { kind, agent, item, reason: ending.reason };
    case "fault":
      return { kind: "failed", agent, item, reason: ending.reason };
  }
}

/** The same incidents of an agent's run inside a larger one: its own are its owner's, and those of its agents are named after both. */
export function ownedBy(owner: string, incidents: readonly Incident[], self: string): Incident[] {
  return incidents.map((one) => ({ ...one, agent: one.agent === self ? owner : `${owner}/${one.agent}` }));
}

/** As JSON prints them. */
export type ReportedIncidents = {
  permission_denials: ({ agent: string } & Denial)[];
  /** What was not done: agents that failed, reached a limit or were stopped, and the items that they recorded. */
  failures: { item: string; error: string; agent: string }[];
};

export function reported(incidents: readonly Incident[]): ReportedIncidents {
  return {
    permission_denials: incidents.flatMap((one) => {
      if (one.kind !== "denied") return [];
      const { kind: _kind, ...denial } = one;
      return [denial];
    }),
    failures: incidents.flatMap((one) => ("item" in one ? [{ item: one.item, error: one.reason, agent: one.agent }] : [])),
  };
}
