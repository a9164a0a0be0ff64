// Each time a task was blocked: for how long, why, and who answered its holder. One pass over the team's log.
import type { TaskEvent, TeamEvent } from "../../board/event.ts";
import type { TaskId } from "../../board/tasks/task.ts";
import { stoppedReason, stoppedTeam } from "../end-reasons.ts";

/** `answered_by`: null while nobody has. */
export type Block = { task: TaskId; ms: number; reason: string; answered_by: string | null };

type Letter = Extract<TeamEvent, { kind: "message_sent" }>;

/** `answer`: the last one that its holder had asked about it. `letter`: the last one who wrote, and whom the holder had not asked about another. */
type Open = { task: TaskId; holder: string | null; from: number; reason: string; answer: string | null; letter: string | null };

/** What is known at one moment of the log. */
type Moment = {
  /** In the order in which their agents last did something to them. */
  taken: Map<TaskId, { agent: string; isBlocked: boolean }>;
  open: Map<TaskId, Open>;
  /** By asker and asked: the tasks that the last question was about. */
  asked: Map<string, TaskId[]>;
};

/** In the order of their beginnings. `endedAt`: the end of those that are not over. */
export function blocksOf(events: readonly TeamEvent[], endedAt: Date): Block[] {
  const now: Moment = { taken: new Map(), open: new Map(), asked: new Map() };
  const all: { block: Open; to: number | undefined }[] = [];
  for (const event of events) {
    if (event.kind === "message_sent") read(event, now);
    if (!("task" in event) || event.kind === "task_changed") continue;
    const over = all.findLast(({ block }) => block === now.open.get(event.task));
    if (over) over.to = Date.parse(event.at);
    change(event, now);
    const begun = now.open.get(event.task);
    if (begun) all.push({ block: begun, to: undefined });
  }
  return all
    .filter(({ block }) => !isStop(block))
    .map(({ block: { task, from, reason, answer, letter }, to }) => ({
      task,
      ms: (to ?? endedAt.getTime()) - from,
      reason,
      answered_by: answer ?? (to === undefined ? null : letter),
    }));
}

/** Who stops a teammate, or the team, knows it: nothing was in the way of that task. */
const isStop = ({ reason, holder }: Open) => reason === stoppedTeam || (holder !== null && reason.startsWith(stoppedReason(holder)));

function change(event: TaskEvent, { taken, open }: Moment): void {
  const { kind, task, assigned_to: agent } = event;
  open.delete(task);
  taken.delete(task);
  if (kind === "task_blocked") {
    const reason = event.reason ?? "no reason given";
    open.set(task, { task, holder: agent, from: Date.parse(event.at), reason, answer: null, letter: null });
  }
  if (agent !== null && kind !== "task_completed" && kind !== "task_created")
    taken.set(task, { agent, isBlocked: kind === "task_blocked" });
}

/** A letter may answer what its receiver has asked, and ask something itself, as a notice to the lead does. */
function read(letter: Letter, now: Moment): void {
  const { by, to, mail } = letter;
  if (mail === "message") {
    const about = namedTasks(letter, to, now) ?? now.asked.get(pair(to, by)) ?? [];
    for (const block of now.open.values()) {
      if (block.holder !== to) continue;
      if (about.includes(block.task)) block.answer = by;
      else if (about.length === 0) block.letter = by;
    }
  }
  now.asked.set(pair(by, to), namedTasks(letter, by, now) ?? currentTask(by, now));
}

const pair = (asker: string, asked: string) => JSON.stringify([asker, asked]);

/** Those of the agent's tasks that the text names; undefined for none. */
function namedTasks({ text }: Letter, agent: string, { taken }: Moment): TaskId[] | undefined {
  const words = new Set(text.match(/[\w-]+/g));
  const named = [...taken].flatMap(([task, of]) => (of.agent === agent && words.has(task) ? task : []));
  return named.length > 0 ? named : undefined;
}

/** What the agent works on, or else the task that it blocked last. */
function currentTask(agent: string, { taken }: Moment): TaskId[] {
  const own = [...taken].filter(([, of]) => of.agent === agent);
  const current = own.findLast(([, { isBlocked }]) => !isBlocked) ?? own.at(-1);
  return current ? [current[0]] : [];
}
