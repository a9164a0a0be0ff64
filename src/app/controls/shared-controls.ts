// The slash commands that every pane has, solo or in a team: each uses only this session, this folder and this machine. What only prints a text is
// loaded when it is typed: most sessions end without it.

import { listPrices } from "../../agent/requests/prices.ts";
import type { SessionControls } from "../../screen/commands/session-commands.ts";
import { fullView } from "../../screen/questions/full-view.ts";
import { visibleLine } from "../../screen/visible-text.ts";
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
    async addFolder(given) {
      const folder = given.trim().replace(/^(['"])(.*)\1$/, "$2");
      if (folder === "") throw new Error("Write /add-dir <folder>");
      if (work.hands?.()) throw new Error("Cannot add a folder here: this session works at a place, which has one");
      const path = await work.addFolder(folder);
      session.note({ source: { kind: "harness" }, text: `The person has added a working directory to this session: ${path}.` });
      return `${visibleLine(path)} is open to this session, for files and commands, until it ends.`;
    },
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
