// What hands can be asked at a place: a workspace on real files there, opened once, with the rules that home sends.
import { join } from "node:path";
import { z } from "zod";
import type { Permit } from "../../agent/ports/permit.ts";
import { toolCall } from "../../agent/tool-calls.ts";
import type { WorkspaceRequest } from "../../agent/workspace/workspace-request.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { Ask } from "../../permissions/permit.ts";
import { answerSchema } from "../../permissions/questions/question.ts";
import type { CallContext, HandsLink, Members } from "../../places/serve-hands.ts";
import { isDead, keyOf } from "../../places/works.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { settingsInWorktree } from "../../settings/worktree-settings.ts";
import type { AnyTool, ToolResult } from "../../tools/tool.ts";
import type { World } from "../world.ts";
import { decisions } from "./early-runs.ts";

const name = z.string().regex(/^[\w-]{1,60}$/);
const arriveSchema = z.object({ session: name, key: name, commit: z.string(), within: z.string() });
const openSchema = z.object({
  settings: z.unknown(),
  limits: z.object({ tools: z.array(z.string()).optional(), disallowedTools: z.array(z.string()) }).optional(),
  lastPlaceholder: z.int(),
});
const callSchema = z.object({
  id: z.string().optional(),
  tool: z.string(),
  input: z.unknown(),
  mode: z.string(),
  asked: z.boolean().default(true),
  hook: z.unknown().optional(),
  /** The decision, and the result if it allows the call as it is, are asked for at once. */
  early: z.boolean().default(false),
});
const partSchema = z.object({ data: z.base64() });

/** A working tree there; `sent`: the commit that both sides have. */
type Arrived = { session: string; top: string; cwd: string; sent: string; stopMarking: () => void; remove: () => Promise<void> };

type Opened = {
  takeSettings: (sent: LoadedSettings) => void;
  work: Workspace;
  /** `asked`: whether somebody can be asked at home. */
  permit(asked: boolean): Permit;
  tree: Arrived;
  end: () => Promise<void>;
};

export function workspaceMembers(world: World, folder: string, link: HandsLink): { members: Members; close(): Promise<void> } {
  // Home does not wait for one answer before the next call: what needs the workspace waits here until it is open.
  const { tree, ...code } = codeMembers(world, folder);
  let opening: Promise<Opened> | undefined;
  const early = decisions();
  const at = async () => opening ?? fail("the workspace is not open");
  const ended = () => ifThere(opening ? opening.then(({ end }) => end()) : tree().then(({ stopMarking }) => stopMarking()));
  const members: Members = {
    ...code.members,
    async open(args) {
      const order = openSchema.parse(args);
      opening = tree().then((arrived) => open(world, { folder, link, tree: arrived, ...order }));
      const { work, tree: its } = await opening;
      void removeDead(world, folder).catch(() => undefined); // the next one tries again, and `tool place gc` says why
      return { platform: work.platform, cwd: its.cwd };
    },
    async permit(args, { signal }) {
      const call = callSchema.parse(args);
      const { id = "", tool, input } = call;
      const decided = at().then((opened) => decide(opened, call, signal));
      if (call.early)
        early.note(
          { id, tool, input },
          decided.then(({ permission }) => permission.allowed && permission.input === undefined),
        );
      return decided;
    },
    async run(args, context) {
      const { tool, input, id, ...call } = callSchema.parse(args);
      if (call.early && !(await early.allows({ id: id ?? "", tool, input }))) fail("this call was not allowed");
      const { work } = await at();
      return run(work, toolNamed(work, tool), { input, id, context });
    },
    async settings(args) {
      const { work, takeSettings } = await at();
      takeSettings(args as LoadedSettings);
      await work.refresh();
    },
    async environment() {
      const { work } = await at();
      work.prepare();
      return (await work.environmentInput()).text;
    },
    paths: async () => (await at()).work.paths(),
    sandbox: async () => (await at()).work.sandbox(),
    revoke: async (rule) => (await at()).work.revoke(z.string().parse(rule)),
    kill: async (id) => void (await (await at()).work.commands.own.kill(z.string().parse(id))),
    stop: async (id) => (await at()).work.commands.all.stop(z.string().parse(id)),
    toBackground: async () => (await at()).work.commands.own.toBackground(),
    async narrow(args) {
      const { skill, tools } = z.object({ skill: z.string(), tools: z.array(z.string()) }).parse(args);
      (await at()).work.narrow(skill, tools);
    },
    widen: async () => (await at()).work.widen(),
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

const toolNamed = ({ tools }: Workspace, wanted: string): AnyTool =>
  tools.find(({ name }) => name === wanted) ?? fail(`there is no tool "${wanted}" there`);

type ArriveOrder = z.infer<typeof arriveSchema> & { folder: string; bundle?: Buffer };

async function arrive(world: World, { folder, session, key, within, ...came }: ArriveOrder): Promise<Arrived> {
  const travel = await world.edges.travel();
  const top = join(folder, "work", session, "tree");
  const stopMarking = (await world.edges.works(folder)).begin(session);
  await travel.arrive(folder, { key, name: session, top, ...came });
  const remove = () => travel.leave(folder, { key, name: session });
  return { session, top, cwd: join(top, within), sent: came.commit, stopMarking, remove };
}

type OpenOrder = z.infer<typeof openSchema> & { folder: string; link: HandsLink; tree: Arrived };

async function open(world: World, { folder, link, tree, settings, limits, lastPlaceholder }: OpenOrder): Promise<Opened> {
  const { session, top, cwd, stopMarking } = tree;
  const outputs = await world.edges.outputs(join(folder, "work", session, "outputs"));
  let sent: LoadedSettings | undefined;
  const moved = (loaded: LoadedSettings) => settingsInWorktree(loaded, { top, cwd });
  const request: WorkspaceRequest = {
    cwd,
    configDir: world.configDir,
    env: world.env,
    owner: `${session}:hands`,
    readOnly: false,
    repositoryFixed: true,
    sandboxFound: undefined,
    settings: moved(settings as LoadedSettings),
    sentSettings() {
      const now = sent;
      sent = undefined;
      return now ? { kind: "changed", settings: now, waits: false, settled: true } : { kind: "same" };
    },
    outputs,
    lastPlaceholder,
    ...(limits && { definition: limits }),
  };
  const work = await world.edges.work(request);
  work.commands.all.listen(() => link.say({ kind: "commands", commands: [...work.commands.all.list()] }));
  const permit = permitOf(work, link);
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= work.endAll().finally(stopMarking));
  const takeSettings = (loaded: LoadedSettings) => {
    sent = moved(loaded);
  };
  return { takeSettings, work, permit, tree, end };
}

async function decide({ work, permit }: Opened, { tool, input, mode, asked, ...call }: z.infer<typeof callSchema>, signal: AbortSignal) {
  if (work.mode() !== mode) work.changeMode(mode);
  const hook = call.hook as NonNullable<Parameters<Permit>[0]["hook"]> | undefined;
  const permission = await permit(asked)({ ...toolCall(toolNamed(work, tool), call.id ?? "", input), ...(hook && { hook }) }, signal);
  return { permission, granted: work.granted() };
}

/** Where nobody is there at home, nobody is asked: a refusal then names the rule that would have allowed it. */
function permitOf(work: Workspace, link: HandsLink): (asked: boolean) => Permit {
  const ask: Ask = async (question, signal) => answerSchema.safeParse(await link.ask(question, signal)).data;
  const made = (asked: boolean) => work.permit(asked ? ask : undefined, (text) => link.say({ kind: "notice", text: text.slice(0, 2_000) }));
  let now = { asked: true, permit: made(true) };
  return (asked) => {
    if (asked !== now.asked) now = { asked, permit: made(asked) };
    return now.permit;
  };
}

type Running = { input: unknown; id: string | undefined; context: CallContext };

/** As the loop runs a call: placeholders of the same file become its secrets again, and no secret leaves in the result. */
async function run(
  { filter }: Workspace,
  tool: AnyTool,
  { input, id, context }: Running,
): Promise<{ result: ToolResult; notices: string[] }> {
  const screened = await filter.call({ tool: tool.name, input }, context.signal);
  if (!screened.ok) return { result: { text: screened.reason, isError: true, summary: "refused" }, notices: [] };
  return filter.result(await tool.run(screened.input, { ...context, ...(id !== undefined && { call: id }) }));
}
