// A working tree of home's and its copy at a place: what is sent when work begins there, and how either of them becomes like the other.
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { z } from "zod";
import { noServers } from "../../mcp/choose-servers.ts";
import { type IgnoredFiles, mostIgnoredBytes, type Travelling } from "../../places/travel.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { closedIn } from "../settings/policy-here.ts";
import type { World } from "../world.ts";
import type { HandsAtPlace } from "./at-place.ts";
import { placeholdersOfPlaces } from "./place-workspace.ts";

/**
 * `root`: of the person's tree; `top`: of the working tree at home, with `cwd` in it; `name`: of this work; `ref`: what keeps its snapshots;
 * `made`: the commit that the working tree was just made of.
 */
export type WorkAt = { root: string; top: string; cwd: string; name: string; ref: string; made?: string | undefined };

export type TreeThere = {
  /** The operating system there. */
  platform: string;
  /** The working directory there. */
  cwd: string;
  /** Of the ignored files that `.worktreeinclude` names: those that are there, and the others. */
  ignored: Omit<IgnoredFiles, "pack">;
  /** What its workspace tells the model. */
  environment(): Promise<unknown>;
  sendSettings(settings: LoadedSettings): Promise<void>;
  /** Home's tree becomes like the one there, by `around` if that changes something. */
  fetch(around: (arrive: () => Promise<void>) => Promise<void>): Promise<void>;
  /** The one there becomes like home's. */
  send(): Promise<void>;
};

const openedSchema = z.lazy(() => z.object({ platform: z.string().max(40), cwd: z.string().max(1_000) }));
const knownSchema = z.lazy(() => z.array(z.string().max(64)).max(100));
const snapshotSchema = z.lazy(() => z.object({ commit: z.string().max(64), bundle: z.base64().optional() }));

type Call = HandsAtPlace["call"];

/** What a place has of a repository: its commits that work there began from. */
export const askKnown = (call: Call, root: string): Promise<string[]> =>
  call("known", keyOf(root)).then((found) => knownSchema.parse(found));

/** The path itself is home's business. */
const keyOf = (root: string) => createHash("sha256").update(root).digest("hex").slice(0, 16);

/** A tree of that commit that is on its way. */
export type SentTree = { commit: string; arrived: Promise<unknown> };

/** Sends the code, in parts, and does not wait until it has arrived. `known`: what is there already. */
export async function sendTree({ edges }: World, at: WorkAt, { call, known }: { call: Call; known: Promise<string[]> }): Promise<SentTree> {
  const { root, top, cwd, name, made } = at;
  const key = keyOf(root);
  const travel = await edges.travel();
  const has = await known;
  const commit = await sendParts(call, await (made === undefined ? travel.packed(top, has) : travel.packedCommit(top, made, has)));
  const arrived = call("arrive", { session: `${key}-${name}`, key, commit, within: relative(top, cwd) });
  arrived.catch(() => {}); // whoever opens the workspace hears of it
  return { commit, arrived };
}

/** `generation`: how many hands have worked for this agent before. */
type Opening = { call: Call; sent: SentTree; settings: LoadedSettings; limits: Limits; generation: number };

/** What a definition leaves its agent, which holds at the place too. */
export type Limits = { tools?: readonly string[]; disallowedTools: readonly string[] } | undefined;

/** Sends the rules; they and the code are there when this resolves. */
export async function openTree(world: World, at: WorkAt, { call, sent, settings, limits, generation }: Opening): Promise<TreeThere> {
  const { edges } = world;
  const { root, top, cwd, ref } = at;
  const travel = await edges.travel();
  let same = sent.commit;
  const opening = call("open", { settings: settingsFor(settings, at), limits, lastPlaceholder: await lastPlaceholder() });
  // The first hands are asked for it in any case: the answer need not wait for that of the call before.
  let foreseen = generation === 0 ? call("environment", null) : undefined;
  foreseen?.catch(() => {});
  const [opened, ignored] = await Promise.all([opening, sendIgnored(), sent.arrived]);
  let there = settings;
  return {
    ...openedSchema.parse(opened),
    ignored,
    environment() {
      const answer = foreseen ?? call("environment", null);
      foreseen = undefined;
      return answer;
    },
    async sendSettings(now) {
      if (now === there) return;
      const rules = settingsFor(now, at);
      if (JSON.stringify(rules) !== JSON.stringify(settingsFor(there, at))) await call("settings", rules); // each agent has loaded its own
      there = now;
    },
    async fetch(around) {
      const { commit, bundle } = snapshotSchema.parse(await call("snapshot", null));
      const came = { commit, ...(bundle !== undefined && { bundle: Buffer.from(bundle, "base64") }) };
      if (commit !== same) await around(() => travel.takeHome(top, ref, came));
      same = commit;
    },
    async send() {
      const commit = await sendParts(call, await travel.packed(top, [same]));
      if (commit !== same) await call("follow", commit);
      same = commit;
    },
  };

  /** From the person's own tree, by the rules that hold there. */
  async function sendIgnored(): Promise<TreeThere["ignored"]> {
    const isClosed = () => closedIn(world, join(root, relative(top, cwd)), settings.by.flags)();
    const { pack, ...said } = await travel.ignored(root, { isClosed, mostBytes: mostIgnoredBytes });
    if (pack) {
      await sendBytes(call, pack);
      await call("bring", null);
    }
    return said;
  }

  /** No placeholder that earlier hands have given for this session may get another meaning. */
  async function lastPlaceholder(): Promise<number> {
    const seconds = Math.floor((await edges.clock()).now().getTime() / 1000);
    return (seconds % (placeholdersOfPlaces - 10 * placeholdersOfHands)) + Math.min(generation, 9) * placeholdersOfHands;
  }
}

/** Returns the commit. */
async function sendParts(call: Call, { commit, bundle }: Travelling): Promise<string> {
  if (bundle) await sendBytes(call, bundle);
  return commit;
}

async function sendBytes(call: Call, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length; from += partBytes)
    await call("part", { data: bytes.subarray(from, from + partBytes).toString("base64") });
}

const partBytes = 8 * 1024 * 1024;

/** More than one agent's hands ever give. */
const placeholdersOfHands = 100_000;

/** What decisions need, and nothing else: no command of the person's, no address, no variable. */
function settingsFor({ root, toolignore, effective, trust }: LoadedSettings, at: { top: string; cwd: string }): unknown {
  const { rules, mode, managedMode, sandbox, secrets, agents } = effective;
  const ofRoot = (folder: string | undefined) => (folder === at.top ? root : folder);
  const moved = (list: typeof rules.allow) => list.map((rule) => ({ ...rule, folder: ofRoot(rule.folder) }));
  return {
    root,
    ...(toolignore && { toolignore: { ...toolignore, folder: root } }),
    trust,
    files: [],
    servers: noServers,
    effective: {
      rules: { allow: moved(rules.allow), ask: moved(rules.ask), deny: moved(rules.deny) },
      ...(mode && { mode }),
      ...(managedMode && { managedMode }),
      sandbox,
      secrets,
      agents,
      directories: [],
      env: {},
      keepEnvironment: [],
      hooks: [],
      displays: {},
      places: {},
      held: [],
    },
    by: { places: { cwd: at.cwd, home: "/", configDir: "/", managed: [] }, flags: {} },
  };
}
