// Opens a lead in this process: its place on the screen, its session, its staff, and the display of the team.

import type { ProcessIdentity } from "../../../board/disk.ts";
import { createStyle } from "../../../screen/style.ts";
import { openPane, type Pane } from "../../../screen/terminal/pane.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { LoadedSettings } from "../../../settings/files.ts";
import type { Launch } from "../../../team/launch.ts";
import { removeResult } from "../../../team/lead/result.ts";
import { type Spawner, spawnTools } from "../../../team/lead/spawn-tools.ts";
import { createStaff, type Staff } from "../../../team/lead/staff.ts";
import { readStatus, writeStatus } from "../../../team/member-files.ts";
import { leadSystemPrompt } from "../../../team/prompt.ts";
import { firstStatus } from "../../../team/report/status.ts";
import { settingsFlags } from "../../agent-flags.ts";
import { editorOf, emptyCompletions } from "../../controls/line-editor.ts";
import { plainUnlessRead } from "../../print/print-reply.ts";
import { openSettings } from "../../settings/open-settings.ts";
import { introduceSandbox, sandboxHere } from "../../settings/sandbox-here.ts";
import { ineffectiveSettings, settingsNotices, type TrustSetup, trustedSettings } from "../../settings/trust.ts";
import { type Waker, waker } from "../../waker.ts";
import type { World } from "../../world.ts";
import { hungAfterMs } from "../member/join-team.ts";
import { liveMember } from "../member/live-member.ts";
import { type MemberPart, type NamedMember, openMember, takeName } from "../member/member.ts";
import { openingLines } from "../opening.ts";
import { hideLiveAreaWhileOpening } from "../opening-display.ts";
import { roleNamed, rolesPrompt } from "../roles.ts";
import { openTrees } from "../team-trees.ts";
import { watchTeam } from "../team-watch.ts";
import type { Lead, LeadScreen, LeadSetup } from "./lead-parts.ts";
import { recordLead } from "./lead-record.ts";
import { attachLead, eventLine } from "./lead-screen.ts";
import { showTeammates } from "./lead-teammates.ts";
import { leadTrees } from "./lead-trees.ts";

async function openScreen(world: World, setup: LeadSetup, names: () => string[]): Promise<LeadScreen> {
  /** With screen and keyboard; otherwise lines are printed. */
  const { attended } = setup.launch.options;
  const [clock, processes, ownDisk] = await Promise.all([world.edges.clock(), world.edges.processes(), world.edges.disk()]);
  const startedAt = clock.now();
  const style = createStyle(attended ? world.env : plainUnlessRead(world), names, world.theme);
  const terminal = attended ? await world.edges.terminal() : null;
  const completions = emptyCompletions();
  const ending = new AbortController();
  const editor = editorOf(world, ownDisk, completions);
  const onLeave = () => ending.abort();
  const term = world.env["TERM"];
  const pane = openPane({ terminal, write: setup.print, style, name: "lead", term, now: clock.monotonicMs, editor, onLeave });
  return { clock, processes, startedAt, style, terminal, completions, pane, ending, attended };
}

export async function openLead(world: World, setup: LeadSetup): Promise<Lead> {
  const { display } = setup;
  let staff: Staff | undefined;
  const place = await openScreen(world, setup, () => staff?.names() ?? []);
  const { pane, style, terminal, clock } = place;
  const { named, recorded, settings } = await namedWithSettings(world, { launch: setup.launch, ...place });
  const { found, state, notice: unconfined } = await sandboxHere({ ...world, cwd: setup.launch.cwd }, settings);
  const launch: Launch = { ...setup.launch, sandbox: found };
  const wake = waker();
  const spawner: Spawner = {
    roleNamed: (name) => roleNamed(world, member.work.settings(), name),
    spawn: (order) => staff!.spawn(order),
    stop: (name) => staff!.stop(name),
  };
  const part = leadPart(launch, { settings, roles: await rolesPrompt(world, settings), pane, wake, spawner });
  const member = await openMember(world, launch, { ...part, ...named });
  removeResult(member.disk, member.board.layout);
  const trees = await openTrees(world, launch);
  staff = createStaff({
    beforeStart: trees && ((name) => trees.add(name)),
    board: member.board,
    disk: member.disk,
    clock,
    processes: place.processes,
    display: hideLiveAreaWhileOpening(display, { pane, clock }),
    launch: { ...launch, instructions: member.instructions, options: { ...launch.options, trusted: settings.hash } },
    configDir: world.configDir,
    launcher: (path) => [...world.self, "teammate", "--launch", path],
    cores: world.cores,
    uniqueId: world.uniqueId,
    onNotice: pane.warn,
    tellLead: (text) => member.session.say({ source: { kind: "harness" }, text }),
  });
  const { alert } = member.hooks;
  const team = watchTeam({ member, staff, pane, style, line: eventLine(place, { staff, alert, onEvent: setup.onEvent }) });
  const live = liveMember(member, { ...place, wake, ending: place.ending.signal });
  const treesOfLead = trees && leadTrees(world, { ...place, trees, launch, member, staff, settings });
  const lead: Lead = {
    ...place,
    trees: treesOfLead,
    display,
    launch,
    member,
    staff,
    team,
    teammates: null,
    wake,
    live,
    recorded,
    spawner,
  };
  const onFault = (error: unknown) => failLead(lead, error);
  if (terminal) lead.teammates = showTeammates({ world, launch, member, staff, display, pane, terminal, style, onFault });
  attachLead(world, lead);
  const outlook = await display.outlook?.().catch(() => undefined); // reported without it
  if (outlook?.where === "beside") pane.limitText(outlook.leadColumns);
  for (const line of launch.opening ? openingLines(launch, launch.opening, outlook) : []) pane.print(line, 2);
  if (unconfined) pane.warn(visibleLine(unconfined));
  if (lead.attended) await introduceSandbox(world, { state, settings, print: (line) => pane.print(style.dim(`  ${line}`), 2) });
  return lead;
}

export function failLead(lead: Lead, error: unknown): void {
  lead.fault ??= { error };
  lead.ending.abort();
}

type LeadParts = { settings: LoadedSettings; roles: string; pane: Pane; wake: Waker; spawner: Spawner };

function leadPart({ team, options }: Launch, { settings, roles, pane, wake, spawner }: LeadParts): MemberPart {
  return {
    actor: { name: "lead", role: "lead" },
    system: leadSystemPrompt(team, options),
    tools: spawnTools(spawner, { roles, ...(options.places && { places: options.places }) }),
    readOnly: !options.leadMayEdit,
    settings,
    pane,
    wake,
  };
}

type Opening = Omit<Asked, "onAsk"> & Pick<LeadScreen, "processes">;

/** The name and the place first: who looks at the team sees that the person is asked, and where. */
async function namedWithSettings(
  world: World,
  { processes, ...asked }: Opening,
): Promise<{ named: NamedMember; recorded: Promise<void>; settings: LoadedSettings }> {
  const { launch, pane } = asked;
  const named = await takeName(world, launch, pane);
  const recorded = recordLead(world, { ...named.joined, launch }, pane.warn);
  const onAsk = (of: LoadedSettings) => sayAsking({ launch, named, process: processes.self(), hungAfterMs: hungAfterMs(of) });
  try {
    return { named, recorded, settings: await settingsHere(world, { ...asked, onAsk }) };
  } catch (error) {
    pane.close();
    await recorded;
    named.joined.release();
    throw error;
  }
}

type Asking = { launch: Launch; named: NamedMember; process: ProcessIdentity; hungAfterMs: number };

/** For those who look at the team while nobody has answered yet: a lead without a session asks. What a former process has counted stays. */
function sayAsking({ launch, named: { joined }, ...at }: Asking): void {
  const { disk, clock, board } = joined;
  const { name, nonce, session } = launch;
  const before = readStatus(disk.now, board.layout, name);
  const first = firstStatus({ name, nonce, session }, { ...at, now: clock.now(), nowMs: clock.monotonicMs() });
  const { turns, tokens, cached_tokens, cost_usd } = before?.session === session ? before : first;
  const asking = { state: "waiting_permission", doing: "whether to trust the settings of this project" } as const;
  writeStatus(disk, board.layout, { ...first, turns, tokens, cached_tokens, cost_usd, ...asking });
}

type Asked = Pick<TrustSetup, "pane" | "style" | "ending" | "onAsk"> & { launch: Launch; attended: boolean };

/** Teammates read the person's answers from the record. */
async function settingsHere(world: World, { launch, attended, ...place }: Asked): Promise<LoadedSettings> {
  const flags = settingsFlags(launch.options);
  const settings = attended ? await trustedSettings({ world, ...place, declined: {} }, flags) : await openSettings(world, flags);
  for (const notice of attended ? ineffectiveSettings(settings) : settingsNotices(settings, world.command))
    place.pane.warn(visibleLine(notice));
  return settings;
}
