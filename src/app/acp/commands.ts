// The slash commands of a session in an editor: those of the screen that need no screen, and its skills. What they print is a message.
import type { AvailableCommand } from "@agentclientprotocol/sdk";
import { allTokens } from "../../agent/usage.ts";
import { readSlashLine, type SlashCommand, unknownCommandText } from "../../screen/commands/commands.ts";
import { costText } from "../../screen/commands/cost-text.ts";
import { sessionCommands } from "../../screen/commands/session-commands.ts";
import type { Style } from "../../screen/style.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { dollars, plural, tokens } from "../../wording/figures.ts";
import type { ControlsSetup } from "../controls/controls-setup.ts";
import { sharedControls } from "../controls/shared-controls.ts";
import type { Solo } from "../session/open-session.ts";
import type { World } from "../world.ts";

/** These belong to a screen, or to what an editor has a way of its own for. */
const elsewhere = new Set(["help", "exit", "team"]);

export type CommandsSetup = {
  world: World;
  solo: Solo;
  style: Style;
  pane: ControlsSetup["pane"];
  nowMs(): number;
  compact(focus: string): void;
  /** A line that is a skill's. */
  say(line: string): Promise<void>;
};

export type EditorCommands = {
  list(): AvailableCommand[];
  /** Runs the line if it is a command, or is meant as one; undefined if it is for the model. */
  run(line: string): Promise<void> | undefined;
};

export function editorCommands(setup: CommandsSetup): EditorCommands {
  const { solo, pane } = setup;
  const controls = controlsOf(setup);
  const own = sessionCommands(controls).filter(({ name }) => !elsewhere.has(name));
  const all = (): SlashCommand[] => [
    ...own,
    ...solo.skills.commands(
      own.map(({ name }) => name),
      setup.say,
    ),
  ];
  return {
    list: () =>
      all().map(({ name, summary, argument }) => ({
        name,
        description: summary,
        ...(argument !== undefined && { input: { hint: argument } }),
      })),
    run(line) {
      const read = readSlashLine(line, all());
      if (!read) return undefined;
      if (read.kind === "command") return Promise.resolve(read.command.run(read.argument));
      pane.warn(solo.skills.explain(read.name) ?? unknownCommandText(read, "Your editor lists them after a /."));
      return Promise.resolve();
    },
  };
}

function controlsOf({ world, solo, style, pane, nowMs, compact }: CommandsSetup) {
  const { session } = solo;
  return {
    ...sharedControls({ ...solo, world, pane, style, scripted: solo.script !== undefined }),
    async tasks(words: string) {
      const { tasksIn } = await import("../session/session-tasks.ts");
      return tasksIn(solo, { wake: () => {}, nowMs, style })(words);
    },
    agents() {
      const { turns, usage, costUsd } = session.totals();
      return `${session.agent.name}  ${visibleLine(session.agent.modelName)}  ${plural(turns, "turn")}  ${tokens(allTokens(usage))} tokens  ${dollars(costUsd)}`;
    },
    cost: () => costText(solo.events(), session.spending()),
    team: () => "",
    compact,
    exit: { summary: "", keys: "", run: () => {} },
  };
}
