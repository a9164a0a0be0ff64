// A task of the shared list, as it stands in tasks.json.
import { z } from "zod";

export const taskStatuses = ["open", "in_progress", "blocked", "completed"] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export type TaskId = string;

/** `since`: the revision of the list at which the task took it, `given`: at which the lead gave it to the task. `made`: it was not there then. */
const takenFileSchema = z.object({ path: z.string(), since: z.number(), given: z.number().optional(), made: z.boolean().optional() });
export type TakenFile = z.infer<typeof takenFileSchema>;

/** Loose: keys that this version does not know survive a rewrite. */
export const taskSchema = z.looseObject({
  id: z.string().regex(/^task-\d+$/),
  title: z.string(),
  description: z.string(),
  status: z.enum(taskStatuses),
  assigned_to: z.string().nullable(),
  dependencies: z.array(z.string()),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  /** Given when completing. */
  summary: z.string().optional(),
  /** Present while blocked, when a reason was given. */
  blocked_reason: z.string().optional(),
  /** What it is to change, as it was named with the task; below the working directory. */
  files: z.array(z.string()).optional(),
  /** What it has named or edited while it was in progress; see file-holds.ts. */
  taken_files: z.array(takenFileSchema).optional(),
  /** Tasks that have one of its files first, of which their owners and the lead are told; `at` is ISO 8601. */
  overlaps: z.array(z.object({ task: z.string(), at: z.string() })).optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** Of a task: numbers beyond it are not exact in time, and two ids would become one. */
export const largestNumber = 1e15;

export const taskListSchema = z.looseObject({
  version: z.literal(1),
  /** Raised by one with every change. */
  revision: z.number().int().nonnegative(),
  next_id: z.number().int().positive().max(largestNumber),
  tasks: z.array(taskSchema),
});
export type TaskList = z.infer<typeof taskListSchema>;

/** Who asks for a change. The user may do what the lead may; the supervisor only blocks and unassigns for a member that is gone. */
export type Actor = { name: string; role: "lead" | "teammate" | "user" | "supervisor" };
