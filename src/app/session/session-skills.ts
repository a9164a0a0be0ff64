// Composes the skills of a session: loads the trusted ones, and offers them to the model as a tool and to the person as slash commands.

import type { Agent } from "../../agent/agent.ts";
import type { Input } from "../../agent/events.ts";
import { ownCall } from "../../agent/own-call.ts";
import { skillLine } from "../../agent/rewind/conversation.ts";
import type { SkillInput } from "../../agent/session/used-skills.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { SlashCommand } from "../../screen/commands/commands.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { isInRepository, type LoadedSettings } from "../../settings/files.ts";
import { builtInSkills } from "../../skills/built-in.ts";
import type { Skill } from "../../skills/skill.ts";
import { skillsForModel, skillTool } from "../../skills/skill-tool.ts";
import { brokenSkill, findSkill, loadSkills, type Skills, skillFolders } from "../../skills/skills.ts";
import { type CommandRun, type UsedSkill, useSkill } from "../../skills/use-skill.ts";
import { startedResult } from "../../subagents/agent-tool.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import type { StartResult } from "../../subagents/subagents.ts";
import type { AnyTool, ToolContext, ToolResult } from "../../tools/tool.ts";
import { plural } from "../../wording/figures.ts";
import { openSettings } from "../settings/open-settings.ts";
import { UsageError, type World } from "../world.ts";
import type { ForkedSkill } from "./agents/forked-skill.ts";
import { serverPrompts } from "./server-prompts.ts";
import { typedSkill } from "./typed-skill.ts";

export type SessionSkills = {
  /** The tool for one agent of the session; empty if its model has no skill to choose. */
  toolsFor(user: SkillUser): AnyTool[];
  /** For the agent: turns a line that names a skill into an input with the skill's instructions. */
  useSkill: NonNullable<Agent["useSkill"]>;
  /** For a sub-agent whose definition names skills: one input for each, with its instructions. */
  preload(user: SkillUser): NonNullable<Agent["useSkill"]>;
  /** The input for what a person wrote. Throws UsageError if it begins with `/name` and no such skill can be used; a path is no name. */
  inputOf(text: string): Promise<Input>;
  /** The commands that a person can type; `taken`: names of built-in commands. */
  commands(taken: readonly string[], run: SkillRun): SlashCommand[];
  /** Why there is no command with that name although a skill file has it. */
  explain(name: string): string | undefined;
  /** Problems to report to the person. */
  notices(taken: readonly string[]): string[];
};

/** Receives the line as it was typed. */
type SkillRun = (line: string) => Promise<void>;

/** What only a command is called. Other words after a slash begin a path or a sentence, as `/usr:` does. */
const commandName = /^[a-z0-9:_-]*[a-z0-9_-]$/i;

const defaultListBytes = 1_500;

/** The user of a skill; `agent` is called when the skill is used. */
export type SkillUser = { work: Pick<Workspace, "narrow">; agent: () => Agent; record?: AgentRecord };

export type RunForked = (forked: ForkedSkill) => Promise<StartResult>;

/** `agent`: the session's own, whose skills a person types. `fork`: absent if no agents can be started. */
export async function openSessionSkills(
  world: World,
  { work, agent }: { work: Workspace; agent: () => Agent },
  fork?: RunForked,
): Promise<SessionSkills> {
  const opened = await load(world, work, work.settings());
  const prompts = serverPrompts(work);
  /** The skills on disk at this moment, as far as they are trusted: a changed skill must be trusted again. */
  const now = async () => load(world, work, await openSettings(world, work.settings().by.flags));
  const use = (skill: Skill, given: string, user: SkillUser, signal: AbortSignal) => {
    const run = (command: string, until: AbortSignal) => runCommand(user.agent(), command, until);
    return useSkill(skill, given, { cwd: world.cwd, run, narrow: user.work.narrow }, signal);
  };
  /** A forked skill has the rights of the agent that runs it, without the limits of the agent that asked. */
  const forked = async (
    skill: Skill,
    { given, user, call, signal }: { given: string; user: SkillUser; call: string; signal: AbortSignal },
  ) => {
    const { text, ...used } = await use({ ...skill, allowedTools: undefined }, given, user, signal);
    const result = await fork!({ skill, given, text, by: user.record, call, signal });
    return { ...resultOf({ text, ...used }), ...startedResult(result) };
  };
  const listed = skillsForModel(opened.list);
  const listBytes = work.settings().effective.skills?.promptBytes ?? defaultListBytes;
  const toolUse =
    (user: SkillUser) =>
    async (name: string, given: string, { signal, call = "" }: ToolContext): Promise<ToolResult> => {
      const found = findSkill(await now(), { name, by: "model" });
      if (!found.ok) return { text: found.reason, isError: true, summary: "no such skill" };
      if (found.skill.context === "fork" && !fork) return { text: noFork(found.skill), isError: true, summary: "refused" };
      if (found.skill.context === "fork") return forked(found.skill, { given, user, call, signal });
      return resultOf(await use(found.skill, given, user, signal));
    };
  return {
    toolsFor: (user) => (listed.length > 0 ? [skillTool({ skills: listed, listBytes, use: toolUse(user) })] : []),
    async inputOf(text) {
      const [, name = "", given = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(text.trimEnd()) ?? [];
      if (name === "") return { source: { kind: "user" }, text };
      if (prompts.has(name)) return { source: { kind: "skill", name, arguments: given }, text };
      const found = findSkill(await now(), { name, by: "person" });
      if (!found.ok && !found.isNear && !commandName.test(name)) return { source: { kind: "user" }, text };
      if (!found.ok) throw new UsageError(`${found.reason} To send the line as it is, put a space before it.`);
      if (found.skill.context === "fork" && !fork) throw new UsageError(noFork(found.skill));
      const place = { cwd: world.cwd, inRepository: isInRepository(await world.edges.disk(), world.cwd) };
      return typedSkill(found.skill, { text, given }, place);
    },
    async useSkill(input, signal) {
      if (prompts.has(input.source.name)) return prompts.use(input, signal);
      const found = findSkill(await now(), { name: input.source.name, by: "person" });
      if (!found.ok) return notUsed(input, found.reason);
      const { name, arguments: given } = input.source;
      if (found.skill.context !== "fork") return inputOf(input, await use(found.skill, given, { work, agent }, signal), agent());
      const { text, sources } = await forked(found.skill, { given, user: { work, agent }, call: "", signal });
      const says = `A separate agent did what the skill "${name}" says, and the person has not seen its report:\n\n${text}`;
      return {
        source: { ...input.source, ...(sources && { sources }) },
        text: `The person typed ${skillLine(input.source)}. ${says}`,
        shown: `  ${skillLine(input.source)}`,
      };
    },
    preload: (user) => async (input, signal) => {
      const { name } = input.source;
      const skill = (await now()).list.find((one) => one.name === name);
      if (!skill) return { ...input, text: `The skill "${name}", which your definition names, does not exist.` };
      const { text, source } = await use({ ...skill, allowedTools: undefined }, "", user, signal);
      return { ...input, source: { ...input.source, sources: [source] }, text, shown: `  /${name}  ${source.path}` };
    },
    commands: (taken, run) => [...slashCommands(opened, { taken, run }), ...prompts.commands(run)],
    explain(name) {
      const broken = brokenSkill(opened.mistakes, name);
      return broken && visibleLine(`Cannot use the skill "${name}": ${broken}`);
    },
    notices: (taken) => noticesOf(opened, taken, world.command),
  };
}

async function load({ edges, configDir }: World, { whyHidden, tools }: Workspace, { root, trust }: LoadedSettings): Promise<Skills> {
  const folders = skillFolders({ root, configDir });
  // A lead writes nothing and runs nothing.
  const builtIn = tools.some(({ name }) => name === "Write") ? builtInSkills : [];
  return loadSkills(await edges.definitions(), { folders, trusted: trust.state === "trusted", whyHidden, builtIn });
}

const noFork = ({ name }: Skill) =>
  `Cannot use the skill "${name}": it says "context: fork", and no agents can be started here. Leave that line out of it.`;

async function runCommand(agent: Agent, command: string, signal: AbortSignal): Promise<CommandRun> {
  if (signal.aborted) return { text: "[not run: interrupted]" };
  const result = await ownCall(agent, { name: "Bash", raw: { command }, signal });
  if (!result) return { text: "[not run: this agent runs no commands]" };
  const { text, denied, askedMs } = result;
  return { text: result.summary === "not allowed" ? `[not run: ${text}]` : text, denied, askedMs };
}

function resultOf({ text, denied, askedMs, source }: UsedSkill): ToolResult {
  const lines = text.split("\n").length;
  return { text, isError: false, summary: `${lines} lines`, sources: [source], denied, askedMs };
}

/** Denied commands count as they would in a call of the model. */
function inputOf({ source }: SkillInput, { text, denied, commands, source: file }: UsedSkill, agent: Agent): Input {
  const at = agent.clock.now().toISOString();
  for (const { tool, subject, reason } of denied) agent.emit({ type: "denied", id: `/${source.name}`, name: tool, subject, reason, at });
  const ran = commands > 0 ? `, ${plural(commands, "command")}` : "";
  return {
    source: { ...source, sources: [file] },
    text: `The person typed ${skillLine(source)}\n\n${text}`,
    shown: `  ${skillLine(source)}  ${file.path}${ran}`,
  };
}

function notUsed({ source }: SkillInput, reason: string): Input {
  return {
    source,
    text: `The person typed ${skillLine(source)}, which did not work: ${reason}`,
    shown: `  ${skillLine(source)}  ${reason}`,
  };
}

type Offered = { taken: readonly string[]; run: SkillRun };

function slashCommands({ list }: Skills, { taken, run }: Offered): SlashCommand[] {
  return list
    .filter(({ name, byPerson }) => byPerson && !taken.includes(name.toLowerCase()))
    .map((skill) => ({
      name: skill.name,
      ...(skill.argumentHint && { argument: visibleLine(skill.argumentHint) }),
      summary: summaryOf(skill),
      run: (given) => run(`/${skill.name} ${given}`.trim()),
    }));
}

const longestSummary = 100;

function summaryOf({ description, body }: Skill): string {
  const line = visibleLine((description || body.split("\n", 1)[0] || "").replaceAll(/\s+/g, " ").trim());
  return line.length > longestSummary ? `${line.slice(0, longestSummary).toWellFormed()}…` : line;
}

function noticesOf({ list, mistakes }: Skills, taken: readonly string[], command: string): string[] {
  const unusable = mistakes.filter(({ level }) => level === "error").length;
  return [
    ...(unusable > 0 ? [`${unusable} mistake${unusable > 1 ? "s" : ""} in skill files: ${command} skills list`] : []),
    ...list
      .filter(({ name, byPerson }) => byPerson && taken.includes(name.toLowerCase()))
      .map(({ name, file }) => `/${name} is a built-in command, which hides the skill in ${file}. Rename the skill to use it by typing.`),
  ];
}
