// The slash commands of a session: what each one says, and what it asks of the session it is typed in.
import type { TranscriptEvent } from "../agent/events.ts";
import { modelNamed, unknownModel } from "../agent/requests/prices.ts";
import { type Effort, effortProblem, efforts } from "../agent/requests/thinking.ts";
import { changeableModes } from "../permissions/mode-change.ts";
import { helpText, type SlashCommand } from "./commands.ts";
import { modeKey } from "./solo-status-line.ts";
import type { PickItem } from "./terminal/picker.ts";

/** What commands need of the session. A pane has what it can serve, and /help lists only that. */
export type SessionControls = {
  print(text: string): void;
  warn(text: string): void;
  events(): TranscriptEvent[];
  /** Model names that are known, with their prices as text. */
  models(): PickItem[];
  model(): string;
  setModel(name: string): void;
  /** Undefined: as the model does by itself. */
  effort(): Effort | undefined;
  setEffort(effort: Effort | undefined): void;
  /** Lets the person choose one; undefined when they do not. */
  pick<Item extends PickItem>(items: Item[], options: { title: string }): Promise<Item | undefined>;
  mode(): string;
  /** Not where an agent changes nothing whatever the mode. */
  setMode?(name: string): void;
  /** Each gives text to print. */
  /** `words`: nothing for the list, or what to do with one of them. */
  tasks(words: string): string | Promise<string>;
  agents(): string;
  cost(): string;
  context(): string | Promise<string>;
  team(): string | Promise<string>;
  /** `words`: nothing for the list, or what is to be added or removed. */
  permissions(words: string): Promise<string>;
  doctor(): Promise<string>;
  /** Now, or once the run of turns that is under way has ended. */
  compact(focus: string): void;
  /** `words`: the change, or `stop`. Absent where no batch is started from. */
  batch?(words: string): void | Promise<void>;
  /** A member of a team has one conversation, and keeps it. */
  clear?(): void;
  resume?(id: string): Promise<void>;
  /** Writes the conversation to a file. */
  export?(file: string): Promise<void>;
  /** Lets the person go back to an earlier line of theirs. */
  rewind?(): Promise<void>;
  /** `keys`: the same by keys, for /help. */
  exit: { summary: string; keys: string; run(): void | Promise<void> };
};

/** The table. `further` are commands of others: skills, /batch. */
export function sessionCommands(session: SessionControls, further: SlashCommand[] = []): SlashCommand[] {
  const says = (text: () => string | Promise<string>) => async () => session.print(await text());
  const { clear, resume, rewind, export: exportTo, batch, exit } = session;
  const commands: SlashCommand[] = [
    { name: "help", summary: "these commands and the keys", run: says(() => `${helpText(commands)}\n\n${keysText(session)}`) },
    {
      name: "tasks",
      argument: "[resume|stop|show which]",
      summary: "who and what is at work: state, tokens, what it does now",
      run: async (words) => session.print(await session.tasks(words)),
    },
    {
      name: "permissions",
      argument: "[add|remove rule]",
      summary: "the rules, grants and directories of this session",
      run: async (words) => session.print(await session.permissions(words)),
    },
    {
      name: "compact",
      argument: "[focus]",
      summary: "make the conversation shorter; the focus is kept in more detail",
      run: session.compact,
    },
    ...(session.setMode
      ? [
          {
            name: "mode",
            argument: "[name]",
            summary: `the permission mode from now on (${modeKey}: the next one)`,
            run: (name: string) => chooseMode(session, name),
          },
        ]
      : []),
    { name: "context", summary: "what fills the model's window, by source", run: says(session.context) },
    { name: "cost", summary: "tokens and dollars, by model and by agent", run: says(session.cost) },
    { name: "model", argument: "[name]", summary: "the model that answers from now on", run: (name) => chooseModel(session, name) },
    { name: "effort", argument: "[name]", summary: "how much the model thinks from now on", run: (name) => chooseEffort(session, name) },
    ...(clear ? [{ name: "clear", summary: "a new conversation; this one can be resumed", run: clear }] : []),
    ...(resume ? [{ name: "resume", argument: "[id]", summary: "go on with another session of this folder", run: resume }] : []),
    ...(rewind
      ? [
          {
            name: "rewind",
            summary: "back to an earlier line, with the files changed since",
            run: rewind,
          },
        ]
      : []),
    ...(exportTo ? [{ name: "export", argument: "[file]", summary: "the conversation as Markdown", run: exportTo }] : []),
    { name: "agents", summary: "who the agents are", run: says(session.agents) },
    { name: "team", summary: "how the team stands, or how to start one", run: says(session.team) },
    ...(batch
      ? [{ name: "batch", argument: "<instruction>|stop", summary: "one change across the repository, as units in worktrees", run: batch }]
      : []),
    { name: "doctor", summary: "what is missing or not safe on this machine", run: says(session.doctor) },
    ...further,
    { name: "exit", summary: exit.summary, run: exit.run },
  ];
  return commands;
}

function keysText({ exit, rewind }: Pick<SessionControls, "exit" | "rewind">): string {
  return `  Enter             sends
  Shift-Enter       a new line; so do Alt-Enter, Ctrl-J, and \\ before Enter
  Esc               interrupts; with a question open: no to all that is asked, and stop
${rewind ? "  Esc Esc           back to an earlier line, as /rewind\n" : ""}  Ctrl-C            clears the line
  Up, Down          what was typed before
  !command          runs it with your rights; the agent is shown what it prints
  @file, @folder    attached to what you type
  Tab               completes /commands, @files and @agents
  ${modeKey.padEnd(16)}  the next permission mode
  Ctrl-B            the running command or agent goes on in the background
  Ctrl-R            what the last call gave; again: the one before
  Ctrl-L, Ctrl-Z    draws anew; to the shell, and back with fg
  ${exit.keys}`;
}

const modeHints: Record<(typeof changeableModes)[number], string> = {
  default: "edits and commands are asked for, unless a rule allows them",
  acceptEdits: "edits inside the working directory pass without a question",
  plan: "nothing is changed and no command is run; the agent submits a plan",
};

async function chooseMode(session: SessionControls, wanted: string): Promise<void> {
  const modes = changeableModes.map((label) => ({ label, hint: modeHints[label] }));
  const nowFirst = modes.toSorted((a, b) => Number(b.label === session.mode()) - Number(a.label === session.mode()));
  const name = wanted || (await session.pick(nowFirst, { title: `Mode (now ${session.mode()})` }))?.label;
  if (!name || name === session.mode()) return;
  session.setMode?.(name);
  if (name === session.mode()) session.print(`The mode is ${name} from now on: ${modeHints[name as keyof typeof modeHints]}.`);
}

const effortHints: Record<Effort | "default", string> = {
  default: "as the model does by itself",
  off: "it answers without thinking first, where the model can",
  low: "it thinks a little",
  high: "it thinks long, which takes time and costs output tokens",
};

async function chooseEffort(session: SessionControls, wanted: string): Promise<void> {
  const now = session.effort() ?? "default";
  const items = (["default", ...efforts] as const).map((label) => ({ label, hint: effortHints[label] }));
  const nowFirst = items.toSorted((a, b) => Number(b.label === now) - Number(a.label === now));
  const name = wanted.trim() || (await session.pick(nowFirst, { title: `Effort (now ${now})` }))?.label;
  if (!name || name === now) return;
  const chosen = items.find(({ label }) => label === name);
  if (!chosen) return session.warn(`There is no effort "${name}". There are: ${items.map(({ label }) => label).join(", ")}.`);
  const effort = chosen.label === "default" ? undefined : chosen.label;
  session.setEffort(effort);
  const problem = effortProblem(session.model(), effort);
  if (problem) return session.warn(problem);
  session.print(`The effort is ${chosen.label} from now on: ${chosen.hint}.${session.events().some(isReply) ? cachedByEffort : ""}`);
}

const isReply = ({ type }: TranscriptEvent) => type === "reply";

const cachedByModel = " It reads the whole conversation anew once: the provider's cache is kept by model.";
const cachedByEffort = " The next request reads the whole conversation again: the provider caches it for each effort separately.";

async function chooseModel(session: SessionControls, wanted: string): Promise<void> {
  const models = session.models();
  if (models.length === 0) return session.print("The model is a script, which cannot be changed here.");
  const isNow = ({ label }: PickItem) => label === session.model();
  const nowFirst = [...models.filter(isNow), ...models.filter((model) => !isNow(model))];
  const chosen = wanted || (await session.pick(nowFirst, { title: `Model (now ${session.model()})` }))?.label;
  if (!chosen) return;
  const name = modelNamed(chosen);
  if (name === session.model()) return session.print(`${name} answers already.`);
  session.setModel(name);
  const unknown = unknownModel(name);
  const thinks = unknown ? undefined : effortProblem(name, session.effort());
  for (const problem of [unknown, thinks]) if (problem) session.warn(problem);
  session.print(`From now on ${name} answers.${session.events().some(isReply) ? cachedByModel : ""}`);
}
