// What hands can be asked at a place: a workspace on real files there, opened once, with the rules that home sends.
import { join } from "node:path";
import { z } from "zod";
import type { WorkspaceRequest } from "../../agent/workspace/workspace-request.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { Ask } from "../../permissions/permit.ts";
import { permissionModes } from "../../permissions/policy.ts";
import { answerSchema } from "../../permissions/questions/question.ts";
import type { HandsLink, Members } from "../../places/serve-hands.ts";
import { isDead, keyOf } from "../../places/works.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { settingsInWorktree } from "../../settings/worktree-settings.ts";
import type { World } from "../world.ts";
import { type AgentThere, agentMembers } from "./agent-members.ts";

const name = z.string().regex(/^[\w-]{1,60}$/);
const arriveSchema = z.object({ session: name, key: name, commit: z.string(), within: z.string() });
const openSchema = z.object({
  settings: z.unknown(),
  limits: z.object({ tools: z.array(z.string()).optional(), disallowedTools: z.array(z.string()) }).optional(),
  lastPlaceholder: z.int(),
});
const partSchema = z.object({ data: z.base64() });
const boundsSchema = z.object({
  agent: z.string(),
  tools: z.array(z.string()).optional(),
  disallowedTools: z.array(z.string()),
  mode: z.enum(permissionModes).optional(),
  files: z.array(z.string()).optional(),
});
const agentSchema = z.object({
  id: name,
  above: z.union([name, z.literal("")]),
  limits: boundsSchema.extend({ above: z.array(boundsSchema) }),
});
const ofSchema = z.object({ id: name, member: z.string(), args: z.unknown() });

/** A working tree there; `sent`: the commit that both sides have. */
type Arrived = { session: string; top: string; cwd: string; sent: string; stopMarking: () => void; remove: () => Promise<void> };

type Opened = {
  takeSettings(sent: LoadedSettings): Promise<void>;
  main: AgentThere;
  /** Those below it, by their ids. */
  agents: Map<string, AgentThere & { members: Members }>;
  begin(order: z.infer<typeof agentSchema>): Promise<void>;
  end(id: string): Promise<void>;
  tree: Arrived;
  endAll(): Promise<void>;
};

export function workspaceMembers(world: World, folder: string, link: HandsLink): { members: Members; close(): Promise<void> } {
  // Home does not wait for one answer before the next call: what needs the workspace waits here until it is open.
  const { tree, ...code } = codeMembers(world, folder);
  let opening: Promise<Opened> | undefined;
  const at = async () => opening ?? fail("the workspace is not open");
  const ended = () => ifThere(opening ? opening.then(({ endAll }) => endAll()) : tree().then(({ stopMarking }) => stopMarking()));
  const members: Members = {
    ...code.members,
    async open(args) {
      const order = openSchema.parse(args);
      opening = tree().then((arrived) => open(world, { folder, link, tree: arrived, ...order }));
      const { main, tree: its } = await opening;
      void removeDead(world, folder).catch(() => undefined); // the next one tries again, and `tool place gc` says why
      return { platform: main.work.platform, cwd: its.cwd };
    },
    ...agentMembers(
      async () => (await at()).main,
      async () => (await at()).main.work,
    ),
    ...membersBelow(at),
    async settings(args) {
      await (await at()).takeSettings(args as LoadedSettings);
    },
    /** Everything is at home: nothing stays. */
    async leave() {
      const { remove } = await tree();
      await ended();
      await remove();
    },
    async gc() {
      const { works, alive } = await removeDead(world, folder);
      const programs = alive > 0 ? 0 : (await world.edges.works(folder)).removeOtherPrograms(world.packageDir);
      return { works, programs, alive };
    },
  };
  return { members, close: ended };
}

/** For the agents that share these hands. */
function membersBelow(at: () => Promise<Opened>): Members {
  return {
    /** Opens the workspace of an agent below the one for which the hands were started, or below another one that has been opened. */
    async agent(args) {
      await (await at()).begin(agentSchema.parse(args));
    },
    /** One of the members of such an agent. */
    async of(args, context) {
      const { id, member, args: own } = ofSchema.parse(args);
      const { agents, end } = await at();
      if (member === "end") return end(id);
      const { members } = agents.get(id) ?? fail(`the agent ${id} is not there`);
      const act = Object.hasOwn(members, member) ? members[member] : undefined;
      return (act ?? fail(`there is no ${member}`))(own, context);
    },
  };
}

/** The code and what it travels in. */
function codeMembers(world: World, folder: string): { members: Members; tree(): Promise<Arrived> } {
  let parts: Buffer[] = [];
  const takeParts = () => {
    const bundle = parts.length > 0 ? Buffer.concat(parts) : undefined;
    parts = [];
    return bundle && { bundle };
  };
  let arriving: Promise<Arrived> | undefined;
  const tree = async () => arriving ?? fail("no working tree has arrived");
  const members: Members = {
    async known(key) {
      const travel = await world.edges.travel();
      const known = travel.known(folder, name.parse(key));
      void known.then(world.edges.loadWork).catch(() => {}); // what comes next needs it, and says why it is not there
      return known;
    },
    async part(args) {
      parts.push(Buffer.from(partSchema.parse(args).data, "base64"));
    },
    async arrive(args) {
      arriving = arrive(world, { folder, ...arriveSchema.parse(args), ...takeParts() });
      await arriving;
    },
    /** Ignored files, which came in parts. */
    async bring() {
      const came = takeParts();
      const { top } = await tree();
      const travel = await world.edges.travel();
      if (came) await travel.bring(top, came.bundle);
    },
    async follow(args) {
      const came = { commit: z.string().parse(args), ...takeParts() };
      const now = await tree();
      const travel = await world.edges.travel();
      await travel.follow(now.top, { ...came, from: now.sent });
      now.sent = came.commit;
    },
    async snapshot() {
      const now = await tree();
      const travel = await world.edges.travel();
      const { commit, bundle } = await travel.packed(now.top, [now.sent]);
      now.sent = commit;
      return { commit, ...(bundle && { bundle: bundle.toString("base64") }) };
    },
  };
  return { members, tree };
}

const deadSchema = name.regex(/^[0-9a-f]{16}-/);

/** Work of hands that are dead, however they died. Resolves with what was removed. */
async function removeDead(world: World, folder: string): Promise<{ works: number; alive: number }> {
  const [works, travel] = await Promise.all([world.edges.works(folder), world.edges.travel()]);
  const found = works.look();
  const dead = found.filter((one) => isDead(one) && deadSchema.safeParse(one.name).success);
  for (const one of dead) await travel.leave(folder, { key: keyOf(one.name), name: one.name });
  return { works: dead.length, alive: found.length - dead.length };
}

function fail(reason: string): never {
  throw new Error(reason);
}

/** What could not be opened needs no end. */
const ifThere = (ending: Promise<void>): Promise<void> => ending.catch(() => {});

type ArriveOrder = z.infer<typeof arriveSchema> & { folder: string; bundle?: Buffer };

async function arrive(world: World, { folder, session, key, within, ...came }: ArriveOrder): Promise<Arrived> {
  const travel = await world.edges.travel();
  const top = join(folder, "work", session, "tree");
  const stopMarking = (await world.edges.works(folder)).begin(session);
  const cwd = await travel.arrive(folder, { key, name: session, top, within, ...came });
  const remove = () => travel.leave(folder, { key, name: session });
  return { session, top, cwd, sent: came.commit, stopMarking, remove };
}

type OpenOrder = z.infer<typeof openSchema> & { folder: string; link: HandsLink; tree: Arrived };

async function open(world: World, { folder, link, tree, settings, limits, lastPlaceholder }: OpenOrder): Promise<Opened> {
  const { session, top, cwd, stopMarking } = tree;
  const outputs = join(folder, "work", session, "outputs");
  const moved = (loaded: LoadedSettings) => settingsInWorktree(loaded, { top, cwd });
  let sent = moved(settings as LoadedSettings);
  /** What an agent gets begins with the settings of now, and changes with them. */
  const requestOf = async (id: string): Promise<WorkspaceRequest> => {
    let seen = sent;
    return {
      cwd,
      configDir: world.configDir,
      env: world.env,
      owner: `${session}:hands${id === "" ? "" : `/${id}`}`,
      readOnly: false,
      repositoryFixed: true,
      sandboxFound: undefined,
      settings: sent,
      sentSettings() {
        if (seen === sent) return { kind: "same" };
        seen = sent;
        return { kind: "changed", settings: sent, waits: false, settled: true };
      },
      outputs: await world.edges.outputs(id === "" ? outputs : join(outputs, id)),
      lastPlaceholder,
    };
  };
  const [main, { monotonicMs }] = await Promise.all([
    requestOf("").then((request) => world.edges.work({ ...request, ...(limits && { definition: limits }) })),
    world.edges.clock(),
  ]);
  main.commands.all.listen(() => link.say({ kind: "commands", commands: [...main.commands.all.list()] }));
  const agents: Opened["agents"] = new Map();
  let ended: Promise<void> | undefined;
  const endEach = async () => {
    for (const { work } of agents.values()) await work.endAll();
    await main.endAll();
  };
  return {
    main: { work: main, permit: permitOf(main, link.ask, link), monotonicMs },
    agents,
    async begin({ id, above, limits: bounds }) {
      const parent = above === "" ? main : (agents.get(above)?.work ?? fail(`the agent ${above} is not there`));
      const work = await world.edges.work({ ...(await requestOf(id)), child: { ...bounds, parent: parent.shared } });
      const ask: HandsLink["ask"] = (question, signal) => link.ask({ agent: id, question }, signal);
      const there = { work, permit: permitOf(work, ask, link), monotonicMs };
      const members = agentMembers(
        async () => there,
        async () => main,
      );
      agents.set(id, { ...there, members });
    },
    async end(id) {
      await agents.get(id)?.work.endAll();
      agents.delete(id);
    },
    async takeSettings(loaded) {
      sent = moved(loaded);
      for (const { work } of [{ work: main }, ...agents.values()]) await work.refresh();
    },
    tree,
    endAll: () => (ended ??= endEach().finally(stopMarking)),
  };
}

/** Where nobody is there at home, nobody is asked: a refusal then names the rule that would have allowed it. */
function permitOf(work: Workspace, askHome: HandsLink["ask"], link: Pick<HandsLink, "say">): AgentThere["permit"] {
  const ask: Ask = async (question, signal) => answerSchema.safeParse(await askHome(question, signal)).data;
  const made = (asked: boolean) => work.permit(asked ? ask : undefined, (text) => link.say({ kind: "notice", text: text.slice(0, 2_000) }));
  let now = { asked: true, permit: made(true) };
  return (asked) => {
    if (asked !== now.asked) now = { asked, permit: made(asked) };
    return now.permit;
  };
}
