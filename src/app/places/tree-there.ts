// A working tree of home's and its copy at a place: what is sent when work begins there, and how either of them becomes like the other.
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { z } from "zod";
import { noServers } from "../../mcp/choose-servers.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { World } from "../world.ts";
import type { HandsAtPlace } from "./at-place.ts";
import { placeholdersOfPlaces } from "./place-workspace.ts";

/** `root`: of the person's tree; `top`: of the working tree at home, with `cwd` in it; `name`: of this work; `ref`: what keeps its snapshots. */
export type WorkAt = { root: string; top: string; cwd: string; name: string; ref: string };

export type TreeThere = {
  /** The operating system there. */
  platform: string;
  /** The working directory there. */
  cwd: string;
  sendSettings(settings: LoadedSettings): Promise<void>;
  /** Home's tree becomes like the one there, by `around` if that changes something. */
  fetch(around: (arrive: () => Promise<void>) => Promise<void>): Promise<void>;
  /** The one there becomes like home's. */
  send(): Promise<void>;
};

const openedSchema = z.object({ platform: z.string().max(40), cwd: z.string().max(1_000) });
const knownSchema = z.array(z.string().max(64)).max(100);
const snapshotSchema = z.object({ commit: z.string().max(64), bundle: z.base64().optional() });

/** `generation`: how many hands have worked for this agent before. */
type Opening = { call: HandsAtPlace["call"]; settings: LoadedSettings; limits: Limits; generation: number };

/** What a definition leaves its agent, which holds at the place too. */
export type Limits = { tools?: readonly string[]; disallowedTools: readonly string[] } | undefined;

/** Sends the code, in parts, and the rules; both are there when this resolves. */
export async function openTree({ edges }: World, at: WorkAt, { call, settings, limits, generation }: Opening): Promise<TreeThere> {
  const { root, top, cwd, name, ref } = at;
  const travel = await edges.travel();
  const key = createHash("sha256").update(root).digest("hex").slice(0, 16); // the path itself is home's business
  let same = await pack(knownSchema.parse(await call("known", key)));
  const order = {
    session: `${key}-${name}`,
    key,
    commit: same,
    within: relative(top, cwd),
    settings: settingsFor(settings, at),
    limits,
    lastPlaceholder: await lastPlaceholder(),
  };
  const opened = openedSchema.parse(await call("open", order));
  let there = settings;
  return {
    ...opened,
    async sendSettings(now) {
      if (now !== there) await call("settings", settingsFor(now, at));
      there = now;
    },
    async fetch(around) {
      const { commit, bundle } = snapshotSchema.parse(await call("snapshot", null));
      const came = { commit, ...(bundle !== undefined && { bundle: Buffer.from(bundle, "base64") }) };
      if (commit !== same) await around(() => travel.takeHome(top, ref, came));
      same = commit;
    },
    async send() {
      const commit = await pack([same]);
      if (commit !== same) await call("follow", commit);
      same = commit;
    },
  };

  /** Sends what the other side lacks of the tree as it is now. */
  async function pack(has: string[]): Promise<string> {
    const { commit, bundle } = await travel.packed(top, has);
    for (let from = 0; bundle && from < bundle.length; from += partBytes)
      await call("part", { data: bundle.subarray(from, from + partBytes).toString("base64") });
    return commit;
  }

  /** No placeholder that earlier hands have given for this session may get another meaning. */
  async function lastPlaceholder(): Promise<number> {
    const seconds = Math.floor((await edges.clock()).now().getTime() / 1000);
    return (seconds % (placeholdersOfPlaces - 10 * placeholdersOfHands)) + Math.min(generation, 9) * placeholdersOfHands;
  }
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
