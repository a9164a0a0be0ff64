// What is said and done while a team only waits for its provider.
import { visibleLine } from "../../screen/visible-text.ts";
import type { Lead as LeadLoop } from "../../team/lead/lead.ts";
import { providerWaitNotice } from "../../team/prompt.ts";
import { msFrom } from "../ms-from.ts";
import { note } from "../note.ts";
import type { World } from "../world.ts";
import type { Lead } from "./lead/lead-parts.ts";

const defaultLongestMs = 30 * 60_000;

/** Where nobody watches, it is said on the error output: what is printed is the team's work, and the wait has an end. */
export function providerWaits(
  world: World,
  { launch, attended, clock, pane, member: { board } }: Lead,
): Pick<LeadLoop, "longestWaitMs" | "onProviderWait" | "logWait"> {
  const longestWaitMs = launch.options.endWhenDone ? msFrom(world.env["TOOL_PROVIDER_WAIT_SECONDS"], defaultLongestMs) : undefined;
  return {
    longestWaitMs,
    onProviderWait(reasons) {
      const until = longestWaitMs === undefined ? undefined : new Date(clock.now().getTime() + longestWaitMs);
      const text = providerWaitNotice(reasons, { until, resume: `${world.command} team --resume ${launch.team}` });
      if (attended) pane.warn(visibleLine(text));
      else note(world, text);
    },
    logWait(reason, againMs) {
      const at = clock.now().toISOString();
      board.log({ kind: "member_waits", by: "lead", at, member: "lead", reason, holds: null, again_ms: againMs });
    },
  };
}
