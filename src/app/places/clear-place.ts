// `tool place gc`: has hands remove what dead ones left at their place.
import { z } from "zod";
import { callHands } from "../../places/call-hands.ts";
import { endText, refusalText } from "../../places/refusals.ts";
import { endLink, startHands } from "../../places/start-hands.ts";
import { openSettings } from "../settings/open-settings.ts";
import { UsageError, type World } from "../world.ts";
import { placeNamed } from "./place-named.ts";

const count = z.int().min(0);
const clearedSchema = z.object({ works: count, programs: count, alive: count });

export async function clearPlace(world: World, name: string): Promise<z.infer<typeof clearedSchema>> {
  const found = placeNamed((await openSettings(world, {})).effective.places, name);
  if (!found.ok) throw new UsageError(found.reason);
  const { place } = found;
  const calls = callHands({});
  const ports = await world.edges.placePorts(world.env);
  const started = await startHands(place, ports, { words: ["hands", "--link"], limitMs: 30_000, deliver: calls.deliver });
  if (!started.ok) throw new UsageError(refusalText(place, started.refusal).replace(/^C/, "c"));
  const { hands } = started;
  calls.connect(hands.channel);
  void hands.closed.then(async (fault) => {
    const why = `the link ended before everything was removed: ${fault ?? endText(await hands.link.ended)}. Try again`;
    calls.lose({ open: why, later: why });
  });
  try {
    return clearedSchema.parse(await calls.call("gc", null));
  } finally {
    await endLink(hands.link, ports);
  }
}
