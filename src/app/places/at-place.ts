// Hands at a place for one working tree at home: starts them, sends the code and the rules, and lays what they can do over the workspace at home.
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { z } from "zod";
import { noServers } from "../../mcp/choose-servers.ts";
import { callHands } from "../../places/call-hands.ts";
import { keepLink } from "../../places/keep-link.ts";
import type { Place } from "../../places/place.ts";
import { refusalText } from "../../places/refusals.ts";
import { startHands } from "../../places/start-hands.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { UsageError, type World } from "../world.ts";
import { type PlaceLink, placeDesk, placeholdersOfPlaces, placeWorkspace } from "./place-workspace.ts";

/** `root`: of the person's tree; `top`: of the working tree at home, with `cwd` in it; `name`: of this work; `ref`: what keeps its snapshots. */
export type WorkAt = { root: string; top: string; cwd: string; name: string; ref: string };

export type HandsAtPlace = {
  /** The world whose agent works there. */
  serve(world: World, at: WorkAt, settings: LoadedSettings): Promise<{ world: World; bringHome(): Promise<void> }>;
  leave(): Promise<void>;
};

const leaveMs = 10_000;

/** A queue may take its time; Ctrl-C leaves it. */
const startMs = 600_000;

/** `onGone`: the hands are gone, and what they were asked later is refused. Throws UsageError if they cannot be started. */
export async function handsAtPlace(world: World, place: Place, onGone: (why: string) => void = () => {}): Promise<HandsAtPlace> {
  const desk = placeDesk();
  const calls = callHands(desk);
  const ports = await world.edges.placePorts(world.env);
  const name = world.uniqueId();
  const started = await startHands(place, ports, { words: ["hands", "--link", name], limitMs: startMs, deliver: calls.deliver });
  if (!started.ok) throw new UsageError(refusalText(place, started.refusal).replace(/^C/, "c"));
  const { hands } = started;
  calls.connect(hands.channel);
  const tell = (text: string) => desk.state.onNotice(text);
  const listeners = {
    onCut(why: string) {
      calls.cut(true);
      tell(`The link to the place "${place.name}" is cut: ${why}. Trying to reach the same hands again; what runs there goes on.`);
    },
    onBack() {
      calls.cut(false);
      tell(`The link to the place "${place.name}" is there again; nothing is lost.`);
    },
    onGone(why: string) {
      calls.lose(lostTexts(place, why));
      onGone(why);
    },
  };
  const kept = keepLink({ place, ports, hands, name, goodbye: calls.goodbye, listeners });
  return {
    leave: kept.leave,
    async serve(where, at, settings) {
      const opened = await openAt(where, at, { call: calls.call, settings });
      const link = linkOf(where, at, { call: calls.call, close });
      const shown = { name: place.name, platform: opened.platform };
      let bringHome = async () => {};
      const work: World["edges"]["work"] = async (request) => {
        if (request.child) throw new UsageError(noAgents(place));
        const lastPlaceholder = Math.max(request.lastPlaceholder ?? 0, placeholdersOfPlaces);
        const there = placeWorkspace(await where.edges.work({ ...request, lastPlaceholder }), link, desk, shown);
        bringHome = there.bringHome;
        return there.work;
      };
      return { world: { ...where, edges: { ...where.edges, work } }, bringHome: () => bringHome() };
    },
  };

  async function close(isHome: boolean) {
    if (isHome) await Promise.race([calls.call("leave", null).catch(() => {}), ports.sleep(leaveMs)]); // gone is gone
    await kept.leave();
  }
}

const noAgents = ({ name }: Place) =>
  `an agent with its hands at the place "${name}" cannot start agents of its own yet. It does the work itself.`;

function lostTexts({ name }: Place, why: string): { open: string; later: string } {
  const gone = `The hands at the place "${name}" are gone: ${why}`;
  const rest = "Nothing more can be done there in this session; what had changed by the end of the last turn is at home";
  return {
    open: `${gone}. Whether this call was carried out is not known: its outcome is unknown. ${rest}`,
    later: `${gone}. This call was not carried out. ${rest}`,
  };
}

const openedSchema = z.object({ platform: z.string().max(40) });
const knownSchema = z.array(z.string().max(64)).max(100);
const snapshotSchema = z.object({ commit: z.string().max(64), bundle: z.base64().optional() });

/** Sends the code, in parts, and the rules; both are there when this resolves. */
async function openAt(
  { edges }: World,
  { root, top, cwd, name }: WorkAt,
  { call, settings }: { call: PlaceLink["call"]; settings: LoadedSettings },
): Promise<z.infer<typeof openedSchema>> {
  const travel = await edges.travel();
  const key = createHash("sha256").update(root).digest("hex").slice(0, 16); // the path itself is home's business
  const { commit, bundle } = await travel.packed(top, knownSchema.parse(await call("known", key)));
  for (let from = 0; bundle && from < bundle.length; from += partBytes)
    await call("part", { data: bundle.subarray(from, from + partBytes).toString("base64") });
  // No placeholder that earlier hands have given for this session may get another meaning.
  const lastPlaceholder = Math.floor((await edges.clock()).now().getTime() / 1000) % (placeholdersOfPlaces - 1_000_000);
  const order = {
    session: `${key}-${name}`,
    key,
    commit,
    within: relative(top, cwd),
    settings: settingsFor(settings, { top, cwd }),
    lastPlaceholder,
  };
  return openedSchema.parse(await call("open", order));
}

const partBytes = 8 * 1024 * 1024;

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

function linkOf({ edges }: World, { top, cwd, ref }: WorkAt, link: Pick<PlaceLink, "call" | "close">): PlaceLink {
  return {
    ...link,
    sendSettings: (settings) => link.call("settings", settingsFor(settings, { top, cwd })),
    async bringHome() {
      const { commit, bundle } = snapshotSchema.parse(await link.call("snapshot", null));
      if (bundle === undefined) return;
      const travel = await edges.travel();
      await travel.takeHome(top, ref, { commit, bundle: Buffer.from(bundle, "base64") });
    },
  };
}
