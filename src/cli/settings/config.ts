// `tool config`: lists every setting, and reads or changes one.
import { Command } from "commander";
import type { OwnScope } from "../../app/settings/write-settings.ts";
import type { Finish, World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

type Flags = { json?: boolean; user?: boolean; project?: boolean; local?: boolean };

export function configCommand(world: World, finish: Finish): Command {
  const listing = "List every setting with its value, the file that says so, and what it means";
  const list = (name: string, description: string) =>
    new Command(name)
      .description(description)
      .argument("[setting]", "only those whose names begin with it")
      .option("--json", "print JSON")
      .action(async (setting: string | undefined, flags: Flags, self: Command) => {
        const { listConfig } = await import("../../app/settings/config.ts");
        finish(await listConfig(world, { name: setting, json: isJson(flags, self) }));
      });
  const command = list("config", `${listing}; read or change one.`).addHelpText("after", examples);
  const some = list("list", `${listing}; of those that you name, or of all.`);
  command.addCommand(
    some.addHelpText("after", "\nExamples:\n  tool config list\n  tool config list permissions\n  tool config list sandbox --json"),
  );
  command.addCommand(
    new Command("get")
      .addHelpText("after", "\nExample:\n  tool config get model")
      .description("Print the value that counts here; exit code 1 if there is none.")
      .argument("<setting>", "such as model")
      .option("--json", "print JSON, with every file that says something about it")
      .action(async (setting: string, flags: Flags, self: Command) => {
        const { getConfig } = await import("../../app/settings/config.ts");
        finish(await getConfig(world, { name: setting, json: isJson(flags, self) }));
      }),
  );
  command.addCommand(editing("set", { world, finish }));
  command.addCommand(editing("unset", { world, finish }));
  return command;
}

const examples = `
Examples:
  tool config
  tool config get model
  tool config set model opus
  tool config set permissions.allow 'Bash(npm test)' 'Edit(src/**)' --project
  tool config set env.CI 1 --local
  tool config unset fallbackModel`;

function editing(verb: "set" | "unset", { world, finish }: { world: World; finish: Finish }): Command {
  const example = verb === "set" ? "set sandbox.autoAllow false" : "unset fallbackModel";
  const command = new Command(verb)
    .addHelpText("after", `\nExample:\n  tool config ${example}`)
    .argument("<setting>", "such as model, sandbox.autoAllow or env.CI");
  if (verb === "set") command.argument("<value...>", "a word, JSON, or the entries of a list");
  return command
    .description(`${verb === "set" ? "Change" : "Remove"} one setting, by default in your own settings for all projects.`)
    .option("--user", "in your own settings for all projects")
    .option("--project", "in the project's file, for everybody who works on it")
    .option("--local", "in your own file for this project")
    .option("--json", "print JSON")
    .action((setting: string, ...rest: [string[], Flags, Command] | [Flags, Command]) =>
      asPerson({ world, finish }, async () => {
        const [words, flags, self] = rest.length === 3 ? rest : [[], ...rest];
        const { editConfig } = await import("../../app/settings/config-edit.ts");
        const edit = { name: setting, scope: await scopeOf(flags), json: isJson(flags, self) };
        finish(await editConfig(world, verb === "set" ? { ...edit, verb, words } : { ...edit, verb }));
      }),
    );
}

async function scopeOf(flags: Flags): Promise<OwnScope> {
  const given = (["user", "project", "local"] as const).filter((scope) => flags[scope]);
  const { UsageError } = await import("../../app/world.ts");
  if (given.length > 1) throw new UsageError(`give one of ${given.map((scope) => `--${scope}`).join(" and ")}: a value is in one file.`);
  return given[0] ?? "user";
}

/** `--json` before the subcommand's name counts too. */
const isJson = ({ json }: Flags, { parent }: Command): boolean => json === true || parent?.opts<Flags>().json === true;
