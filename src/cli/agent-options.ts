// The options of every command that runs an agent.
import { type Command, InvalidArgumentError, Option } from "commander";
import { outputFormats } from "../app/agent-flags.ts";
import { permissionModes } from "../permissions/policy.ts";
import { efforts } from "../settings/effort.ts";

export function outputFormatOption(): Option {
  return new Option("--output-format <format>", "of --print").choices(outputFormats).default("text");
}

export function addAgentOptions(command: Command): Command {
  return command
    .option("--model <model>", "the model that answers", name)
    .addOption(new Option("--effort <effort>", "how much the model thinks").choices(efforts))
    .option("--fallback-model <model>", "answers where the model stays overloaded", name)
    .addOption(new Option("--permission-mode <mode>", "what needs no question").choices(permissionModes))
    .option("--allow <rule>", "a permission rule, such as 'Bash(npm test)'; may be repeated", append, [])
    .option("--deny <rule>", "a rule for what is never done; may be repeated", append, [])
    .option("--add-dir <folder>", "a further folder that may be read and written; may be repeated", append, [])
    .option("--settings <file>", "a further file of settings; may be repeated", append, [])
    .option("--trust", "give this repository's settings the power they ask for, for this run")
    .option("--script <file>", "answers come from a script for the scripted model instead of a provider")
    .option("--max-turns <n>", "an agent that reaches it fails", positiveInteger)
    .option("--budget-usd <x>", "an agent that has spent it stops", positiveNumber);
}

function name(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must be a model's name.");
  return value.trim();
}

function append(value: string, all: string[]): string[] {
  return [...all, value];
}

export function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return number;
}

function positiveNumber(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return number;
}
