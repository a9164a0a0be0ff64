// The slash commands of a session: what each prints, and what it calls in the session.

import type { TranscriptEvent } from "../../agent/events.ts";
import { changeableModes } from "../../agent/mode-change.ts";
import { modelNamed, tierMeant, unknownModel } from "../../agent/requests/prices.ts";
import { type Effort, effortProblem, efforts } from "../../agent/requests/thinking.ts";
import type { PickItem } from "../questions/pick-step.ts";
import { modeKey } from "../status/solo-status-line.ts";
import type { HungText } from "../table.ts";
import { allCommandsText, type CommandGroup, groupsText, readSlashLine, type SlashCommand, unknownCommandText } from "./commands.ts";

/** What the commands need from a session. A pane provides what it supports, and /help lists only that. */
export type SessionControls = {
  /** `hang`: how far the rest of a long line is indented. */
  print(text: string, hang?: number): void;
  warn(text: string): void;
  events(): TranscriptEvent[];
  /** Known model names with their prices as text. */
  models(): PickItem[];
  model(): string;
  setModel(name: string): void;
  /** Undefined: the model's default. */
  effort(): Effort | undefined;
  setEffort(effort: Effort | undefined): void;
  /** Lets the person choose one; undefined if they do not. */
  pick<Item extends PickItem>(items: Item[], options: { title: string }): Promise<Item | undefined>;
  mode(): string;
  /** Absent if the agent cannot change anything in any mode. */
  setMode?(name: string): void;
  /** `words`: empty for the list, or what to do with one of them. This and the following return text to print. */
  tasks(words: string): string | Promise<string>;
  /** `words`: empty for the list, or the ids whose diffs are wanted. */
  changes(words: string): Promise<ListedChanges>;
  /** Shows these lines until the person goes back. */
  view(lines: string[]): Promise<void>;
  agents(): string | Promise<string>;
  cost(): string | Promise<string>;
  context(): string | Promise<string>;
  team(): string | Promise<string>;
  /** `words`: empty for the list, or what to add or remove. */
  permissions(words: string): Promise<string>;
  /** Opens a folder to this session. Throws why that is not possible. */
  addFolder(folder: string): Promise<string>;
  doctor(): Promise<HungText>;
  /** The settings whose names begin with the word, each with its file and its help. */
  config(name: string): HungText;
  /** The session, its model and rules in a few lines. */
  status(): Promise<HungText>;
  /** What this session has sent to the provider. */
  privacy(): Promise<string>;
  hooks(): Promise<string>;
  skills(): Promise<string>;
  servers(): Promise<string>;
  /** At once, or after the current run of turns. */
  compact(focus: string): void;
  /** `words`: the change, or `stop`. Absent if no batch can be started from here. */
  batch?(words: string): void | Promise<void>;
  /** Absent for a member of a team, whose conversation cannot be cleared. */
  clear?(): void;
  resume?(id: string): Promise<void>;
  /** Writes the conversation to a file. */
  export?(file: string): Promise<void>;
  /** `words`: the condition, `off`, or empty for its state. Absent in a team, where tasks are the goals. */
  goal?(words: string): void;
  /** Lets the person go back to one of their earlier lines. */
  rewind?(): Promise<void>;
  /** `keys`: the keys that do the same, for /help. */
  exit: { summary: string; keys: string; run(): void | Promise<void> };
};

/** The table. `further`: commands from elsewhere, such as skills and /batch. */
export function sessionCommands(session: SessionControls, further: SlashCommand[] = []): SlashCommand[] {
  const says = (text: () => string | Promise<string>) => async () => session.print(await text());
  const { batch, goal, exit } = session;
  const model: SlashCommand[] = [
    { name: "model", argument: "[name]", summary: "changes the model", run: (name) => chooseModel(session, name) },
    { name: "effort", argument: "[name]", summary: "changes how much the model thinks", run: (name) => chooseEffort(session, name) },
  ];
  const agents: SlashCommand[] = [
    {
      name: "tasks",
      argument: "[resume|stop|show which]",
      summary: "who and what is at work: state, tokens, what it does now",
      run: async (words) => session.print(await session.tasks(words)),
    },
    changesCommand(session),
    { name: "agents", summary: "the agents of this session", run: says(session.agents) },
    { name: "team", summary: "the state of the team, or how to start one", run: says(session.team) },
    ...(goal ? [goalCommand(goal)] : []),
    ...(batch
      ? [{ name: "batch", argument: "<instruction>|stop", summary: "one change across the repository, as units in worktrees", run: batch }]
      : []),
  ];
  const here: SlashCommand[] = [
    { name: "status", summary: "this session, its folder, model, mode, sandbox and settings", run: tabled(session, session.status) },
    {
      name: "config",
      argument: "[setting]",
      summary: "the settings that are set, or those by that name",
      run: tabled(session, session.config),
    },
    { name: "context", summary: "what fills the context window, by source", run: says(session.context) },
    { name: "cost", summary: "tokens and dollars, by model and by agent", run: says(session.cost) },
    { name: "privacy", summary: "what was sent to the model's provider", run: says(session.privacy) },
    { name: "doctor", summary: "what is missing or unsafe on this machine", run: tabled(session, session.doctor) },
  ];
  const permissions: SlashCommand[] = [
    {
      name: "permissions",
      argument: "[add|remove rule]",
      summary: "the rules, grants and directories of this session",
      run: async (words) => session.print(await session.permissions(words)),
    },
    {
      name: "add-dir",
      argument: "<folder>",
      summary: "opens another folder to this session, until it ends",
      run: async (folder) => session.print(await session.addFolder(folder)),
    },
    ...(session.setMode
      ? [
          {
            name: "mode",
            argument: "[name]",
            summary: `changes the permission mode (${modeKey}: the next one)`,
            run: (name: string) => chooseMode(session, name),
          },
        ]
      : []),
    { name: "hooks", summary: "your programs that run at events of a session", run: says(session.hooks) },
  ];
  const within = (group: CommandGroup, list: SlashCommand[]) => list.map((command) => ({ ...command, group }));
  const commands: SlashCommand[] = [
    {
      name: "help",
      argument: "[command]",
      summary: "lists commands and keys, or says what one command does",
      group: "this session",
      run: (name) => session.print(helpFor(name.replace(/^\//, ""), commands, session)),
    },
    ...within("conversation", conversationCommands(session)),
    ...within("model", model),
    ...within("agents", agents),
    ...within("this session", here),
    ...within("permissions", permissions),
    ...within("skills", extensions(session, says)),
    ...further,
    { name: "exit", alias: "quit", summary: exit.summary, run: exit.run },
  ];
  return commands;
}

function conversationCommands(session: SessionControls): SlashCommand[] {
  const { clear, resume, rewind, export: exportTo } = session;
  return [
    {
      name: "compact",
      argument: "[focus]",
      summary: "replaces the conversation with a summary that details the focus",
      run: session.compact,
    },
    ...(clear ? [{ name: "clear", summary: "starts a new conversation; this one can be resumed", run: clear }] : []),
    ...(resume ? [{ name: "resume", argument: "[id]", summary: "resumes another session of this folder", run: resume }] : []),
    ...(rewind ? [{ name: "rewind", summary: "goes back to an earlier message and restores the files changed since", run: rewind }] : []),
    ...(exportTo ? [{ name: "export", argument: "[file]", summary: "writes the conversation to a Markdown file", run: exportTo }] : []),
  ];
}

/** `items`: the list's rows, to be looked at in full; absent for one set. */
export type ListedChanges = HungText & { items?: (PickItem & { whole(): Promise<string[]> })[] };

const changesCommand = ({ changes, print, pick, view }: SessionControls): SlashCommand => ({
  name: "changes",
  argument: "[id]",
  summary: "what teams, batches and agents made apart from this tree",
  async run(words) {
    const { text, hang, items = [] } = await changes(words);
    print(text, hang);
    for (;;) {
      const picked = items.length > 0 ? await pick(items, { title: "Enter shows the diff" }) : undefined;
      if (!picked) return;
      await view(await picked.whole());
    }
  },
});

const goalCommand = (run: (words: string) => void): SlashCommand => ({
  name: "goal",
  argument: "[!command|condition|off]",
  summary: "works on, turn after turn, until a command succeeds or a condition is shown to hold",
  run,
});

function extensions(
  { skills, servers }: SessionControls,
  says: (text: () => string | Promise<string>) => () => Promise<void>,
): SlashCommand[] {
  return [
    { name: "skills", summary: "instructions that the model uses, or you invoke by name", run: says(skills) },
    { name: "mcp", summary: "MCP servers: their state, tools and mistakes", run: says(servers) },
  ];
}

function tabled({ print }: SessionControls, table: (words: string) => HungText | Promise<HungText>) {
  return async (words: string) => {
    const { text, hang } = await table(words);
    print(text, hang);
  };
}

function helpFor(name: string, commands: SlashCommand[], session: Pick<SessionControls, "exit" | "rewind">): string {
  if (name === "all") return allCommandsText(commands);
  const read = name === "" ? undefined : readSlashLine(`/${name}`, commands);
  if (read) return read.kind === "command" ? allCommandsText([read.command]) : unknownCommandText(read);
  return `${groupsText(commands)}\n${keysText(session)}`;
}

/** With the commands above it, no taller than a small terminal. */
function keysText({ exit, rewind }: Pick<SessionControls, "exit" | "rewind">): string {
  return `  /help all         what each command does; /help and a name: what that one does
  Enter             sends; Shift-Enter, Alt-Enter, Ctrl-J or \\ Enter: a new line
  Esc               interrupts, or says no to open questions${rewind ? "; twice: /rewind" : ""}
  At a question     1 to 9, arrows, Enter act at once; other keys type an answer
  Ctrl-C, Up        clears the line, or interrupts; earlier messages
  !command          runs it with your rights; the agent sees its output
  @file, Tab        attaches a file or folder; completes files, agents, commands
  ${modeKey.padEnd(16)}  the next permission mode
  Ctrl-B            sends the running command or agent to the background
  Ctrl-R, Ctrl-O    the last call in full; the output of agents, and reports
  /quit, /exit      ${exit.summary}
  ${exit.keys}`;
}

/** The name that the person picks from a list with the current one first. */
async function picked(
  session: SessionControls,
  items: PickItem[],
  { what, now }: { what: string; now: string },
): Promise<string | undefined> {
  const nowFirst = items.toSorted((a, b) => Number(b.label === now) - Number(a.label === now));
  return (await session.pick(nowFirst, { title: `${what} (now ${now})` }))?.label;
}

export const modeHints: Record<(typeof changeableModes)[number], string> = {
  default: "you are asked about edits, and about commands that leave the sandbox, unless a rule allows them",
  acceptEdits: "edits inside the working directory are allowed without a question",
  plan: "nothing is changed; commands see the files read-only, and the agent submits a plan",
};

async function chooseMode(session: SessionControls, wanted: string): Promise<void> {
  const modes = changeableModes.map((label) => ({ label, hint: modeHints[label] }));
  const name = wanted || (await picked(session, modes, { what: "Mode", now: session.mode() }));
  if (!name || name === session.mode()) return;
  session.setMode?.(name);
  if (name === session.mode()) session.print(`The mode is ${name} from now on: ${modeHints[name as keyof typeof modeHints]}.`);
}

export const effortHints: Record<Effort | "default", string> = {
  default: "the model's default",
  off: "it answers without thinking first, if the model can",
  low: "it thinks a little",
  high: "it thinks longer, which takes time and output tokens",
};

async function chooseEffort(session: SessionControls, wanted: string): Promise<void> {
  const now = session.effort() ?? "default";
  const items = (["default", ...efforts] as const).map((label) => ({ label, hint: effortHints[label] }));
  const name = wanted.trim() || (await picked(session, items, { what: "Effort", now }));
  if (!name || name === now) return;
  const chosen = items.find(({ label }) => label === name);
  if (!chosen) return session.warn(`There is no effort "${name}". There are: ${items.map(({ label }) => label).join(", ")}.`);
  const effort = chosen.label === "default" ? undefined : chosen.label;
  session.setEffort(effort);
  const problem = effortProblem(session.model(), effort);
  if (problem) return session.warn(problem);
  session.print(`The effort is ${chosen.label} from now on: ${chosen.hint}.${cacheNote(session, "effort")}`);
}

/** After a reply only: before that, nothing is cached. */
const cacheNote = (session: SessionControls, by: "model" | "effort") =>
  session.events().some(({ type }) => type === "reply")
    ? ` The next request reads the whole conversation again once: the provider caches it per ${by}.`
    : "";

async function chooseModel(session: SessionControls, wanted: string): Promise<void> {
  const models = session.models();
  if (models.length === 0) return session.print("Cannot change the model: answers come from a script.");
  const chosen = wanted || (await picked(session, models, { what: "Model", now: session.model() }));
  if (!chosen) return;
  const meant = tierMeant(chosen);
  if (meant) return session.warn(`There is no model "${chosen}": did you mean ${meant}? The model is still ${session.model()}.`);
  const name = modelNamed(chosen);
  if (name === session.model()) return session.print(`The model is already ${name}.`);
  session.setModel(name);
  const unknown = unknownModel(name);
  const thinks = unknown ? undefined : effortProblem(name, session.effort());
  for (const problem of [unknown, thinks]) if (problem) session.warn(problem);
  session.print(`The model is ${name} from now on.${cacheNote(session, "model")}`);
}
