// `tool place`: the places of the person's settings, and the test of one against the contract in docs/places.md.
import { Command } from "commander";
import { type Finish, UsageError, type World } from "../app/world.ts";
import type { Place } from "../places/place.ts";
import type { PlaceCheck } from "../places/test-place.ts";

type JsonOption = { json?: boolean };

export function placeCommand(world: World, finish: Finish): Command {
  const command = new Command("place")
    .description("List and test places: commands of your settings that lead to other machines, where an agent's hands can work.")
    .addHelpText("after", "\nExamples:\n  tool place list\n  tool place test gpu\n  tool place gc gpu");
  command
    .command("list")
    .description("List the places of your settings. Nothing is started.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool place list --json")
    .action((options: JsonOption) => list(world, options));
  command
    .command("test")
    .description(
      "Try everything that hands need there, and say for each step that fails what to do. The program is sent if it is not there yet. Exit code 1 when the place cannot be used.",
    )
    .argument("<place>", "its name in the settings")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool place test gpu")
    .action((name: string, options: JsonOption) => test(world, finish, { name, json: options.json === true }));
  command
    .command("gc")
    .description(
      "Remove what hands left below the place's folder when they died: their work of a turn that did not come home, and programs of other versions. What living hands use stays.",
    )
    .argument("<place>", "its name in the settings")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool place gc gpu")
    .action((name: string, options: JsonOption) => gc(world, { name, json: options.json === true }));
  return command;
}

async function gc(world: World, { name, json }: { name: string; json: boolean }): Promise<void> {
  const { clearPlace } = await import("../app/places/clear-place.ts");
  const { works, programs, alive } = await clearPlace(world, name);
  if (json) return world.stdout.write(`${JSON.stringify({ ok: true, place: name, works, programs, alive })}\n`);
  const { plural } = await import("../wording/figures.ts");
  const kept = alive > 0 ? ` ${plural(alive, "living session")} stayed, and so did all programs.` : "";
  const removed = [
    works > 0 && `what ${plural(works, "dead session")} left`,
    programs > 0 && `${plural(programs, "program")} of other versions`,
  ].filter(Boolean);
  const what = removed.length > 0 ? `Removed at ${name}: ${removed.join(", ")}.` : `There was nothing to remove at ${name}.`;
  world.stdout.write(`${what}${kept}\n`);
}

async function list(world: World, { json }: JsonOption): Promise<void> {
  const { openSettings } = await import("../app/settings/open-settings.ts");
  const { joinsArguments } = await import("../places/place.ts");
  const { visibleLine } = await import("../screen/visible-text.ts");
  const { places } = (await openSettings(world, {})).effective;
  const found = Object.entries(places).map(([name, settings]) => ({ name, ...settings }));
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, places: found.map(shown) })}\n`);
  else if (found.length === 0) world.stdout.write("Your settings have no places. How to add one: docs/places.md.\n");
  else for (const place of found) world.stdout.write(`${visibleLine(lineOf(place))}\n`);

  /** Values of variables may be anything, and are nobody's business here. */
  function shown({ env = {}, atOnce, ...place }: Place) {
    return { ...place, at_once: atOnce ?? null, arguments: joinsArguments(place) ? "joined" : "separate", env: Object.keys(env) };
  }
}

function lineOf({ name, command, folder, atOnce }: Place): string {
  return `${name}  ${command.join(" ")}  in ${folder}${atOnce === undefined ? "" : `  at most ${atOnce} at once`}`;
}

async function test(world: World, finish: Finish, { name, json }: { name: string; json: boolean }): Promise<void> {
  const { placeNamed } = await import("../app/places/place-named.ts");
  const { styleOf } = await import("../app/print/print-reply.ts");
  const { visibleText } = await import("../screen/visible-text.ts");
  const { testPlace } = await import("../places/test-place.ts");
  const { openSettings } = await import("../app/settings/open-settings.ts");
  const found = placeNamed((await openSettings(world, {})).effective.places, name);
  if (!found.ok) throw new UsageError(found.reason);
  const ports = await world.edges.placePorts(world.env);
  const style = styleOf(world);
  const checks: PlaceCheck[] = [];
  const usable = await testPlace(found.place, { ...ports, version: world.version }, (check) => {
    checks.push(check);
    const state = ({ holds: "done", note: "waiting", fails: "failed" } as const)[check.state];
    const text = check.state === "holds" ? check.what : `${check.what}: ${check.why}`;
    if (!json) world.stdout.write(`${style.state(state, style.symbol(state))} ${visibleText(text)}\n`);
  });
  if (json) world.stdout.write(`${JSON.stringify({ ok: usable, place: name, usable, checks })}\n`);
  else world.stdout.write(usable ? `The place "${name}" can be used.\n` : `The place "${name}" cannot be used: docs/places.md.\n`);
  finish(usable ? 0 : 1);
}
