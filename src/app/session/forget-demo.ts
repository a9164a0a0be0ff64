// What a demo's sessions leave: nobody continues with them, since their folder is gone. What the demo's end names is kept.
import { dirname } from "node:path";
import { projectName } from "../../agent/transcript.ts";
import type { ScratchRepository } from "../../team/demo.ts";
import type { ExitCode, World } from "../world.ts";

/** After an end that nobody expected everything is kept: it says what went wrong. */
export function forgetDemo({ configDir }: Pick<World, "configDir">, scratch: ScratchRepository, code: ExitCode): void {
  if (code !== 0 && code !== 130) return;
  scratch.forget({ projects: `${configDir}/projects`, name: projectName(dirname(scratch.path)), keep: ["failures.jsonl"] });
}
