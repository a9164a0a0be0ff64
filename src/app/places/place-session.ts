// `tool --place NAME`: a session whose hands are at a place. At home it works in a worktree beside the person's tree, which gets what the hands
// have changed at the end of each turn, so that `tool changes` and `tool take` know it.
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
import { type SessionFlags, settingsFlags } from "../agent-flags.ts";
import { inWorktree } from "../session/worktree-session.ts";
import { openSettings } from "../settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { placeNamed } from "./place-named.ts";
import { type PlaceLink, placeDesk, placeholdersOfPlaces, placeWorkspace } from "./place-workspace.ts";

type Run = (world: World) => Promise<ExitCode>;

const leaveMs = 10_000;

/** A queue may take its time; Ctrl-C leaves it. */
const startMs = 600_000;

export async function inPlace(world: World, flags: SessionFlags, run: Run): Promise<ExitCode> {
  const found = placeNamed((await openSettings(world, settingsFlags(flags))).effective.places, flags.place ?? "");
  if (!found.ok) throw new UsageError(found.reason);
  const { place } = found;
  const desk = placeDesk();
  const calls = callHands(desk);
  const ports = await world.edges.placePorts(world.env);
  world.stderr.write(`Starting hands at the place "${place.name}": ${place.command.join(" ")}\n`);
  const name = world.uniqueId();
  const started = await startHands(place, ports, { words: ["hands", "--link", name], limitMs: startMs, deliver: calls.deliver });
  if (!started.ok) throw new UsageError(refusalText(place, started.refusal).replace(/^C/, "c"));
  const { hands } = started;
  calls.connect(hands.channel);
  const tell = (text: string) => desk.state.onNotice(text);
  const kept = keepLink({
    place,
    ports,
    hands,
    name,
    goodbye: calls.goodbye,
    listeners: {
      onCut(why) {
        calls.cut(true);
        tell(`The link to the place "${place.name}" is cut: ${why}. Trying to reach the same hands again; what runs there goes on.`);
      },
      onBack() {
        calls.cut(false);
        tell(`The link to the place "${place.name}" is there again; nothing is lost.`);
      },
      onGone: (why) => calls.lose(lostTexts(place, why)),
    },
  });
  try {
    return await inWorktree(world, { ...flags, worktree: flags.worktree ?? true }, async (where) => {
      const settings = await openSettings(where, settingsFlags(flags));
      const opened = await openAt(where, { place, call: calls.call, settings });
      const link = linkOf(where, { call: calls.call, close: leaving });
      return run({ ...where, edges: { ...where.edges, work: workAt } });

      async function leaving(isHome: boolean) {
        if (isHome) await Promise.race([calls.call("leave", null).catch(() => {}), ports.sleep(leaveMs)]); // gone is gone
        await kept.leave();
      }

      async function workAt(request: Parameters<World["edges"]["work"]>[0]) {
        if (request.child) throw new UsageError(noAgents(place));
        const lastPlaceholder = Math.max(request.lastPlaceholder ?? 0, placeholdersOfPlaces);
        return placeWorkspace(await where.edges.work({ ...request, lastPlaceholder }), link, desk, {
          name: place.name,
          platform: opened.platform,
        });
      }
    });
  } finally {
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

type Opening = { place: Place; call: PlaceLink["call"]; settings: LoadedSettings };

/** Sends the code, in parts, and the rules; both are there when this resolves. */
async function openAt({ edges, cwd, copyOf }: World, { call, settings }: Opening): Promise<z.infer<typeof openedSchema>> {
  const travel = await edges.travel();
  const { root = cwd, name = "" } = copyOf ?? {};
  const key = createHash("sha256").update(root).digest("hex").slice(0, 16); // the path itself is home's business
  const top = topOf(cwd, copyOf);
  const { commit, bundle } = await travel.packed(top, knownSchema.parse(await call("known", key)));
  for (let from = 0; bundle && from < bundle.length; from += partBytes)
    await call("part", { data: bundle.subarray(from, from + partBytes).toString("base64") });
  const at = { top, cwd };
  // No placeholder that earlier hands have given for this session may get another meaning.
  const lastPlaceholder = Math.floor((await edges.clock()).now().getTime() / 1000) % (placeholdersOfPlaces - 1_000_000);
  const order = {
    session: `${key}-${name}`,
    key,
    commit,
    within: relative(top, cwd),
    settings: settingsFor(settings, at),
    lastPlaceholder,
  };
  return openedSchema.parse(await call("open", order));
}

const partBytes = 8 * 1024 * 1024;

/** The root of the worktree: as far above the working directory as the person's folder is below their root. */
function topOf(cwd: string, copyOf: World["copyOf"]): string {
  const within = copyOf ? relative(copyOf.root, copyOf.from) : "";
  return within === "" ? cwd : cwd.slice(0, -within.length - 1);
}

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

function linkOf({ edges, cwd, copyOf }: World, link: Pick<PlaceLink, "call" | "close">): PlaceLink {
  return {
    ...link,
    sendSettings: (settings) => link.call("settings", settingsFor(settings, { top: topOf(cwd, copyOf), cwd })),
    async bringHome() {
      const { commit, bundle } = snapshotSchema.parse(await link.call("snapshot", null));
      if (bundle === undefined) return;
      const travel = await edges.travel();
      await travel.takeHome(topOf(cwd, copyOf), copyOf?.name ?? "work", { commit, bundle: Buffer.from(bundle, "base64") });
    },
  };
}
