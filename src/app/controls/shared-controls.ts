// The slash commands that every pane has, solo or in a team: each uses only this session, this folder and this machine.

import type { TranscriptEvent } from "../../agent/events.ts";
import type { Instructions } from "../../agent/instructions.ts";
import { listPrices } from "../../agent/requests/prices.ts";
import type { Session } from "../../agent/session/session.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { SessionControls } from "../../screen/commands/session-commands.ts";
import type { Style } from "../../screen/style.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { examine, findingsTable } from "../settings/examine.ts";
import type { World } from "../world.ts";
import { changeMode } from "./mode-control.ts";
import { sessionOverview } from "./session-overview.ts";

/** The session in which commands are typed, and where it is shown. */
export type ControlsSetup = {
  world: World;
  pane: Pane;
  style: Style;
  /** The replies come from a script, so the model cannot be changed. */
  scripted: boolean;
  session: Session;
  work: Workspace;
  instructions: Instructions[];
  events(): TranscriptEvent[];
  /** At a team's lead: withdraws a grant of the whole team. */
  withdrawFromTeam?: ((rule: string) => Promise<boolean>) | undefined;
};

export function sharedControls({ world, pane, style, scripted, session, work, instructions, events, withdrawFromTeam }: ControlsSetup) {
  const { agent } = session;
  return {
    print: (text, hang = 4) => pane.print(`\n${text}\n`, hang),
    warn: pane.warn,
    events,
    models: () => (scripted ? [] : pricedModels()),
    model: () => agent.modelName,
    setModel(name) {
      agent.modelName = name;
      if (agent.fallback) agent.fallback.answers = false;
    },
    effort: () => agent.effort,
    setEffort(effort) {
      agent.effort = effort;
    },
    mode: work.mode,
    setMode: (name) => changeMode({ work, session, pane }, name),
    pick: (items, options) => pane.pick(items, options),
    permissions: async (words) =>
      (await import("../session/session-permissions.ts")).sessionPermissions(words, { world, work, withdrawFromTeam }),
    ...sessionOverview({ world, style, scripted, session, work, instructions, events }),
    doctor: async () => findingsTable(await examine(world), style),
  } satisfies Partial<SessionControls>;
}

function pricedModels(): { label: string; hint: string }[] {
  return Object.entries(listPrices).flatMap(([name, price]) =>
    name === "scripted" ? [] : [{ label: name, hint: `$${price.input} in, $${price.output} out per million tokens` }],
  );
}
