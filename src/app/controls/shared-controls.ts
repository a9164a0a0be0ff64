// The slash commands that every pane has, solo or in a team: each uses only this session, this folder and this machine. What only prints a text is
// loaded when it is typed: most sessions end without it.

import { listPrices } from "../../agent/requests/prices.ts";
import type { SessionControls } from "../../screen/commands/session-commands.ts";
import { fullView } from "../../screen/questions/full-view.ts";
import { configText } from "../settings/config.ts";
import type { ControlsSetup } from "./controls-setup.ts";
import { changeMode } from "./mode-control.ts";

export function sharedControls({ world, pane, style, scripted, session, work, instructions, events, withdrawFromTeam }: ControlsSetup) {
  const { agent } = session;
  const overview = async () =>
    (await import("./session-overview.ts")).sessionOverview({ world, style, scripted, session, work, instructions, events });
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
    async view(lines) {
      const shown = fullView(lines, style);
      const onKey = (key: string) => (shown.onKey(key) ? { given: undefined } : undefined);
      await pane.fill({ lines: shown.lines, onKey }, new AbortController().signal);
    },
    changes: async (words) => (await import("../changes/show-changes.ts")).changesHere(world, words, style),
    permissions: async (words) =>
      (await import("../session/session-permissions.ts")).sessionPermissions(words, { world, work, withdrawFromTeam }),
    context: async () => (await overview()).context(),
    privacy: async () => (await overview()).privacy(),
    status: async () => (await overview()).status(),
    servers: async () => (await overview()).servers(),
    hooks: async () => (await overview()).hooks(),
    skills: async () => (await overview()).skills(),
    config: (name) => configText(work.settings(), world, { style, name }),
    async doctor() {
      const { examine, findingsTable } = await import("../settings/examine.ts");
      return findingsTable(await examine(world), style);
    },
  } satisfies Partial<SessionControls>;
}

export function pricedModels(): { label: string; hint: string }[] {
  return Object.entries(listPrices).flatMap(([name, price]) =>
    name === "scripted" ? [] : [{ label: name, hint: `$${price.input} in, $${price.output} out per million tokens` }],
  );
}
