// Removes a demo's sessions, which cannot be resumed because their folder is gone. What the demo's last lines name is kept.
import { dirname } from "node:path";
import { projectName } from "../../agent/session/transcript.ts";
import type { ScratchRepository } from "../../team/demo.ts";
import type { ExitCode, World } from "../world.ts";

/** Keeps everything after an unexpected end, because it shows what went wrong. */
export function forgetDemo({ configDir }: Pick<World, "configDir">, scratch: ScratchRepository, code: ExitCode): void {
  if (code !== 0 && code !== 130) return;
  scratch.forget({ projects: `${configDir}/projects`, name: projectName(dirname(scratch.path)), keep: ["failures.jsonl"] });
}
