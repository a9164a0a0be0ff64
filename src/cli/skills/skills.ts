// `tool skills`: lists the skills, shows one, and validates skill files.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";

type Flags = { json?: boolean; trust?: boolean };

export function skillsCommand(world: World, finish: Finish): Command {
  const command = new Command("skills")
    .description("Show and check skills: instructions that a model uses when they fit, or that you invoke with /name.")
    .addHelpText("after", `${places}\n\nExamples:\n  tool skills\n  tool skills validate .tool/skills`);
  const list = new Command("list")
    .description("List the skills of this project, your own and the built-in ones, and report mistakes in their files.")
    .option("--trust", "read the project's skills even if you have not trusted the project")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool skills list")
    .action(async (flags: Flags) => {
      const { listSkills } = await import("./list.ts");
      finish(await listSkills(world, flags));
    });
  command.addCommand(list, { isDefault: true });
  command.addCommand(
    new Command("show")
      .description("Show one skill as the program reads it.")
      .argument("<skill>", "the name of a skill")
      .option("--trust", "read the project's skills even if you have not trusted the project")
      .option("--json", "print JSON")
      .addHelpText("after", "\nExample:\n  tool skills show review")
      .action(async (name: string, flags: Flags) => {
        const { showSkill } = await import("./list.ts");
        finish(await showSkill(world, name, flags));
      }),
  );
  command.addCommand(
    new Command("validate")
      .description("Report every mistake in skill files. Exit code 1 when one of them cannot be used.")
      .argument("[path...]", "files, and folders with SKILL.md files or commands; without one, all skills of this project and your own")
      .option("--json", "print JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  tool skills validate\n  tool skills validate .claude/skills .claude/commands\n  tool skills validate ~/.tool/commands/fix.md --json",
      )
      .action(async (paths: string[], flags: Flags) => {
        const { validateSkills } = await import("./validate.ts");
        finish(await validateSkills(world, paths, flags));
      }),
  );
  return command;
}

const places = `
A skill is a folder with a SKILL.md, in .tool/skills or .claude/skills of the project or in ~/.tool/skills:

    ---
    name: review
    description: Reviews a change for mistakes. Use it before a commit.
    allowed-tools: Read, Grep, Bash(git diff:*)
    argument-hint: [file]
    ---
    Review $ARGUMENTS. What has changed:
    !\`git diff --stat\`

A single Markdown file in .tool/commands, .claude/commands or ~/.tool/commands is one too, and needs no front matter.
Further keys: context, model, disable-model-invocation, user-invocable.`;
