// `tool permissions`: shows what agents may do here, and which file each rule comes from.
import { Command, Option } from "commander";
import type { EditFlags } from "../../app/settings/permissions-edit.ts";
import type { Finish, World } from "../../app/world.ts";
import { addRepeated, permissionModeOption } from "../agent-options.ts";
import { asPerson } from "../as-person.ts";
import type { CheckFlags } from "./permissions-check.ts";

export function permissionsCommand(world: World, finish: Finish): Command {
  const listing = (name: string) =>
    withSettings(new Command(name))
      .description("Show every rule and directory with the file that sets it; check, add or remove rules.")
      .option("--json", "print JSON")
      .action(async (flags: CheckFlags, self: Command) => {
        const { listPermissions } = await import("./permissions-list.ts");
        finish(await listPermissions(world, withOuter(flags, self)));
      });
  const command = listing("permissions").addHelpText("after", examples);
  command.addCommand(listing("list"), { hidden: true }); // the word that other commands need here
  command.addCommand(checkCommand(world, finish));
  command.addCommand(editCommand("add", { world, finish }));
  command.addCommand(editCommand("remove", { world, finish }));
  return command;
}

const examples = `
Examples:
  tool permissions
  tool permissions check 'Bash(git log && curl x | sh)' 'Read(.env)'
  tool permissions add 'Bash(npm test)' --scope project
  tool permissions remove 'Bash(npm test)'`;

function checkCommand(world: World, finish: Finish): Command {
  return withSettings(new Command("check"))
    .description("Show how calls would be decided in a session here, by which rule of which file, and why. Nothing is run.")
    .argument("[calls...]", "such as 'Bash(npm test)' or 'Read(.env)'")
    .option("--cases <file>", "decide cases, one JSON object per line, each with its own settings; - reads standard input")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", caseHelp)
    .action(async (calls: string[], flags: CheckFlags, self: Command) => {
      const { checkPermissions } = await import("./permissions-check.ts");
      finish(await checkPermissions(world, calls, withOuter(flags, self)));
    });
}

const caseHelp = `
A case, on one line:
  {"settings":{…},"trusted":false,"toolignore":"…","cwd":"/repo","call":{"tool":"Bash","input":{"command":"…"}},"agent":{"tools":["Read"]}}
Everything except "call" is optional. "settings" is one object, or {"user":…,"project":…,"local":…}. What is said of a command holds where the
sandbox is active, which hides denied files from it; "sandbox":"missing" judges as where there is none. "id", "name", "note" and "expect"
are yours. The answer, on one line, in order:
  {"decision":"allow","rule":"Bash(npm test)","file":"settings","reason":"…"}   or   {"error":"…"}

Examples:
  tool permissions check 'Bash(git log && curl x | sh)' 'Read(.env)'
  tool permissions check --cases cases.jsonl > decisions.jsonl`;

function editCommand(verb: "add" | "remove", { world, finish }: { world: World; finish: Finish }): Command {
  const kinds = ["allow", "ask", "deny"];
  const adds = verb === "add";
  return new Command(verb)
    .description(
      adds
        ? "Add a rule to a settings file, by default for you in this project."
        : "Remove a rule from the settings, whichever file has it.",
    )
    .argument("<rule>", "such as 'Bash(npm test)' or 'Read(secrets/**)'")
    .addOption(
      new Option(
        "--scope <scope>",
        `${adds ? "whom it concerns" : "only there"}: you in all projects, everybody in this project, or you in this project`,
      )
        .choices(["user", "project", "local"])
        .default(adds ? "local" : undefined),
    )
    .addOption(new Option("--kind <kind>", adds ? "what the rule does (default: allow)" : "only rules that do this").choices(kinds))
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  tool permissions ${verb} 'Bash(git push:*)' --kind deny --scope project`)
    .action((rule: string, flags: EditFlags & { json?: boolean }) =>
      asPerson({ world, finish }, async () => {
        const { editPermissions } = await import("../../app/settings/permissions-edit.ts");
        finish(await editPermissions(world, { verb, rule, ...flags }));
      }),
    );
}

/** Adds the options of every command that reads the settings. */
function withSettings(command: Command): Command {
  addRepeated(command, "--settings <file>", "further settings");
  addRepeated(command, "--allow <rule>", "a rule");
  addRepeated(command, "--ask <rule>", "a rule that always asks");
  addRepeated(command, "--deny <rule>", "a rule that denies");
  addRepeated(command, "--add-dir <folder>", "an additional folder to work in");
  return command.addOption(permissionModeOption()).option("--trust", "trust this project's settings");
}

/** Accepts a settings flag before the command's name as well as after it. */
function withOuter(flags: CheckFlags, { parent }: Command): CheckFlags {
  if (!parent) return flags;
  const outer: CheckFlags = withOuter(parent.opts(), parent);
  const all = (name: "settings" | "allow" | "ask" | "deny" | "addDir") => [...(outer[name] ?? []), ...(flags[name] ?? [])];
  const lists = { settings: all("settings"), allow: all("allow"), ask: all("ask"), deny: all("deny"), addDir: all("addDir") };
  const { permissionMode, trust } = outer;
  return { ...(permissionMode && { permissionMode }), ...(trust && { trust }), ...flags, ...lists };
}
