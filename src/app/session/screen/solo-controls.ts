// What the slash commands of a solo session do in addition to those of every pane.
import { allTokens } from "../../../agent/usage.ts";
import { costText } from "../../../screen/commands/cost-text.ts";
import type { SessionControls } from "../../../screen/commands/session-commands.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import { dollars, plural, tokens } from "../../../wording/figures.ts";
import { batchCommand } from "../../batch/session-batch.ts";
import { sharedControls } from "../../controls/shared-controls.ts";
import { widthOf } from "../../print/print-reply.ts";
import type { World } from "../../world.ts";
import { assertFree, offeredSessions, resumable, type Solo, sessionsHere } from "../open-session.ts";
import type { Attended, Next } from "./attended.ts";
import { chooseSession } from "./choose-session.ts";

/** The controls of the session's own flow. */
export type SessionFlow = {
  leave(to?: Next): void;
  /** At once, or after the current run of turns. */
  compact(focus: string): void;
  rewind(): Promise<void>;
  goal(words: string): void;
  /** Aborts when the session ends or gives way to another; what it asks goes with it. */
  leaving: AbortSignal;
};

export function soloControls(attended: Attended, solo: Solo, { leave, compact, rewind, goal, leaving }: SessionFlow): SessionControls {
  const { world, pane, style } = attended;
  const { session } = solo;
  return {
    ...sharedControls({ ...solo, world, pane, style, scripted: solo.script !== undefined }),
    async tasks(words) {
      const { tasksIn } = await import("../session-tasks.ts");
      const columns = () => widthOf(world.stdout);
      return tasksIn(solo, { wake: attended.wake.notify, nowMs: attended.nowMs, style, columns })(words);
    },
    agents: () => {
      const { turns, usage, costUsd } = session.totals();
      return `  ${session.agent.name}  ${visibleLine(session.agent.modelName)}  ${plural(turns, "turn")}  ${tokens(allTokens(usage))} tokens  ${dollars(costUsd)}`;
    },
    cost: () => costText(solo.events(), session.spending()),
    team: () => teamsText(world),
    compact,
    rewind,
    goal,
    async export(file) {
      const { exportSession } = await import("../export-session.ts");
      await exportSession({ ...attended, events: solo.events, id: session.id, ending: leaving })(file);
    },
    batch: batchCommand(attended, solo),
    clear() {
      const { modelName: model, effort } = session.agent;
      leave({ cleared: true, model, effort, mode: solo.work.mode() });
    },
    async resume(wanted) {
      const others = async () => (await sessionsHere(world)).filter(({ id }) => id !== session.id);
      const id = wanted
        ? await resumable(world, wanted, { sessions: await others(), listing: "/resume" })
        : await chooseSession(attended, await offeredSessions(world));
      if (!id) return;
      await assertFree(world, id); // this session continues if the other one cannot
      leave({ id });
    },
    exit: { summary: "end the session", keys: "Ctrl-D            ends the session; so does Ctrl-C, twice", run: () => leave() },
  };
}

/** All teams but demos that have ended, as `tool team status` counts them, and how to start one. */
export async function teamsText(world: World): Promise<string> {
  const { allTeams, isPastDemo } = await import("../../team/open-team.ts");
  const teams = (await allTeams(world)).filter((team) => !isPastDemo(team)).map(({ board }) => visibleLine(board.name));
  const how = `To start one, in a shell: TOOL_EXPERIMENTAL_AGENT_TEAMS=1 ${world.command} team "what to do"`;
  return teams.length === 0 ? `There is no team. ${how}` : `Teams: ${teams.join(", ")}. Look: ${world.command} team status. ${how}`;
}
