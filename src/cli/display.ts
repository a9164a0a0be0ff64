// `tool display test`: checks a configured display against the contract in docs/displays.md.
import { Command } from "commander";
import { type Finish, UsageError, type World } from "../app/world.ts";
import type { Check } from "../team/display/test-driver.ts";

export function displayCommand(world: World, finish: Finish): Command {
  const command = new Command("display")
    .description("Test a display of your own: a terminal program in which teammates are shown.")
    .addHelpText("after", "\nExample:\n  tool display test screen");
  command
    .command("test")
    .description(
      "Test a display of your settings: open real terminals with it, inspect and close them. Exit code 1 when it does not conform.",
    )
    .argument("<name>", "its name in the settings")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool display test screen")
    .action((name: string, options: { json?: boolean }) => test(world, finish, { name, json: options.json === true }));
  return command;
}

async function test(world: World, finish: Finish, { name, json }: { name: string; json: boolean }): Promise<void> {
  const { openSettings } = await import("../app/settings/open-settings.ts");
  const { nearestName } = await import("../wording/nearest-name.ts");
  const { styleOf } = await import("../app/print/print-reply.ts");
  const { visibleText } = await import("../screen/visible-text.ts");
  const { testDriver } = await import("../team/display/test-driver.ts");
  const { displays } = (await openSettings(world, {})).effective;
  const commands = Object.hasOwn(displays, name) ? displays[name] : undefined;
  if (!commands) {
    const names = Object.keys(displays);
    const near = nearestName(name, names);
    const known = near ? `Did you mean "${near}"?` : names.length > 0 ? `There are: ${names.join(", ")}.` : "";
    throw new UsageError(
      `your settings have no display ${JSON.stringify(name)}. ${known}${known && " "}How to add one: docs/displays.md. A project cannot.`,
    );
  }
  const style = styleOf(world);
  const checks: Check[] = [];
  const [clock, processes, drivers, folder] = await Promise.all([
    world.edges.clock(),
    world.edges.processes(),
    world.edges.driverPorts(world.env),
    world.edges.testFolder(),
  ]);
  const owner = `display-test:${world.uniqueId()}`;
  const tell = (check: Check) => {
    checks.push(check);
    const state = check.ok ? "done" : "failed";
    if (!json)
      world.stdout.write(
        `${style.state(state, style.symbol(state))} ${visibleText(check.ok ? check.what : `${check.what}: ${check.why}`)}\n`,
      );
  };
  const isAlive = (pid: number) => processes.find(pid) !== undefined;
  try {
    const conforms = await testDriver(
      { name, commands },
      { ...drivers, clock, folder: folder.path, read: folder.read, isAlive, owner },
      tell,
    );
    if (json) world.stdout.write(`${JSON.stringify({ ok: conforms, display: name, conforms, checks })}\n`);
    else world.stdout.write(conforms ? `The display "${name}" conforms.\n` : `The display "${name}" does not conform: docs/displays.md.\n`);
    finish(conforms ? 0 : 1);
  } finally {
    await processes.sweep(owner);
    folder.remove();
  }
}
