// Hands that last as long as their agent's work: where they are gone, the next call starts new ones, at the same place or another, which go on
// from what is at home. Sessions, teammates and units use them alike.
import { dirname } from "node:path";
import type { KeptFiles } from "../../agent/rewind/rewind.ts";
import type { WorkspaceRequest } from "../../agent/workspace/workspace-request.ts";
import type { Workspace } from "../../agent/workspace.ts";
import { type CallOptions, LostCall } from "../../places/call-hands.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";
import { mostIgnoredBytes } from "../../places/travel.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { errorText } from "../../wording/error-text.ts";
import { UsageError, type World } from "../world.ts";
import { agentsThere } from "./agents-there.ts";
import type { HandsAtPlace } from "./at-place.ts";
import { keepingVersions } from "./changes-kept.ts";
import { type ChangesThere, changesThere } from "./changes-there.ts";
import { type HandsStarter, handsStarter, type StarterOrder } from "./hands-starter.ts";
import { type PlaceDesk, placeDesk } from "./place-desk.ts";
import { placeholdersOfPlaces, placeWorkspace } from "./place-workspace.ts";
import { recordSent } from "./places-sent.ts";
import { askKnown, type Limits, openTree, type SentTree, sendTree, type TreeThere, type WorkAt } from "./tree-there.ts";
import { whenNeeded } from "./when-needed.ts";

export type LastingHands = Pick<ChangesThere, "bringHome" | "whileSame" | "isPending"> & {
  /** Throws UsageError if none can be started. */
  start(signal?: AbortSignal): Promise<void>;
  /** Asks the hands of now what they have of that repository, before that is needed. */
  foresee(root: string): void;
  /** The world of the agent whose hands they are. `waits`: its workspace is open only when the one there is. `isChild`: it is a sub-agent. */
  serve(world: World, at: WorkAt, options: { waits: boolean; isChild?: boolean }): World;
  facts(): HandsFacts | undefined;
  leave(): Promise<void>;
};

export function lastingHands(world: World, order: StarterOrder): LastingHands {
  const desk = placeDesk();
  let kept: KeptFiles | undefined;
  const starter = handsStarter(world, desk, order);
  const works: WorksThere = worksThere(starter, { desk, alone: (work) => changes.alone(work) });
  const known = knownThere();
  const changes = changesThere({
    isOpen: () => works.now() !== undefined,
    async fetch() {
      const open = works.now();
      await open?.tree.fetch((arrive) => keepingVersions(kept, desk.state.touched, arrive));
      if (open) void starter.measure(open.hands);
    },
    async send() {
      const open = works.now();
      await open?.tree.send().catch((error: unknown) => open.hands.giveUp(`they cannot take what changed at home: ${errorText(error)}`));
    },
    onFailed: (error) => desk.state.onNotice(`What changed at ${starter.facts()?.place} is not home yet: ${errorText(error)}`),
  });
  starter.onGone((why) => {
    works.forget();
    desk.forget();
    changes.lose(`${why}. What changed there since the last turn is lost. Look at the files again before you go on.`);
  });
  const bringHome = () => {
    if (works.now()) starter.lived();
    return changes.bringHome();
  };
  const leave = () => starter.leave(!changes.isPending());
  return {
    bringHome,
    whileSame: changes.whileSame,
    isPending: changes.isPending,
    async start(signal) {
      const stop = () => void leave();
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted) stop();
      await starter.start().finally(() => signal?.removeEventListener("abort", stop));
    },
    foresee(root) {
      const hands = starter.now();
      if (hands) void known(hands, root);
    },
    facts: starter.facts,
    leave,
    serve(where, at, { waits, isChild = false }) {
      // The code travels while the session at home opens.
      works.prepare((hands) => sendTree(where, at, { call: hands.call, known: known(hands, at.root) }));
      const agents = agentsThere({ desk, works, reached });
      const users = userCount(leave);
      const link = { ...linkTo(works, starter), changes: { ...changes, bringHome }, leave: users.release, home: at };
      let main: Workspace | undefined;
      const mode = () => main!.mode();
      const below = async (request: WorkspaceRequest): Promise<Workspace> => {
        const home = await where.edges.work(request);
        const { state, ...own } = await agents.open(home, request);
        return placeWorkspace(home, { ...link, ...own, mode }, desk, state);
      };
      const work: World["edges"]["work"] = async (request) => {
        if (request.child && (main || !isChild)) return users.add(() => below(request));
        const limits = limitsOf(request);
        const lastPlaceholder = Math.max(request.lastPlaceholder ?? 0, placeholdersOfPlaces);
        const home = await where.edges.work({ ...request, lastPlaceholder });
        if (request.outputs)
          starter.onFacts(recordSent(await recording(world), { session: dirname(request.outputs.folder), owner: request.owner }));
        kept = home.kept;
        main = home;
        agents.begin(home, request.cwd);
        works.begin((hands, { sent, generation }) =>
          openTree(where, at, { call: hands.call, sent, settings: home.settings(), limits, generation }),
        );
        if (waits) await works.open();
        return placeWorkspace(home, { ...link, owner: ":hands", mode }, desk);
      };
      return { ...where, edges: { ...where.edges, work } };
    },
  };
}

/** The hands are left when the last agent that works with them has ended. The one for which they were started is there from the beginning. */
function userCount(leave: () => Promise<void>): { add<T>(open: () => Promise<T>): Promise<T>; release(): Promise<void> } {
  let count = 1;
  const release = async () => {
    if (--count === 0) await leave();
  };
  return {
    async add(open) {
      if (count === 0) throw new UsageError(overText);
      count++;
      try {
        return await open();
      } catch (error) {
        await release();
        throw error;
      }
    },
    release,
  };
}

const overText = "the agent that starts it has ended, and its hands at the place with it. Start another one there.";

async function recording({ edges }: World): Promise<Parameters<typeof recordSent>[0]> {
  const [disk, clock] = await Promise.all([edges.disk(), edges.clock()]);
  return { disk, now: clock.now };
}

/** Throws UsageError for limits that a place could not keep. */
function limitsOf({ child, definition }: WorkspaceRequest): Limits {
  if (!child) return definition && { ...(definition.tools && { tools: definition.tools }), disallowedTools: definition.disallowedTools };
  const { tools, disallowedTools, above = [], files, parent } = child;
  if (files || parent.policy.narrowed.length > 0 || above.some((one) => one.tools || one.files)) throw new UsageError(boundedText);
  return { ...(tools && { tools }), disallowedTools: [...disallowedTools, ...above.flatMap((one) => one.disallowedTools)] };
}

const boundedText = "an agent whose tools or files another agent or a skill limits cannot have its hands at a place.";

/** What each hands have of the repository, asked once. */
function knownThere(): (hands: HandsAtPlace, root: string) => Promise<string[]> {
  const asked = new WeakMap<HandsAtPlace, Promise<string[]>>();
  return (hands, root) => {
    const known = asked.get(hands) ?? askKnown(hands.call, root);
    asked.set(hands, known);
    known.catch(() => {}); // whoever sends the code hears of it
    return known;
  };
}

type Open = { hands: HandsAtPlace; tree: TreeThere };
type SendTree = (hands: HandsAtPlace) => Promise<SentTree>;
type OpenTree = (hands: HandsAtPlace, by: { sent: SentTree; generation: number }) => Promise<TreeThere>;

type WorksThere = {
  /** How the code gets to hands. It goes at once to those that are there already. */
  prepare(sendTree: SendTree): void;
  begin(openTree: OpenTree): void;
  /** With new hands if there are none. */
  open(): Promise<Open>;
  now(): Open | undefined;
  forget(): void;
};

/** The workspace that the hands of now have open. */
function worksThere(starter: HandsStarter, { desk, alone }: { desk: PlaceDesk; alone: ChangesThere["alone"] }): WorksThere {
  let openTreeBy: OpenTree | undefined;
  let sendTreeBy: SendTree | undefined;
  let sending: { hands: HandsAtPlace; tree: Promise<SentTree> } | undefined;
  let now: Open | undefined;
  let generation = 0;
  const sentTo = (hands: HandsAtPlace): Promise<SentTree> => {
    const tree = sending?.hands === hands ? sending.tree : sendTreeBy!(hands);
    sending = { hands, tree };
    tree.catch(() => (sending = undefined));
    return tree;
  };
  const openNow = async (): Promise<Open> => {
    const by = openTreeBy;
    if (!by) throw new Error("The workspace at the place is not there yet");
    const hands = await starter.start();
    const open = await alone(async () => {
      const sent = await sentTo(hands);
      sending = undefined; // whatever becomes of it, the next time sends again
      const tree = await by(hands, { sent, generation });
      const { narrowed } = desk.state;
      if (narrowed) await hands.call("narrow", narrowed);
      now = { hands, tree };
      return now;
    });
    const { left } = open.tree.ignored;
    if (generation++ > 0) desk.introduce(hands.place.name, open.tree.cwd);
    else if (left.length > 0) desk.state.onNotice(leftHereText(left));
    void starter.measure(hands);
    return open;
  };
  const opening = whenNeeded(() => withNewHands(openNow));
  return {
    prepare(by) {
      sendTreeBy = by;
      const hands = starter.now();
      if (hands) void alone(() => sentTo(hands)).catch(() => {}); // whoever opens the workspace tries again
    },
    begin(by) {
      openTreeBy = by;
    },
    open: opening.get,
    now: () => now,
    /** One that is being opened is opened again by whoever does so. */
    forget() {
      if (now) opening.forget();
      now = undefined;
    },
  };
}

/** Hands may die while they do what changes nothing: new ones do it then. */
async function withNewHands<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LostCall) || tries === mostTries) throw error;
    }
  }
}

const mostTries = 3;

/** What the workspace needs of the hands, whichever they are. */
function linkTo(works: WorksThere, starter: HandsStarter) {
  return {
    async call(member: string, args: unknown, options: CallOptions = {}) {
      const { hands } = await reached(works.open(), options.signal);
      return hands.call(member, args, options);
    },
    /** Undefined without hands, also if they go meanwhile: nobody may be waiting for it. */
    async callIfThere(member: string, args: unknown) {
      const open = works.now();
      return open?.hands.call(member, args).catch((error: unknown) => {
        if (works.now() === open) throw error;
      });
    },
    async sendSettings(settings: LoadedSettings, signal: AbortSignal) {
      const { tree } = await unlessStopped(works.open(), signal);
      await tree.sendSettings(settings);
    },
    environment: () => withNewHands(async () => (await works.open()).tree.environment()),
    platform: () => works.now()?.tree.platform,
    cwd: () => works.now()?.tree.cwd,
    ignored: () => works.now()?.tree.ignored.brought ?? [],
    facts: starter.facts,
  };
}

/** Why a file stays differs; that it is not there is what the person has to know of each. */
function leftHereText(left: TreeThere["ignored"]["left"]): string {
  const named = left.slice(0, mostNamed).map(({ path, why }) => `${path} (${why})`);
  const more = left.length > mostNamed ? ` and ${left.length - mostNamed} more` : "";
  return `Not sent to the place, though .worktreeinclude names it: ${named.join(", ")}${more}. Ignored files go along up to ${mostIgnoredBytes / 1024 / 1024} MiB.`;
}

const mostNamed = 10;

/** Hands for a call, which is not carried out without them. */
function reached<T>(open: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return unlessStopped(open, signal).catch((error: unknown) => {
    throw new LostCall("no", errorText(error));
  });
}

/** A place may take long to start hands; whoever waits for that can go. */
async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let stop = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error("It was stopped before hands were there; it was not carried out"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([work, stopped]).finally(() => signal.removeEventListener("abort", stop));
}
