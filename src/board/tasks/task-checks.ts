// The checks that refuse a change to the list. Each list is in the order of refusals, so the first check that applies is the answer.
import { isBlank } from "../blank.ts";
import type { Check } from "../refusal.ts";
import { heldBy } from "./claims.ts";
import { cycleThrough, unfinished } from "./graph.ts";
import { edits, editsPlan, leads, type Move, mayMove, moves, type Target, type UpdateRequest, withoutRepeats } from "./moves.ts";
import type { Actor, Task } from "./task.ts";
import type { CreateRequest, ListView } from "./tasks.ts";

export type Creation = { view: ListView; request: CreateRequest; actor: Actor };
export type Attempt = { view: ListView; request: UpdateRequest; actor: Actor; task: Task; target: Target; move: Move | undefined };

/** In the order of refusals, after the checks of arguments.ts. */
export const createChecks: Check<Creation>[] = [
  { code: "unknown_agent", reason: (creation) => unknownAssignee(creation, "Cannot create the task") },
  {
    code: "not_lead",
    reason: ({ actor }) =>
      leads(actor)
        ? undefined
        : `Cannot create the task: only the lead creates tasks, and you are ${actor.name}. Ask lead with SendMessage.`,
  },
  { code: "unknown_dependency", reason: (creation) => unknownDependencies(creation, "Cannot create the task") },
];

/** In the order of refusals, after the checks of arguments.ts and `not_found`. */
export const updateChecks: Check<Attempt>[] = [
  { code: "unknown_agent", reason: (attempt) => unknownAssignee(attempt, cannot(attempt)) },
  {
    code: "not_lead",
    reason: (attempt) => (attempt.actor.role === "teammate" && edits(attempt.request) ? notLead(attempt) : wrongActor(attempt, "not_lead")),
  },
  { code: "unknown_dependency", reason: (attempt) => unknownDependencies(attempt, cannot(attempt)) },
  {
    code: "self_dependency",
    reason: (attempt) =>
      attempt.request.dependencies?.includes(attempt.task.id) ? `${cannot(attempt)}: a task cannot depend on itself` : undefined,
  },
  { code: "cycle", reason: closedCycle },
  { code: "already_claimed", reason: (attempt) => wrongActor(attempt, "already_claimed") },
  {
    code: "assigned_to_other",
    reason: (attempt) => {
      const { task, target, actor } = attempt;
      const reserved = task.status === "open" && target === "in_progress" && task.assigned_to !== null && task.assigned_to !== actor.name;
      return reserved ? `${cannot(attempt)}: it is assigned to ${task.assigned_to}` : undefined;
    },
  },
  { code: "not_assignee", reason: (attempt) => wrongActor(attempt, "not_assignee") },
  { code: "bad_transition", reason: (attempt) => noSuchMove(attempt) ?? wrongActor(attempt, "bad_transition") },
  {
    code: "busy",
    reason: (attempt) => {
      const held = attempt.move?.needs.includes("idle") && heldBy(attempt.view.tasks, attempt.actor.name);
      return held ? `${cannot(attempt)}: ${attempt.actor.name} holds "${held.id}"; complete or block that first` : undefined;
    },
  },
  { code: "dependency_incomplete", reason: waitsForDependencies },
  {
    code: "missing_summary",
    reason: (attempt) =>
      attempt.move?.needs.includes("summary") && isBlank(attempt.request.summary ?? "")
        ? `${cannot(attempt)}: a summary is required; say in one to three sentences what was done and checked`
        : undefined,
  },
  {
    code: "verify_failed",
    reason: (attempt) =>
      attempt.move?.needs.includes("verified") && !isVerified(attempt)
        ? `${cannot(attempt)}: its proof has not passed: ${attempt.task.verify}. Complete it where the harness can run that`
        : undefined,
  },
];

function isVerified({ task, request: { evidence } }: Attempt): boolean {
  if (task.verify === undefined) return true;
  return evidence?.kind === "verify" && evidence.result === "passed" && evidence.command === task.verify;
}

function cannot({ task, move }: Attempt): string {
  return `Cannot ${move?.verb ?? "change"} "${task.id}"`;
}

function unknownAssignee(
  { view, request, actor }: { view: ListView; request: { assignee?: string | null }; actor: Actor },
  action: string,
): string | undefined {
  const { assignee } = request;
  if (assignee === undefined || assignee === null || view.teammates.includes(assignee)) return undefined;
  const found =
    assignee === "lead" || assignee === "user" ? `${assignee} does not take tasks` : `"${assignee}" is not a teammate of this team now`;
  const first = actor.role === "lead" && assignee !== "lead" && assignee !== "user" ? " Spawn a new one first, then name it." : "";
  return `${action}: ${found}. ${named("The teammates are", view.teammates, "The team has none.")}${first}`;
}

function unknownDependencies(
  { view, request }: { view: ListView; request: { dependencies?: string[] } },
  action: string,
): string | undefined {
  if (!request.dependencies?.length) return undefined;
  const known = new Set(view.tasks.map(({ id }) => id));
  const unknown = withoutRepeats(request.dependencies).filter((id) => !known.has(id));
  if (unknown.length === 0) return undefined;
  return `${action}: ${quoted(unknown)} ${unknown.length === 1 ? "is" : "are"} not in the list. ${idsInList(view.tasks)}`;
}

function closedCycle(attempt: Attempt): string | undefined {
  const { view, request, task } = attempt;
  if (!request.dependencies) return undefined;
  const after = view.tasks.map((other) => (other === task ? { ...task, dependencies: request.dependencies ?? [] } : other));
  const cycle = cycleThrough(after, task.id);
  return (
    cycle &&
    `${cannot(attempt)}: its dependencies would form the cycle ${cycle.slice(0, mostNamed).join(" → ")}${cycle.length > mostNamed ? ` and ${cycle.length - mostNamed} more` : ""}`
  );
}

/** The move is in the table, but for another actor. */
function wrongActor(attempt: Attempt, code: Move["otherwise"]): string | undefined {
  const { task, request, actor, move } = attempt;
  if (move?.otherwise !== code || mayMove[move.who](actor, task, request)) return undefined;
  if (code === "not_lead") return notLead(attempt);
  if (code === "already_claimed") return `${cannot(attempt)}: it is in_progress with ${task.assigned_to ?? "nobody"}`;
  if (code === "bad_transition") return `${cannot(attempt)} as ${actor.name}: teammates take tasks; assign it to a teammate instead`;
  return `${cannot(attempt)}: it is held by ${task.assigned_to ?? "nobody"}, and you are ${actor.name}`;
}

function notLead(attempt: Attempt): string {
  const action = attempt.move?.otherwise === "not_lead" ? attempt.move.verb : "edit";
  return `Cannot ${action} "${attempt.task.id}": only the lead changes assignee, dependencies, files and verify or releases a task, and you are ${attempt.actor.name}. Ask lead with SendMessage.`;
}

function noSuchMove(attempt: Attempt): string | undefined {
  const { task, request, target, move } = attempt;
  const editable = move?.who === "lead" && !(task.status === "in_progress" && editsPlan(request));
  if (move && (editable || !edits(request))) return undefined;
  if (task.status === "completed") return `${cannot(attempt)}: completed tasks do not change; create a follow-up task instead`;
  if (edits(request))
    return `Cannot edit "${task.id}": it is ${task.status} with ${task.assigned_to ?? "nobody"}; assignee and dependencies change while a task is open or blocked, its files and verify also while it is in progress, in a request without another status`;
  const ways = Object.keys(moves[task.status]).filter((status) => status !== "same" && status !== task.status);
  return `Cannot set "${task.id}" to ${target}: it is ${task.status}, from which it can become ${ways.join(" or ")}`;
}

function waitsForDependencies(attempt: Attempt): string | undefined {
  if (!attempt.move?.needs.includes("dependencies")) return undefined;
  const { tasks } = attempt.view;
  const waiting = unfinished(tasks, attempt.task);
  if (waiting.length === 0) return undefined;
  const states = waiting.map((id) => `"${id}" is ${stateOf(tasks, id)}`);
  return `${cannot(attempt)}: ${someOf(states)}`;
}

function stateOf(tasks: Task[], id: string): string {
  const status = tasks.find((task) => task.id === id)?.status;
  if (status === undefined) return "not in the list";
  return status === "open" ? "still open" : status;
}

/** For sentences about an unknown id. */
export function idsInList(tasks: Task[]): string {
  if (tasks.length === 0) return "The list is empty.";
  return `The list has ${tasks[0]?.id}${tasks.length > 1 ? ` to ${tasks.at(-1)?.id}` : ""}.`;
}

function named(words: string, names: string[], none: string): string {
  return names.length > 0 ? `${words} ${names.join(", ")}.` : none;
}

function quoted(ids: string[]): string {
  return someOf(ids.map((id) => `"${id}"`));
}

/** A refusal is one sentence: from a long list it names the first few and counts the others. */
function someOf(items: string[]): string {
  const shown = items.slice(0, mostNamed);
  return items.length > mostNamed ? `${shown.join(", ")} and ${items.length - mostNamed} more` : shown.join(", ");
}

const mostNamed = 10;
