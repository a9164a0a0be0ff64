// Whether the tasks of a large team depend too much on each other: most of it has had nothing to do for a long time, though work is left.
import { unfinished } from "../../board/tasks/graph.ts";
import type { Task } from "../../board/tasks/task.ts";
import type { MemberStatus } from "../report/status.ts";

/** `statuses`: of the teammates that run; undefined for one that has not said anything yet. */
export type TeamAtATime = { tasks: Task[]; statuses: (Pick<MemberStatus, "name" | "state"> | undefined)[]; atMs: number };

/** To be asked again and again, with a time that only grows. Answers once for each stretch of ten minutes and more. */
export type Interdependence = (team: TeamAtATime) => Waiting | undefined;

/** So many of the teammates have nothing to do, and these tasks wait for others. */
export type Waiting = { idle: number; teammates: number; tasks: { id: string; waitsFor: string[] }[] };

export function createInterdependence(): Interdependence {
  let since: number | undefined;
  let told = false;
  return ({ atMs, ...team }) => {
    const waiting = waitingIn(team);
    if (!waiting) {
      since = undefined;
      told = false;
      return undefined;
    }
    since ??= atMs;
    if (told || atMs - since < longMs) return undefined;
    told = true;
    return waiting;
  };
}

const leastTeammates = 5;
const longMs = 10 * 60_000;

/** Undefined as long as half of the team works, in a smaller team, and when no task waits for another. */
function waitingIn({ tasks, statuses }: Omit<TeamAtATime, "atMs">): Waiting | undefined {
  if (statuses.length < leastTeammates) return undefined;
  const waiting = tasks.filter(({ status }) => status === "open" || status === "blocked");
  const dependent = waiting
    .map((task) => ({ id: task.id, waitsFor: unfinished(tasks, task) }))
    .filter(({ waitsFor }) => waitsFor.length > 0);
  const works = new Set(tasks.flatMap(({ status, assigned_to }) => (status === "in_progress" ? (assigned_to ?? []) : [])));
  const idle = statuses.filter((status) => status?.state === "idle" && !works.has(status.name)).length;
  return dependent.length > 0 && idle * 2 > statuses.length ? { idle, teammates: statuses.length, tasks: dependent } : undefined;
}
