// The hands of a unit that works at a place. Its process ends without an outcome when they die: another one then goes on at another place.
import type { UnitOrder } from "../../batch/unit-agent.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { UsageError, type World } from "../world.ts";
import type { StarterOrder } from "./hands-starter.ts";
import { type LastingHands, lastingHands } from "./lasting-hands.ts";
import { placeNamed } from "./place-named.ts";

export type UnitHands = {
  world: World;
  bringHome(): Promise<void>;
  /** Throws if they are gone. */
  alive(): Promise<void>;
  facts: LastingHands["facts"];
  leave(): Promise<void>;
};

type Order = {
  order: Pick<UnitOrder, "place" | "root" | "session">;
  settings: LoadedSettings;
  signal: AbortSignal;
  onGone: () => void;
} & Required<Pick<StarterOrder, "onFacts" | "onSaid">>;

/** Undefined for a unit that works on this machine. */
export async function unitHands(world: World, { order, settings, signal, onGone, ...listening }: Order): Promise<UnitHands | undefined> {
  const { place, root, session } = order;
  if (place === undefined) return undefined;
  const found = placeNamed(settings.effective.places, place);
  if (!found.ok) throw new UsageError(found.reason);
  let gone: string | undefined;
  const hands = lastingHands(world, {
    choose: ({ failed, died }) => (failed.length + died.length === 0 ? found.place : undefined),
    ...listening,
    onGone(why) {
      gone = why;
      onGone();
    },
  });
  await hands.start(signal);
  // Each process has work of its own there: what dead hands have left is another's.
  const at = { root, top: world.cwd, cwd: world.cwd, name: world.uniqueId(), ref: `unit-${session}` };
  return {
    world: hands.serve(world, at, { waits: true }),
    leave: hands.leave,
    facts: hands.facts,
    async bringHome() {
      await hands.bringHome();
      if (hands.isPending()) throw new Error(`What changed at ${place} is not home`);
    },
    async alive() {
      if (gone !== undefined) throw new Error(`The hands at the place "${place}" are gone: ${gone}`);
    },
  };
}
