// `tool doctor`: reports what is missing on this machine and what is unsafe in this folder.
import { Command } from "commander";
import type { Finish, World } from "../app/world.ts";

export function doctorCommand(world: World, finish: Finish): Command {
  return new Command("doctor")
    .description("Report what is missing on this machine and what is unsafe in this folder; exit code 1 when something does not work.")
    .option("--json", "print JSON")
    .option("--fix", "add files that may hold secrets to .gitignore")
    .addHelpText("after", "\nExamples:\n  tool doctor\n  tool doctor --fix")
    .action(async ({ json, fix }: { json?: boolean; fix?: boolean }) => {
      const { examine, findingsTable, ignoreSecretFiles } = await import("../app/settings/examine.ts");
      if (fix) world.stderr.write(`${await ignoreSecretFiles(world)}\n`);
      const findings = await examine(world);
      const broken = findings.some(({ state }) => state === "broken");
      const { styleOf } = await import("../app/print/print-reply.ts");
      const { fitted } = await import("../app/print/fitted.ts");
      const text = json
        ? JSON.stringify({ ok: !broken, findings })
        : await fitted(world.stdout, findingsTable(findings, styleOf(world)).text);
      world.stdout.write(`${text}\n`);
      finish(broken ? 1 : 0);
    });
}
