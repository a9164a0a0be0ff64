// A session in an editor: the same session as everywhere, worked in for one prompt after the other, and shown by updates.

import type { ContentBlock, SessionConfigOption, SessionModeState, StopReason } from "@agentclientprotocol/sdk";
import { conversationOf } from "../../agent/rewind/conversation.ts";
import { openSettings } from "../settings/open-settings.ts";
import type { World } from "../world.ts";
import { choose, modesOf, optionsOf } from "./choices.ts";
import { AcpRefusal } from "./client.ts";
import { close, type EditorSessionOrder, introduce, type Opened, open, shownIn } from "./opened.ts";
import { promptOf } from "./prompt-blocks.ts";
import { trusts, work } from "./turn.ts";

export interface EditorSession {
  /** Works on the prompt, until the signal aborts. Throws AcpRefusal if it cannot, or if another prompt is being worked on. */
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason>;
  /** Ends the turn; nothing without one. */
  cancel(): void;
  choices(): { modes: SessionModeState; configOptions: SessionConfigOption[] };
  /** Chooses one of them, which the editor is told. Throws AcpRefusal for what cannot be chosen. */
  choose(id: string, value: string): void;
  /** Sends the whole conversation so far. */
  replay(): Promise<void>;
  /** Tells the editor what it can be told only once it knows the session. */
  introduce(): void;
  close(): Promise<void>;
}

/** `world`: of the session's folder, with nothing but protocol on its standard output. Throws UsageError as openSolo does. */
export async function openEditorSession(world: World, order: EditorSessionOrder): Promise<EditorSession> {
  let turn: AbortController | undefined;
  let working: Promise<unknown> = Promise.resolve();
  /** The content of the repository's settings that the person was asked about. */
  let asked: string | undefined;
  const chosen = new Map<string, string>();
  let opened: Opened;
  const shown = await shownIn(world, order, { redacted: (text) => opened.solo.work.redacted(text), stopTurn: () => turn?.abort() });
  const openNow = async () => open(shown, await openSettings(world, order.settingsFlags));
  opened = await openNow();
  const { feed, updates } = shown;

  const run = async (blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> => {
    const disk = await world.edges.disk();
    const prompt = promptOf(blocks, { cwd: world.cwd, isThere: (path) => disk.size(path) !== undefined });
    const settings = opened.solo.work.settings();
    if (settings.hash !== asked && (await trusts(shown, settings, signal))) {
      await close(opened, "other_session");
      opened = await openNow();
      for (const [id, value] of chosen) choose(opened.solo, id, value);
      introduce(shown, opened);
    }
    if (signal.aborted) return "cancelled";
    asked = settings.hash;
    return work(shown, opened, prompt, signal);
  };
  return {
    async prompt(blocks, signal) {
      if (turn) throw new AcpRefusal("invalid_request", "A prompt is being worked on in this session. Wait for its end, or cancel it.");
      turn = new AbortController();
      const result = run(blocks, AbortSignal.any([turn.signal, signal])).finally(() => {
        turn = undefined;
      });
      working = result.catch(() => {});
      try {
        return await result;
      } finally {
        feed.push(...updates.abandoned());
        await feed.sent();
      }
    },
    cancel: () => turn?.abort(),
    choices: () => ({ modes: modesOf(opened.solo), configOptions: optionsOf(opened.solo) }),
    choose(id, value) {
      choose(opened.solo, id, value);
      chosen.set(id, value);
      opened.tellChoices();
    },
    async replay() {
      for (const event of conversationOf(opened.solo.past)) feed.push(...updates.again(event));
      feed.push(...updates.abandoned());
      await feed.sent();
    },
    introduce: () => introduce(shown, opened),
    async close() {
      turn?.abort();
      await working;
      await close(opened, "exit");
    },
  };
}
