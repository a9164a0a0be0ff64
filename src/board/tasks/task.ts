// A task of the shared list, as stored in tasks.json.
import { z } from "zod";
import { type Evidence, evidenceSchema, type TestRun } from "../../wording/evidence.ts";
import type { Verifier } from "./verify.ts";

export const taskStatuses = ["open", "in_progress", "blocked", "completed"] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export type TaskId = string;

/**
 * `since`: the list's revision when the task took the file. `given`: the revision when the lead gave it to the task. `made`: the file did not exist
 * then.
 */
const takenFileSchema = z.object({ path: z.string(), since: z.number(), given: z.number().optional(), made: z.boolean().optional() });
export type TakenFile = z.infer<typeof takenFileSchema>;

/** Loose, so that keys of newer versions survive a rewrite. */
export const taskSchema = z.looseObject({
  id: z.string().regex(/^task-\d+$/),
  title: z.string(),
  description: z.string(),
  status: z.enum(taskStatuses),
  assigned_to: z.string().nullable(),
  dependencies: z.array(z.string()),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  /** Given on completion. */
  summary: z.string().optional(),
  /** Present while blocked, if a reason was given. */
  blocked_reason: z.string().optional(),
  /** The files that it is to change, as its author named them; below the working directory. */
  files: z.array(z.string()).optional(),
  /** A command that the harness runs, with its owner's rights, before the task counts as completed. */
  verify: z.string().optional(),
  /** The last test that was run for it, written by the harness alone. */
  evidence: evidenceSchema.optional(),
  /** The files that it named or edited while in progress; see taken-files.ts. */
  taken_files: z.array(takenFileSchema).optional(),
  /** Tasks that had one of its files first, of which their owners and the lead are told; `at` is ISO 8601. */
  overlaps: z.array(z.object({ task: z.string(), at: z.string() })).optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** Larger numbers are not exact, so two ids could become the same. */
export const largestNumber = 1e15;

export const taskListSchema = z.looseObject({
  version: z.literal(1),
  /** Increases by one with every change. */
  revision: z.number().int().nonnegative(),
  next_id: z.number().int().positive().max(largestNumber),
  tasks: z.array(taskSchema),
});
export type TaskList = z.infer<typeof taskListSchema>;

/** The actor of a change. The user may do what the lead may; the supervisor only blocks and unassigns tasks of a member that is gone. */
export type Actor = { name: string; role: "lead" | "teammate" | "user" | "supervisor"; witness?: Witness };

/** What the harness sees and runs for an actor. `verified`: proofs of completions that are under way. */
export type Witness = {
  evidence?: (task: TaskId) => Evidence;
  verify?: Verifier;
  verified?: Map<TaskId, TestRun>;
};
