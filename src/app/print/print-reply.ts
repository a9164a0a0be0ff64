// Formats an operation's reply for a person, with its exit code.

import type { Message } from "../../board/messages/message.ts";
import { unfinished } from "../../board/tasks/graph.ts";
import type { Reply } from "../../board/tasks/operations.ts";
import type { Task } from "../../board/tasks/task.ts";
import { evidenceText } from "../../screen/evidence-text.ts";
import type { State, Style } from "../../screen/style.ts";
import { createStyle } from "../../screen/style.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import { evidenceWords } from "../../wording/evidence.ts";
import { asTyped } from "../controls/as-typed.ts";
import { type RefusedFor, refusalExit } from "../exit-codes.ts";
import type { ExitCode, Output, World } from "../world.ts";
import { errorLine } from "./error-line.ts";

type Success = Exclude<Reply, { ok: false }>;

/** Prints the reply as JSON, or as `text` says. */
export function printReply(world: World, reply: Reply, { json, text }: { json?: boolean; text: (reply: Success) => string }): ExitCode {
  if (!reply.ok) return printRefusal(world, reply.error, { json });
  world.stdout.write(`${json ? JSON.stringify(reply) : text(reply)}\n`);
  return 0;
}

/** Prints why a request was refused: with its code as JSON, else as a sentence on standard error. */
export function printRefusal(
  world: Pick<World, "stdout" | "stderr" | "command">,
  error: { code: RefusedFor; message: string },
  { json }: { json?: boolean | undefined },
): ExitCode {
  if (json) world.stdout.write(`${JSON.stringify({ ok: false, error })}\n`);
  else world.stderr.write(errorLine(asTyped(error.message, world.command)));
  return refusalExit(error.code);
}

/** Colours only if a person reads it. */
export function styleOf(world: World, members: string[] = []): Style {
  return createStyle(plainUnlessRead(world), () => members, world.theme);
}

/** The environment that decides about colours: none in a file or a pipe, unless FORCE_COLOR wants them. */
export const plainUnlessRead = ({ env, stdout }: World): World["env"] =>
  stdout.isTTY || env["FORCE_COLOR"] ? env : { ...env, NO_COLOR: "1" };

/** How wide a table may be: as the terminal, where there is one. */
export const widthOf = ({ isTTY, columns }: Output): number => (isTTY ? columns : Number.POSITIVE_INFINITY);

const stateOf: Record<Task["status"], State> = { open: "waiting", in_progress: "working", blocked: "needs_you", completed: "done" };

/** One line for each task; open ones say what they wait for. */
export function taskLines(tasks: Task[], style: Style): string {
  const widest = Math.max(8, ...tasks.map(({ id }) => id.length));
  const holder = Math.max(6, ...tasks.map(({ assigned_to }) => assigned_to?.length ?? 0));
  return tasks
    .map((task) => {
      const state = stateOf[task.status];
      const who = style.member(task.assigned_to ?? "", (task.assigned_to ?? "").padEnd(holder));
      return `${task.id.padEnd(widest)} ${style.state(state, style.symbol(state))} ${who} ${visibleLine(task.title)}${style.dim(visibleLine(aside(task, tasks)))}${task.evidence ? `  ${evidenceText(task.evidence, style)}` : ""}`;
    })
    .join("\n");
}

/** Everything about one task. */
export function taskText(task: Task): string {
  const facts = [
    `status: ${task.status}`,
    `assigned to: ${task.assigned_to ?? "nobody"}`,
    `depends on: ${task.dependencies.join(", ") || "nothing"}`,
    task.files?.length && `files: ${task.files.join(", ")}`,
    `created: ${task.created_at}`,
    task.blocked_reason && `blocked: ${task.blocked_reason}`,
    task.verify && `verify: ${task.verify}`,
    task.summary && `summary: ${task.summary}`,
    (task.status === "completed" || task.evidence) && `tests: ${evidenceWords(task.evidence)}`,
  ];
  return visibleText(
    [`${task.id}  ${task.title}`, ...facts.filter(Boolean), task.description && `\n${task.description}`].filter(Boolean).join("\n"),
  );
}

export function messageLines(messages: Message[]): string {
  return messages
    .map(({ id, from, kind, text }) => `${id}  from ${from}${kind === "message" ? "" : ` (${kind})`}\n${indented(visibleText(text))}`)
    .join("\n");
}

function aside(task: Task, tasks: Task[]): string {
  if (task.status === "blocked") return `  (${task.blocked_reason ?? "no reason given"})`;
  const waiting = task.status === "open" ? unfinished(tasks, task) : [];
  return waiting.length > 0 ? `  (waits for ${waiting.join(", ")})` : "";
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
