// The hidden command that a shell runs at each TAB: `tool complete -- <words…>` prints the candidates for the last word.
import { Command } from "commander";
import type { World } from "../app/world.ts";
import type { Task } from "../board/tasks/task.ts";
import type { TeamRecord } from "../board/team-record.ts";
import { type Candidate, type Next, nextOn, type ValueKind } from "./candidates.ts";

/** Prints one candidate a line, with a tab and its description. Never fails: a shell cannot show an error here. */
export function completeCommand(world: World, program: Command): Command {
  return new Command("complete").argument("[words...]").action(async (words: string[]) => {
    const { candidates, values, before } = nextOn(program, words);
    const looked = values ? await lookUp(world, values) : [];
    const typed = (words.at(-1) ?? "").slice(before.length);
    // In `--option=value`, bash completes the part after `=` as a separate word.
    const fitting = [...candidates, ...looked].filter(({ value }) => typed === "=" || value.startsWith(typed));
    world.stdout.write(fitting.map(({ value, description }) => `${before}${value}\t${description}\n`).join(""));
  });
}

async function lookUp(world: World, { kind, team, first }: NonNullable<Next["values"]>): Promise<Candidate[]> {
  try {
    return await sources[kind](world, kind === "settingValues" ? first : team);
  } catch {
    // A missing or unreadable team: the command itself will report it.
    return [];
  }
}

/** `of`: the team, or the setting whose values are looked up. */
const sources: Record<ValueKind, (world: World, of: string | undefined) => Promise<Candidate[]>> = {
  async teams({ configDir, edges }) {
    const { teamLayout, teamsFolder } = await import("../board/layout.ts");
    const disk = await edges.disk();
    const folder = teamsFolder(configDir);
    return plain(
      disk.list(folder).filter((name) => !name.startsWith(".") && disk.size(teamLayout(`${folder}/${name}`).record) !== undefined),
    );
  },
  async resumableTeams(world) {
    const { allTeams } = await import("../app/team/open-team.ts");
    const { resumable } = await import("../team/resume/resumable.ts");
    const lock = await world.edges.lock();
    const teams = (await allTeams(world)).filter(({ board, ports }) => resumable({ board, disk: ports.disk, lock }).ok);
    return plain(teams.map(({ board }) => board.name));
  },
  resumableBatches: (world) => batches(world, "resume"),
  retriableBatches: (world) => batches(world, "retry"),
  members: async (world, team) => plain([...(await record(world, team)).members.map(({ name }) => name), "user"]),
  async teammates(world, team) {
    const { teammatesOf } = await import("../board/team-record.ts");
    return plain(teammatesOf(await record(world, team)));
  },
  async recipients(world, team) {
    const { recipientsOf } = await import("../board/team-record.ts");
    return plain(recipientsOf(await record(world, team)));
  },
  async tasks(world, team) {
    const { visibleLine } = await import("../screen/visible-text.ts");
    return (await tasks(world, team)).map(({ id, title }) => ({ value: id, description: visibleLine(title) }));
  },
  async requests(world, team) {
    const { visibleLine } = await import("../screen/visible-text.ts");
    const { questionLine } = await import("../wording/question-words.ts");
    const { pendingRequests } = await import("./pending-requests.ts");
    return (await pendingRequests(world, team)).map(({ id, question }) => ({
      value: id,
      description: visibleLine(questionLine(question)).slice(0, 80),
    }));
  },
  displays: async () => plain((await import("../team/display/display.ts")).displayModes),
  async places(world) {
    const { openSettings } = await import("../app/settings/open-settings.ts");
    return plain(Object.keys((await openSettings(world, {})).effective.places));
  },
  async definitions(world) {
    const { definitionsHere } = await import("./agents/list.ts");
    const { visibleLine } = await import("../screen/visible-text.ts");
    return (await definitionsHere(world, {})).list.map(({ name, description }) => ({
      value: name,
      description: visibleLine(description).slice(0, 80),
    }));
  },
  settings: async () => {
    const { allSettings } = await import("../settings/settings.ts");
    return allSettings().map(({ name, help }) => ({ value: name, description: help }));
  },
  async settingValues(_world, setting) {
    const { allSettings } = await import("../settings/settings.ts");
    const { valuesOf } = await import("../settings/setting-meaning.ts");
    const found = allSettings().find(({ name }) => name === setting);
    return plain(found ? valuesOf(found.schema) : []);
  },
  async changes(world) {
    const { changeNames } = await import("../app/changes/open-changes.ts");
    const { shortened, visibleLine } = await import("../screen/visible-text.ts");
    return (await changeNames(world)).map(({ id, what }) => ({ value: id, description: shortened(visibleLine(what), 80) }));
  },
  async sessions(world) {
    const { offeredSessions } = await import("../app/session/open-session.ts");
    const { shortened, visibleLine } = await import("../screen/visible-text.ts");
    return (await offeredSessions(world)).map(({ id, prompt }) => ({ value: id, description: shortened(visibleLine(prompt), 80) }));
  },
  async models(world) {
    const { openSettings } = await import("../app/settings/open-settings.ts");
    const { listPrices, modelTiers } = await import("../agent/requests/prices.ts");
    const { model = "", fallbackModel = "", modelIds } = (await openSettings(world, {})).effective;
    const tiers = Object.entries(modelTiers).map(([value, description]) => ({ value, description }));
    const ids = new Set([model, fallbackModel, ...Object.keys(modelIds), ...Object.keys(listPrices)]);
    return [...tiers, ...plain([...ids].filter((id) => id !== "" && id !== "scripted" && !Object.hasOwn(modelTiers, id)))];
  },
  statuses: async () => plain((await import("../board/tasks/task.ts")).taskStatuses),
};

async function batches(world: World, flag: "resume" | "retry"): Promise<Candidate[]> {
  const { listedBatches } = await import("../app/batch/list-batches.ts");
  const { nextFlag } = await import("../screen/batch/batch-list.ts");
  const { shortened, visibleLine } = await import("../screen/visible-text.ts");
  return (await listedBatches(world))
    .filter((listed) => nextFlag(listed) === flag)
    .map(({ store: { batch } }) => ({ value: batch.id, description: shortened(visibleLine(batch.instruction), 80) }));
}

async function record(world: World, team: string | undefined): Promise<TeamRecord> {
  const { openTeam } = await import("../app/team/open-team.ts");
  return (await openTeam(world, team)).record;
}

async function tasks(world: World, team: string | undefined): Promise<Task[]> {
  const { openTeam } = await import("../app/team/open-team.ts");
  const read = (await openTeam(world, team)).board.tasks.read();
  return read.ok ? read.list.tasks : [];
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: "" }));
}
