// Tells both owners and the lead when two tasks in progress share files: once for each pair, when the overlap occurs.

import { inLine } from "../../wording/others-words.ts";
import type { TeamLayout } from "../layout.ts";
import { createOwedMessages, type Owed, type OwedMessages, owedId } from "../messages/owed-messages.ts";
import { readableTasks } from "../readable.ts";
import { filesFirstWith } from "./taken-files.ts";
import type { Task } from "./task.ts";
import type { BoardPorts, TaskFile } from "./task-file.ts";

export function createOverlapNotices(ports: BoardPorts, layout: TeamLayout, tasks: TaskFile): OwedMessages<Owed> {
  return createOwedMessages(ports, layout, () => overlapMessages(readableTasks({ tasks })));
}

/** Only while both are in progress: later there is nothing to decide. */
export function overlapMessages(tasks: Task[]): Owed[] {
  const working = tasks.filter(({ status }) => status === "in_progress");
  return working.flatMap((task) =>
    (task.overlaps ?? []).flatMap(({ task: id, at }) => {
      const first = working.find((other) => other.id === id);
      const files = first ? filesFirstWith(tasks, task, first) : [];
      return first && files.length > 0 ? messagesOf({ task, first, files, at }) : [];
    }),
  );
}

/** `first`: the task that had these files first. */
type Overlap = { task: Task; first: Task; files: string[]; at: string };

function messagesOf({ task, first, files, at }: Overlap): Owed[] {
  const [later, earlier] = [task.assigned_to ?? "", first.assigned_to ?? ""];
  const id = (from: string) => owedId(at, from, `${task.id}-${first.id}`);
  const both = namedFiles(files);
  const until = `until ${first.id} is completed or blocked`;
  const to = (receiver: string, from: string, text: string): Owed => ({
    id: id(from),
    draft: { from, to: receiver, kind: receiver === "lead" ? "task_notice" : "notice", text },
  });
  return [
    to(earlier, later, `My ${task.id} also changes ${both}. ${first.id} has it first: my edits of it are refused ${until}.`),
    to(
      later,
      earlier,
      `My ${first.id} has ${both} first: edits of it under ${task.id} are refused ${until}. Do the rest first, or ask lead.`,
    ),
    to(
      "lead",
      later,
      `${first.id} (${earlier}) and ${task.id} (${later}) are both in progress and change ${both}. ${first.id} has it first: edits under ${task.id} are refused ${until}. To decide otherwise, give the files to ${task.id}: TaskUpdate with its id and "files".`,
    ),
  ];
}

/** At most as many names as fit into a sentence. */
export function namedFiles(files: string[]): string {
  const named = inLine(files.slice(0, mostNamed).join(", "));
  return files.length > mostNamed ? `${named} and ${files.length - mostNamed} more` : named;
}

const mostNamed = 10;
