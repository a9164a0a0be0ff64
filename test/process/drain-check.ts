// Checks the log and the list after agents have completed all tasks, without any code of the board.

export type Drain = {
  claims: number;
  completions: number;
  /** Tasks without exactly one claim and one completion, by the same agent, in this order. */
  lostOrDouble: string[];
  /** Tasks claimed before one of their dependencies was completed. */
  early: string[];
  /** Claims by an agent that held another task. */
  overlapping: string[];
  /** Revisions that do not follow the previous one. */
  gaps: number[];
};

type Line = { kind: string; task: string; by: string; revision: number };
type ListedTask = { id: string; status: string; dependencies: string[] };

/** Every task must be created before the first claim. `log`: the text of events.jsonl; `list`: that of tasks.json. */
export function checkDrain(log: string, list: string): Drain {
  const tasks: ListedTask[] = JSON.parse(list).tasks;
  const lines: Line[] = log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const changes = lines.filter(({ revision }) => revision !== undefined);
  const claims = changes.filter(({ kind }) => kind === "task_claimed");
  const completions = changes.filter(({ kind }) => kind === "task_completed");
  const completedAt = new Map(completions.map(({ task, revision }) => [task, revision]));
  const dependencies = new Map(tasks.map((task) => [task.id, task.dependencies]));
  return {
    claims: claims.length,
    completions: completions.length,
    lostOrDouble: tasks.filter((task) => !isDoneOnce(task, changes)).map(({ id }) => id),
    early: claims
      .filter(({ task, revision }) => dependencies.get(task)?.some((id) => (completedAt.get(id) ?? Number.POSITIVE_INFINITY) > revision))
      .map(({ task }) => task),
    overlapping: overlappingClaims(changes),
    gaps: changes.map(({ revision }) => revision).filter((revision, index) => revision !== index + 1),
  };
}

function isDoneOnce({ id, status }: ListedTask, changes: Line[]): boolean {
  const own = changes.filter(({ task, kind }) => task === id && kind !== "task_created");
  const [claim, completion] = own;
  const inOrder = claim?.kind === "task_claimed" && completion?.kind === "task_completed" && claim.by === completion.by;
  return status === "completed" && own.length === 2 && inOrder;
}

function overlappingClaims(changes: Line[]): string[] {
  const held = new Map<string, string>();
  return changes.flatMap(({ kind, by, task }) => {
    if (kind === "task_completed") held.delete(by);
    if (kind !== "task_claimed") return [];
    const overlaps = held.has(by);
    held.set(by, task);
    return overlaps ? [task] : [];
  });
}
