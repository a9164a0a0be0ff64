// Prints `tool hooks schema`.
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import { hookSchema } from "../../hooks/schema.ts";
import { hookEvents } from "../../settings/hook-settings.ts";
import { nearestName } from "../../wording/nearest-name.ts";

export function printSchema(world: World, wanted: string | undefined): ExitCode {
  const event = hookEvents.find((name) => name === wanted);
  if (wanted !== undefined && !event) {
    const near = nearestName(wanted, hookEvents);
    throw new UsageError(
      `cannot print the schema of "${wanted}": there is no such event. ${near ? `Did you mean ${near}?` : `Events: ${hookEvents.join(", ")}.`}`,
    );
  }
  world.stdout.write(`${JSON.stringify({ ok: true, ...hookSchema(event) }, undefined, 2)}\n`);
  return 0;
}
