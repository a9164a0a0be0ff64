// The hands of a teammate that works at a place. Its worktree at home stays what is handed over, merged and tested; the one there is its copy.
import type { TeamEvent } from "../../board/event.ts";
import { freePlace } from "../../places/free-place.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { Launch } from "../../team/launch.ts";
import { placesInUse } from "../../team/lead/teammate-place.ts";
import { readStatus } from "../../team/member-files.ts";
import type { Merged, TeamTrees } from "../../team/worktrees.ts";
import { errorText } from "../../wording/error-text.ts";
import type { Member } from "../team/member/member.ts";
import { rootOfTree } from "../team/team-trees.ts";
import { UsageError, type World } from "../world.ts";
import type { ChoosePlace } from "./hands-starter.ts";
import { type LastingHands, lastingHands } from "./lasting-hands.ts";
import { placeNamed } from "./place-named.ts";

export type TeammateHands = {
  world: World;
  trees: TeamTrees;
  /** Starts them for this member. Rejects once there are none and none to be had; resolves never. */
  follow(member: Member): Promise<never>;
  leave(): Promise<void>;
};

/** Undefined for a teammate that works on this machine. Throws UsageError if its place is not in the settings. */
export function teammateHands(
  world: World,
  launch: Launch,
  { trees, settings }: { trees: TeamTrees | undefined; settings: LoadedSettings },
): TeammateHands | undefined {
  const { name, place, worktrees } = launch;
  if (place === undefined || !trees || !worktrees) return undefined;
  const { places } = settings.effective;
  const found = placeNamed(places, place);
  if (!found.ok) throw new UsageError(found.reason);
  let member: Member | undefined;
  let strand: (error: Error) => void = () => {};
  let hasStarted = false;
  const stranded = new Promise<never>((_resolve, reject) => (strand = reject));
  stranded.catch(() => {}); // whoever waits for it hears of it
  const tell = (event: Happened) => {
    const stamp = { by: name, member: name, at: member?.clock.now().toISOString() ?? "" };
    member?.board.log({ ...event, ...stamp });
  };
  let shown: HandsFacts | undefined;
  const onFacts = (facts: HandsFacts) => {
    hasStarted ||= facts.state === "working";
    member?.session.setHands(facts);
    const isNew = facts.state === "working" && shown?.state !== "working";
    shown = facts;
    if (isNew) tell({ kind: "hands_started", place: facts.place, after_ms: facts.started_ms ?? 0 });
  };
  const hands = lastingHands(world, {
    choose: choosing(launch, { find: (wanted) => placeNamed(places, wanted), inUse: () => (member ? othersIn(member) : nobody) }),
    onFacts,
    onGone: (how, where) => tell({ kind: "hands_gone", place: where, how }),
    // Where none has ever started, another process would not find more.
    onStranded: (why) => strand(hasStarted ? new Error(why) : new UsageError(why)),
  });
  const at = { root: worktrees.root, top: rootOfTree(worktrees, name), cwd: trees.folderOf(name) };
  return {
    world: hands.serve(world, { ...at, name: world.uniqueId(), ref: `team-${worktrees.id}-${name}` }, { waits: false }),
    trees: treesWithHands(trees, hands),
    leave: hands.leave,
    follow(its) {
      member = its;
      // The death of hands costs one turn at most.
      its.session.listen(({ type }) => void ((type === "request" || type === "ended") && hands.bringHome()));
      void hands.start().catch(() => {}); // `stranded` says so
      return stranded;
    },
  };
}

type Happened =
  | Pick<Extract<TeamEvent, { kind: "hands_started" }>, "kind" | "place" | "after_ms">
  | Pick<Extract<TeamEvent, { kind: "hands_gone" }>, "kind" | "place" | "how">;

type Others = ReturnType<typeof placesInUse>;

const nobody: Others = { busy: [], startedMs: () => undefined };

function othersIn({ board, disk, launch }: Member): Others {
  const read = board.record();
  const others = read.ok ? read.record.members.filter(({ name }) => name !== launch.name) : [];
  return placesInUse(others, (name) => readStatus(disk, board.layout, name));
}

type Choosing = { find: (name: string) => ReturnType<typeof placeNamed>; inUse: () => Others };

/** The same place again, unless its hands have died there twice without a turn; then another of the team's, if it may move. */
function choosing({ place, moves, options }: Launch, { find, inUse }: Choosing): ChoosePlace {
  let at = place;
  return ({ failed, died }) => {
    const left = [...failed, ...died.filter((name, index) => died.indexOf(name) < index)];
    if (at !== undefined && left.includes(at)) at = moves && freePlace(options.places ?? [], { ...inUse(), left });
    const found = at === undefined ? undefined : find(at);
    return found?.ok ? found.place : undefined;
  };
}

/** What changes the worktree at home begins with what is at the place, and ends there. */
function treesWithHands(trees: TeamTrees, { whileSame }: Pick<LastingHands, "whileSame">): TeamTrees {
  const both = (work: () => Promise<Merged>): Promise<Merged> =>
    whileSame(work).catch((error: unknown) => ({ kind: "refused", reason: errorText(error) }));
  return {
    ...trees,
    hand: (name, message) => both(() => trees.hand(name, message)),
    update: (name, message) => both(() => trees.update(name, message)),
  };
}
