// The solo sessions that run on this machine: a file for each while it runs, in the shape of a member's status, so that others can see it.
import { z } from "zod";
import type { BoardDisk } from "../../board/disk.ts";
import { contentOf } from "../../board/json-file.ts";
import { displayHandle } from "../../team/display/display.ts";
import type { ProcessTable } from "../../team/member-process.ts";
import { statusSchema } from "../../team/report/status.ts";
import { sessionFolderOf } from "../session/session-claim.ts";

const runningSchema = z.lazy(() =>
  statusSchema.unwrap().extend({
    cwd: z.string(),
    transcript: z.string(),
    /** What the person said first. */
    what: z.string(),
    /** `printed`: it has no screen. */
    kind: z.enum(["attended", "printed"]),
    /** Its tmux pane, if it is in one. */
    display: displayHandle.optional(),
  }),
);
export type RunningSession = z.infer<typeof runningSchema>;

export const runningFolder = (configDir: string): string => `${configDir}/running`;

export const runningPath = (configDir: string, session: string): string => `${runningFolder(configDir)}/${session}.json`;

/** Its open questions, which `tool watch` can answer too. */
export const questionsFolder = (transcript: string): string => `${sessionFolderOf(transcript)}/questions`;

type Ports = { disk: Pick<BoardDisk, "read" | "list" | "remove">; processes: Pick<ProcessTable, "find"> };

/** Removes the files of those that were killed. */
export function runningSessions({ disk, processes }: Ports, configDir: string): RunningSession[] {
  return disk.list(runningFolder(configDir)).flatMap((name) => {
    if (!name.endsWith(".json")) return [];
    const path = `${runningFolder(configDir)}/${name}`;
    const running = contentOf(disk.read(path), runningSchema);
    if (!running) return [];
    if (processes.find(running.pid)?.start === running.start) return [running];
    disk.remove(path);
    return [];
  });
}
