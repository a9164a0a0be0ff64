// launch.json: everything a member's process needs to start. It carries the environment, keys included, so it is 0600 and
// exists only until the new process has read it; no secret is ever on a command line.

import { z } from "zod";
import { efforts } from "../agent/requests/thinking.ts";
import { firstProblem } from "../board/json-file.ts";
import { permissionModes } from "../permissions/policy.ts";
import { placeRoomSchema } from "../places/free-place.ts";
import { displayPlaces } from "./display/display.ts";
import { roleSchema } from "./role.ts";
import { treesRecordSchema } from "./worktrees.ts";

const openingSchema = z.object({
  where: z.enum(displayPlaces),
  /** Why the team is shown there. */
  why: z.string(),
  /** How the tests of a demo's copy ended before the team starts. */
  before: z.string().optional(),
  /** How the person starts this program: in their shell, not in the lead's pane. */
  command: z.string(),
});
export type Opening = z.infer<typeof openingSchema>;

/** `program`: the role is a program of the person's, by its name in their settings. `place`: of theirs, for its hands. */
const namedSchema = z.object({
  name: z.string(),
  role: z.string().optional(),
  program: z.literal(true).optional(),
  place: z.string().optional(),
});
export type NamedTeammate = z.infer<typeof namedSchema>;

const launchSchema = z.object({
  version: z.literal(1),
  role: z.enum(["lead", "teammate"]),
  team: z.string(),
  name: z.string(),
  session: z.string(),
  cwd: z.string(),
  /** Not taken from the environment: a tmux server gives its panes the environment of the process that started the server. */
  configDir: z.string(),
  nonce: z.string(),
  /** The settings files of the machine's administrator, because a pane's environment may not name them. */
  managedSettings: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  /** The lead's instructions for this teammate, or the user's prompt for the lead. */
  prompt: z.string().optional(),
  /** Of a teammate: the role that it has. */
  definition: roleSchema.optional(),
  /** Of a member that a program of the person's plays: its name in their settings. */
  program: z.string().optional(),
  /** Of a teammate whose hands are at a place of the person's: its name. `moves`: they may go on at another of the team's places. */
  place: z.string().optional(),
  moves: z.literal(true).optional(),
  /** Of a teammate in the tree of its lead: the instruction files as the lead found them. */
  instructions: z.array(z.object({ path: z.string(), text: z.string(), bytes: z.number() })).optional(),
  /** What the lead's trial of the sandbox found. */
  sandbox: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("works") }),
      z.object({ kind: z.enum(["missing", "uncertain"]), why: z.string() }),
    ])
    .optional(),
  /** The lead alone: what its screen says first. */
  opening: openingSchema.optional(),
  /** It continues with a team that had ended. `since`: when that team was last heard of. `said`: what the lead tells besides. */
  resumed: z.object({ since: z.iso.datetime(), said: z.array(z.string()).optional() }).optional(),
  /** Each teammate works in a worktree of its own. */
  worktrees: treesRecordSchema.optional(),
  options: z.object({
    model: z.string().optional(),
    effort: z.enum(efforts).optional(),
    fallbackModel: z.string().optional(),
    /** A file for the scripted model. */
    script: z.string().optional(),
    /** A person watches: questions are put, and scripted replies come at a pace that can be followed. */
    attended: z.boolean(),
    allow: z.array(z.string()),
    deny: z.array(z.string()),
    permissionMode: z.enum(permissionModes).optional(),
    addDir: z.array(z.string()).optional(),
    settings: z.array(z.string()).optional(),
    trust: z.boolean().optional(),
    /** Of a teammate: what the lead found and `trust` covers, as settings/files.ts marks it. Others may have added to it since. */
    trusted: z.string().optional(),
    maxTurns: z.number().optional(),
    budgetUsd: z.number().optional(),
    /** How long a teammate waits for its lead to come back. */
    leadGraceMs: z.number(),
    /** Of a lead: how teammates are to be shown. Of a teammate: where it is shown. */
    display: z.string().optional(),
    /** Where teammates' hands work. */
    places: z.array(placeRoomSchema).optional(),
    /** The lead alone: how many teammates the user asked for. */
    teammates: z.number().optional(),
    /** The lead alone: teammates that start with it, each with the definition that it works by. */
    named: z.array(namedSchema).optional(),
    leadMayEdit: z.boolean().optional(),
    /** The lead alone, with worktrees: what is run on everything that was handed over. */
    test: z.string().optional(),
    /** The lead ends when all tasks are completed and reported. */
    endWhenDone: z.boolean().optional(),
  }),
});
export type Launch = z.infer<typeof launchSchema>;
export type MemberOptions = Launch["options"];

/** Reads a launch file's text. Throws with the file's name and the first thing that is wrong. */
export function parseLaunch(path: string, text: string): Launch {
  const parsed = launchSchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(`Cannot start from ${path}: ${firstProblem(parsed.error)}`);
}
