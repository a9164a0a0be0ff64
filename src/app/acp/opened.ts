// A solo session opened for an editor: its events, questions and commands go there.

import type { AgentEvent } from "../../agent/events.ts";
import type { Pursuit } from "../../agent/goal/pursuit.ts";
import { skippedInstructions } from "../../agent/instructions.ts";
import { soloAgent } from "../../agent/prompt.ts";
import { type AskedCompaction, askedCompaction } from "../../agent/requests/asked-compaction.ts";
import { windowOf } from "../../agent/requests/compaction.ts";
import { isTyped, typedText } from "../../agent/rewind/conversation.ts";
import { createStyle, type Style } from "../../screen/style.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { LoadedSettings, SettingsFlags } from "../../settings/files.ts";
import type { AgentFlags } from "../agent-flags.ts";
import type { ControlsSetup } from "../controls/controls-setup.ts";
import type { AskFor } from "../session/agents/agent-permit.ts";
import { openSolo, type Solo } from "../session/open-session.ts";
import { openPresence, type Presence } from "../session/presence.ts";
import { sessionGoal } from "../session/session-goal.ts";
import { introduceSandbox, sandboxHere } from "../settings/sandbox-here.ts";
import { settingsNotices } from "../settings/trust.ts";
import type { World } from "../world.ts";
import { type AskSetup, askThrough, chosen } from "./ask.ts";
import { fenced, textContent } from "./calls.ts";
import { optionsOf } from "./choices.ts";
import type { Client } from "./client.ts";
import { type EditorCommands, editorCommands } from "./commands.ts";
import { createFeed, type Feed } from "./feed.ts";
import { createUpdates, type Updates } from "./updates.ts";

export type EditorSessionOrder = {
  client: Client;
  id: string;
  flags: AgentFlags;
  /** The same flags as settings, with what the editor gives. */
  settingsFlags: SettingsFlags;
};

/** What there is of a session while its settings are the same; a repository that becomes trusted opens all of it again. */
export type Opened = {
  solo: Solo;
  presence: Presence;
  goal: Pursuit;
  compaction: AskedCompaction;
  commands: EditorCommands;
  notices: string[];
  /** Tells the editor the mode, model and effort, if they have changed. */
  tellChoices(): void;
};

/** What outlives that. */
export type Shown = {
  world: World;
  order: EditorSessionOrder;
  updates: Updates;
  feed: Feed;
  asking: AskSetup;
  pane: ControlsSetup["pane"];
  style: Style;
  /** What the editor knows. */
  told: { mode?: string; options?: string };
  nowMs(): number;
};

type Late = { redacted(text: string): Promise<string>; stopTurn(): void };

export async function shownIn(world: World, order: EditorSessionOrder, { redacted, stopTurn }: Late): Promise<Shown> {
  const clock = await world.edges.clock();
  const { client, id } = order;
  const { cwd, uniqueId } = world;
  const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
  const updates = createUpdates({ cwd, style, uniqueId, notices: Boolean(client.can.session?.notices) });
  const feed = createFeed({ updates, send: (update) => client.update(id, update), redacted, clock });
  const asking = { client, session: id, cwd, style, updates, push: feed.push, sent: feed.sent, stopTurn, uniqueId };
  return { world, order, updates, feed, asking, pane: paneOf(asking), style, told: {}, nowMs: () => clock.now().getTime() };
}

/** Throws UsageError as openSolo does. */
export async function open(shown: Shown, settings: LoadedSettings): Promise<Opened> {
  const { world, order, asking, pane } = shown;
  const { flags, id } = order;
  const presence = await openPresence(world, { kind: "attended", onAnsweredElsewhere: pane.warn });
  const ask = presence.seen(askThrough(asking, soloAgent));
  const askFor: AskFor = (name, stopsAlone) => {
    const stopTurn = () => void (stopsAlone?.() || asking.stopTurn());
    return presence.seen(askThrough({ ...asking, stopTurn }, name), name);
  };
  const solo = await openSolo(world, { flags, settings, id, ask, askFor, onNotice: pane.warn, attended: true });
  const { session } = solo;
  const tellChoices = choicesTeller(shown, solo);
  follow(shown, solo, tellChoices);
  presence.begin(session, solo.past);
  solo.agents.attach(session, () => {});
  const compaction = askedCompaction(session.agent, () => {});
  const say = async (line: string) => session.say(await solo.skills.inputOf(line));
  const notices = [
    ...settingsNotices(settings, world.command),
    ...solo.notices,
    ...solo.skills.notices([]),
    ...skippedInstructions(solo.skipped, world.cwd),
  ];
  return {
    solo,
    presence,
    goal: sessionGoal(world, solo, { disk: await world.edges.disk() }),
    compaction,
    commands: editorCommands({ ...shown, solo, say, compact: compaction.ask }),
    notices,
    tellChoices,
  };
}

export async function close({ solo, presence }: Opened, reason: Parameters<Solo["close"]>[0]): Promise<void> {
  presence.end();
  await solo.close(reason);
}

/** What the editor can be told only once it knows the session. */
export function introduce({ world, feed, pane }: Shown, { commands, notices, tellChoices, solo: { work } }: Opened): void {
  tellChoices();
  feed.push({ sessionUpdate: "available_commands_update", availableCommands: commands.list() });
  for (const text of notices) pane.warn(text);
  const settings = work.settings();
  const confined = sandboxHere(world, settings).then(async ({ state, notice }) => {
    if (notice) pane.warn(notice);
    await introduceSandbox(world, { state, settings, print: pane.warn });
  });
  void confined.catch(() => {}); // the first command says what is wrong with it
}

function choicesTeller({ feed, told }: Shown, solo: Solo): () => void {
  told.mode ??= solo.work.mode();
  told.options ??= JSON.stringify(optionsOf(solo));
  return () => {
    const mode = solo.work.mode();
    const configOptions = optionsOf(solo);
    if (mode !== told.mode) feed.push({ sessionUpdate: "current_mode_update", currentModeId: mode });
    if (JSON.stringify(configOptions) !== told.options) feed.push({ sessionUpdate: "config_option_update", configOptions });
    Object.assign(told, { mode, options: JSON.stringify(configOptions) });
  };
}

/** Sends what happens while it happens. */
function follow({ feed }: Shown, { session, agents, past }: Solo, tellChoices: () => void): void {
  let isNamed = past.some(({ type }) => type === "input");
  session.listen((event) => {
    feed.follow(event);
    if (event.type === "reply" || event.type === "compacted") feed.push(usageOf(session));
    const title = isNamed ? undefined : titleIn(event);
    if (title !== undefined) feed.push({ sessionUpdate: "session_info_update", title });
    isNamed ||= title !== undefined;
    if (event.type === "tool_ended" || event.type === "ended") tellChoices();
  });
  agents.listen(({ call, name }, event) => {
    if (event.type === "tool_started" && call !== undefined) feed.output(call, `${name}: ${event.name} ${visibleLine(event.subject)}\n`);
  });
}

function usageOf({ agent, totals }: Solo["session"]) {
  const { costUsd } = totals();
  const window = { used: agent.history.count.tokens(), size: windowOf(agent) };
  return { sessionUpdate: "usage_update" as const, ...window, ...(costUsd !== null && { cost: { amount: costUsd, currency: "USD" } }) };
}

function titleIn(event: AgentEvent): string | undefined {
  const said = event.type === "input" ? event.inputs.find(isTyped) : undefined;
  return said && titleOfPrompt(typedText(said));
}

const longestTitle = 80;

export const titleOfPrompt = (prompt: string) =>
  visibleLine(prompt.trim().split("\n", 1)[0] ?? "")
    .slice(0, longestTitle)
    .toWellFormed();

/** What commands print is a message, and what they let the person pick from is a question. */
function paneOf(asking: AskSetup): ControlsSetup["pane"] {
  const { push, updates } = asking;
  return {
    print: (text) => push(updates.message(fenced(text.replace(/^\n+|\s+$/g, "")))),
    warn: (text) => push(updates.notice("warning", visibleLine(text))),
    refresh: () => {},
    fill: async () => undefined,
    async pick(items, { title }) {
      const options = items.map((item) => ({ name: item.label, kind: "allow_once" as const, value: item }));
      const shown = { title, kind: "other" as const, content: [textContent(title)] };
      const leave = { name: "leave it as it is", kind: "reject_once" as const, value: undefined };
      const picked = await chosen(asking, { call: undefined, shown, options: [...options, leave] }, new AbortController().signal);
      return picked === "withdrawn" ? undefined : picked;
    },
  };
}
