// What the slash commands of a solo session do: each is answered from this session, this folder and this machine.
import { windowOf } from "../agent/compaction.ts";
import { type ContextParts, windowAccount } from "../agent/context.ts";
import { ledgerPath, readLedger } from "../agent/ledger.ts";
import { listPrices } from "../agent/prices.ts";
import { summarise, summaryText } from "../agent/sent-summary.ts";
import { allTokens } from "../agent/session.ts";
import { teamsFolder } from "../board/layout.ts";
import { permissionLines, permissionList } from "../permissions/permission-list.ts";
import { contextText } from "../screen/context-lines.ts";
import { dollars, tokens } from "../screen/figures.ts";
import type { SessionControls } from "../screen/session-commands.ts";
import { visibleLine } from "../screen/visible-text.ts";
import type { Attended, Next } from "./attended-session.ts";
import { chooseSession } from "./choose-session.ts";
import { examine, findingsText } from "./examine.ts";
import { assertFree, namedSession, type Solo, sessionsHere } from "./open-session.ts";

/** What a command asks of the session's own course. */
export type Course = {
  leave(to?: Next): void;
  /** Now, or once the run of turns that is under way has ended. */
  compact(focus: string): void;
};

export function soloControls(attended: Attended, solo: Solo, { leave, compact }: Course): SessionControls {
  const { world, flags, pane, style } = attended;
  const { session } = solo;
  return {
    print: (text) => pane.print(`\n${text}\n`),
    events: solo.events,
    totals: session.totals,
    models: () =>
      flags.script
        ? []
        : Object.entries(listPrices).flatMap(([name, price]) =>
            name === "scripted" ? [] : [{ label: name, hint: `$${price.input} in, $${price.output} out per million tokens` }],
          ),
    model: () => session.agent.modelName,
    pick: (items, options) => pane.pick(items, options),
    setModel(name) {
      session.agent.modelName = name;
    },
    tasks: () => "No background agents run in this session.",
    agents: () => {
      const { turns, usage, costUsd } = session.totals();
      return `  ${session.agent.name}  ${visibleLine(session.agent.modelName)}  ${turns} turns  ${tokens(allTokens(usage))} tokens  ${dollars(costUsd)}`;
    },
    permissions: () => permissionLines(permissionList(solo.work.settings, world.cwd)).map(visibleLine).join("\n"),
    context: async () => {
      const disk = await world.edges.disk();
      const sent = readLedger(disk.read(ledgerPath(world.configDir, world.cwd, session.id))?.toString("utf8") ?? "");
      const account = contextText(windowAccount(solo.events(), contextParts(solo)), style, world.stdout.columns);
      return `${account}\nleft this machine in this session: ${summaryText(summarise(sent))}.  tool privacy`;
    },
    team: async () => {
      const disk = await world.edges.disk();
      const teams = disk.list(teamsFolder(world.configDir));
      const how = 'To start one, in a shell: TOOL_EXPERIMENTAL_AGENT_TEAMS=1 tool team "what it is to do"';
      return teams.length === 0
        ? `There is no team. ${how}`
        : `Teams: ${teams.map(visibleLine).join(", ")}. Look: tool team status. ${how}`;
    },
    doctor: async () => findingsText(await examine(world), style),
    compact: async (focus) => compact(focus),
    clear: () => leave({ model: session.agent.modelName }),
    async resume(wanted) {
      const others = (await sessionsHere(world)).filter(({ id }) => id !== session.id);
      const id = wanted ? namedSession(others, wanted) : await chooseSession(attended, others);
      if (!id) return;
      await assertFree(world, id); // this session goes on where that one cannot
      leave({ id });
    },
    exit: () => leave(),
  };
}

function contextParts({ session: { agent }, instructions }: Solo): ContextParts {
  return { system: agent.system, schemas: agent.schemas, instructions, windowTokens: windowOf(agent) };
}
