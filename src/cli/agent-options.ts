// The options of every command that runs an agent.
import { type Command, InvalidArgumentError, Option } from "commander";
import { outputFormats } from "../app/agent-flags.ts";
import { permissionModes } from "../permissions/policy.ts";
import { efforts } from "../settings/effort.ts";
import { nearestName } from "../wording/nearest-name.ts";

export function outputFormatOption(): Option {
  return new Option("--output-format <format>", "what --print prints").choices(outputFormats).default("text");
}

export const permissionModeOption = () => chosenOption("--permission-mode <mode>", "what is allowed without a question", permissionModes);

/** Refuses another value with the one that was probably meant. */
function chosenOption(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values).argParser((value: string) => {
    if (values.includes(value)) return value;
    const near = nearestName(value, values);
    throw new InvalidArgumentError(`Allowed choices are ${values.join(", ")}.${near === undefined ? "" : ` Did you mean ${near}?`}`);
  });
}

export function addAgentOptions(command: Command): Command {
  command
    .option("--model <model>", "the model that answers", name)
    .addOption(chosenOption("--effort <effort>", "how much the model thinks", efforts))
    .option("--fallback-model <model>", "the model that answers when the first one stays overloaded", name)
    .addOption(permissionModeOption());
  addRepeated(command, "--allow <rule>", "a permission rule, such as 'Bash(npm test)'");
  addRepeated(command, "--deny <rule>", "a rule for what is refused, whatever else allows it");
  addRepeated(command, "--add-dir <folder>", "an additional folder that may be read and written");
  addRepeated(command, "--settings <file>", "an additional settings file");
  return command
    .option("--trust", "trust this repository's settings for this run")
    .option("--script <file>", "play answers from a script instead of asking a provider")
    .option("--max-turns <n>", "how many turns an agent may take; one that needs more fails", positiveInteger)
    .option("--budget-usd <x>", "how many dollars an agent may spend; then it stops", positiveNumber);
}

function name(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must be a model's name.");
  return value.trim();
}

/** An empty list until it is given. Set apart from the option, since help would print it as a default. */
export function addRepeated(command: Command, flags: string, description: string): void {
  const option = new Option(flags, `${description}; may be repeated`).argParser((value, all: string[]) => [...all, value]);
  command.addOption(option).setOptionValueWithSource(option.attributeName(), [], "default");
}

export function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return number;
}

function positiveNumber(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return number;
}
