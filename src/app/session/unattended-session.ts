// A session without a screen: opened, worked in until its work ends or a signal comes, and closed in any case.
import { untilSignal } from "../until-signal.ts";
import type { World } from "../world.ts";
import { openSolo, type Solo, type SoloOrder } from "./open-session.ts";

/** Nobody can be asked. Throws UsageError as openSolo does. */
export async function inUnattendedSession<T>(
  world: World,
  order: Omit<SoloOrder, "ask" | "askFor" | "attended">,
  work: (solo: Solo, ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const solo = await openSolo(world, { ...order, ask: undefined, attended: false });
  try {
    return await untilSignal(world, (ending) => work(solo, ending));
  } finally {
    await solo.close("exit");
  }
}
