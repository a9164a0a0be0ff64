// The workspace of an agent whose hands are at a place: its files, its commands and the decisions about them are there; everything else, such as
// the web, questions and the settings, is that of the workspace at home.
import { isAbsolute, relative, resolve } from "node:path";
import { z } from "zod";
import type { Input } from "../../agent/events.ts";
import type { Permission, ToolCall } from "../../agent/ports/permit.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { CommandRecord } from "../../background/command.ts";
import { commandEnds } from "../../background/ends.ts";
import type { Granted } from "../../permissions/grants.ts";
import { within } from "../../permissions/paths/places.ts";
import type { PermissionMode } from "../../permissions/policy.ts";
import { type HandsCalls, LostCall } from "../../places/call-hands.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";
import { placeholdersIn } from "../../secrets/redaction/placeholder-book.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { notReached, refused, unknownOutcome } from "../../tools/answer.ts";
import type { AnyTool, ToolResult } from "../../tools/tool.ts";
import { errorText } from "../../wording/error-text.ts";
import type { ChangesThere } from "./changes-there.ts";
import { type AgentState, hear, type PlaceDesk, type PlaceState } from "./place-desk.ts";

/** Up to this number placeholders of secrets are a place's, which alone can restore them; those of home have higher ones. */
export const placeholdersOfPlaces = 100_000_000;

/** The tools whose work is done there. */
const handTools = new Set(["Read", "Write", "Edit", "Glob", "Grep", "Bash", "BashOutput", "KillBash"]);

/**
 * They change nothing, not even what the place remembers of them: they are carried out as soon as the place allows them, and the result comes with the
 * decision. What changes something waits until home knows the decision too: between the two, home may be suspended or stopped, and what was not begun
 * then is called again.
 */
const looking = new Set(["Read", "Glob", "Grep"]);

const line = z.string().max(2_000);
const paths = z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.number() }));
/** A result is text of another machine: it is read, and obeyed by nobody. */
const resultSchema = z.lazy(() =>
  z.object({
    result: z.object({
      text: z.string(),
      isError: z.boolean(),
      summary: z.string(),
      touched: z.array(z.string()).optional(),
      detail: z.string().optional(),
      sources: paths.optional(),
      wrote: paths.optional(),
      media: z
        .array(
          z.object({
            type: z.enum(["image", "document"]),
            source: z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
          }),
        )
        .optional(),
      denied: z
        .array(z.object({ tool: z.string(), subject: z.string(), reason: z.string(), rules: z.array(z.string()).optional() }))
        .optional(),
      askedMs: z.number().optional(),
    }),
    notices: z.array(line).max(20),
  }),
);
const permissionSchema = z.lazy(() =>
  z.object({
    permission: z.union([
      z.object({ allowed: z.literal(true) }),
      z.object({
        allowed: z.literal(false),
        reason: z.string(),
        missing: z.array(z.string()).optional(),
        why: z.string().optional(),
        obstacle: resultSchema.unwrap().shape.result.optional(),
      }),
    ]),
    granted: z.array(z.object({ rule: z.string(), kind: z.enum(["session", "team", "always"]), since: z.string().optional() })),
    ran: resultSchema
      .unwrap()
      .extend({ ms: z.number().min(0) })
      .optional(),
  }),
);
const sandboxSchema = z.lazy(() =>
  z.union([z.object({ kind: z.enum(["active", "off"]) }), z.object({ kind: z.enum(["missing", "lost", "refused"]), why: z.string() })]),
);

/** The way to the hands of now; where there are none, `call` starts new ones. */
export type PlaceLink = Pick<HandsCalls, "call"> & {
  /** Whose hands they are: the marker of its commands there ends like this. */
  owner: string;
  /** Of the agent for which they were started, as those of the agents below it follow. */
  mode(): PermissionMode;
  /** Undefined where there are no hands, or they go before they answer. */
  callIfThere(member: string, args: unknown): Promise<unknown>;
  /** The place decides by these from its next call on. */
  sendSettings(settings: LoadedSettings, signal: AbortSignal): Promise<void>;
  environment(): Promise<unknown>;
  changes: ChangesThere;
  /** The working directory there; undefined without hands. */
  cwd(): string | undefined;
  /** The ignored files of the person's tree that are there. */
  ignored(): string[];
  home: { top: string; cwd: string };
  facts(): HandsFacts | undefined;
  platform(): string | undefined;
  leave(): Promise<void>;
};

/** `agent`: the state of an agent that another one with these hands has started. */
export function placeWorkspace(home: Workspace, link: PlaceLink, { state }: PlaceDesk, agent: AgentState = state): Workspace {
  const { changes } = link;
  state.onCommands.push(changes.note);
  const tell = (member: string, args: unknown) => void link.callIfThere(member, args).catch(() => {}); // a lost link is said by the calls
  return {
    ...home,
    get platform() {
      return link.platform() ?? home.platform;
    },
    tools: home.tools.map((tool) =>
      handTools.has(tool.name) ? atPlace(tool, { link, state, agent, onChange: () => tool.readOnly || changes.note() }) : tool,
    ),
    filter: filterAt(home, agent),
    permit(ask, onNotice) {
      const athome = home.permit(ask, onNotice);
      agent.ask = ask;
      if (onNotice && agent === state) hear(state, onNotice);
      return async (call, signal) => {
        if (!handTools.has(call.tool)) return athome(call, signal);
        await home.refresh(signal);
        return settled({ home, link, agent }, call, signal).catch(lost);
      };
    },
    environmentInput: async (): Promise<Input> => {
      const text = environmentThere(placeOf(link), { said: await link.environment(), ignored: link.ignored() });
      return { source: { kind: "environment" }, text, shown: "" };
    },
    onServerNote(listener) {
      state.onNote.push(listener);
      const stop = home.onServerNote(listener);
      return () => {
        state.onNote = state.onNote.filter((one) => one !== listener);
        stop();
      };
    },
    /** While the model thinks, what it has changed comes home: the death of hands loses one turn at most. */
    prepare: () => void changes.bringHome(),
    paths: async () => z.array(z.string()).parse((await link.callIfThere("paths", null)) ?? []),
    sandbox: async () =>
      sandboxSchema.parse((await link.callIfThere("sandbox", null)) ?? { kind: "lost", why: `there are no hands at ${placeOf(link)} now` }),
    granted: () => [...home.granted(), ...agent.granted],
    revoke(rule) {
      const had = agent.granted.some((one) => one.rule === rule);
      if (had) tell("revoke", rule);
      agent.granted = agent.granted.filter((one) => one.rule !== rule);
      return home.revoke(rule) || had;
    },
    narrow(skill, tools) {
      home.narrow(skill, tools);
      agent.narrowed = { skill, tools };
      tell("narrow", agent.narrowed);
    },
    widen() {
      home.widen();
      agent.narrowed = undefined;
      tell("widen", null);
      void changes.bringHome();
    },
    kept: home.kept && { ...home.kept, around: changes.whileSame },
    hands: link.facts,
    handsCwd: link.cwd,
    commands: commandsAt(home, state, { tell, kill: (id) => link.callIfThere("kill", id), owner: link.owner }),
    async endAll() {
      await changes.bringHome();
      if (agent !== state) await link.callIfThere("end", null).catch(() => {}); // gone is gone
      await link.leave();
      await home.endAll();
    },
  };
}

type Deciding = { home: Workspace; link: PlaceLink; agent: AgentState };

/** The place decides by the settings of now, which home has asked about where they give more. */
async function settled(
  { home, link, agent }: Deciding,
  { id = "", tool, input, hook }: ToolCall,
  signal: AbortSignal,
): Promise<Permission> {
  await link.sendSettings(home.settings(), signal);
  const early = looking.has(tool) && secretOfHomeIn(input) === undefined;
  const order = { id, tool, input, mode: link.mode(), asked: agent.ask !== undefined, early, ...(hook && { hook }) };
  const { permission, granted, ran } = permissionSchema.parse(await link.call("permit", order, { signal }));
  agent.granted = granted as Granted[];
  if (!early || !permission.allowed || !ran) return permission as Permission;
  const { ms, ...said } = ran;
  agent.early.set(input as object, said); // what these tools take is an object
  return { ...permission, ranMs: ms };
}

function filterAt({ filter }: Workspace, { results }: AgentState): Workspace["filter"] {
  return {
    ...filter,
    /** Its secrets were replaced there, and what stands for them would look like secrets here. */
    result: async (result) => (results.has(result) ? { result, notices: results.get(result) ?? [] } : filter.result(result)),
    /** What stands for a secret of the place becomes it again there. */
    async call(call, signal) {
      if (!handTools.has(call.tool)) return filter.call(call, signal);
      const own = secretOfHomeIn(call.input);
      return own === undefined ? { ok: true, input: call.input } : { ok: false, reason: secretOfHome(own) };
    },
  };
}

const secretOfHomeIn = (input: unknown): string | undefined =>
  placeholdersIn(JSON.stringify(input)).find((one) => Number(/\d+(?=\]$)/.exec(one)) > placeholdersOfPlaces);

const placeOf = (link: PlaceLink) => link.facts()?.place ?? "";

/** What cannot be asked there is told to the model, which goes on. */
function lost(error: unknown): Permission {
  const text = errorText(error);
  return { allowed: false, reason: text, obstacle: { text, isError: true, summary: notReached } };
}

const secretOfHome = (placeholder: string) =>
  `Cannot use ${placeholder} at the place: it stands for a secret of the person's own machine, which stays there.`;

function environmentThere(place: string, { said, ignored }: { said: unknown; ignored: string[] }): string {
  const names = `${ignored.slice(0, mostNamed).join(", ")}${ignored.length > mostNamed ? ` and ${ignored.length - mostNamed} more` : ""}`;
  const there =
    ignored.length === 0
      ? "Ignored files of the person's tree are not there."
      : `Of the ignored files of the person's tree only these are there: ${names}.`;
  return `${z.string().parse(said)}\nFiles and commands are at the place "${place}", another machine than the person's. ${there}`;
}

const mostNamed = 20;

type Acting = { link: PlaceLink; state: PlaceState; agent: AgentState; onChange: () => void };

function atPlace(tool: AnyTool, { link, state, agent, onChange }: Acting): AnyTool {
  const { obstacle: _, replaces: __, ...rest } = tool; // seen there
  return {
    ...rest,
    async run(input, { signal, call, onOutput }): Promise<ToolResult> {
      // So that the death of hands costs one turn, however slowly what the ones before have changed gets home.
      if (!tool.readOnly) await untilStopped(link.changes.settled(), signal);
      onChange();
      if (tool.name === "Write" || tool.name === "Edit") noteTouched(input, { link, state });
      const order = { tool: tool.name, input, mode: "", ...(call !== undefined && { id: call }) };
      const run = () =>
        link
          .call("run", order, { signal, ...(onOutput && { onOutput }) })
          .catch(resultOfLost)
          .finally(onChange); // what it changed after a snapshot in between
      const said = agent.early.get(input) ?? (await run());
      agent.early.delete(input);
      const { result, notices } = resultSchema.parse(said);
      agent.results.set(result as ToolResult, notices);
      return result as ToolResult;
    },
  };
}

function resultOfLost(error: unknown): z.infer<typeof resultSchema> {
  if (!(error instanceof LostCall)) throw error;
  return { result: refused(error.message, error.carriedOut === "no" ? notReached : unknownOutcome), notices: [] };
}

/** Before it is changed, which a snapshot in between may bring home. */
function noteTouched(input: unknown, { link: { home, cwd }, state }: { link: PlaceLink; state: PlaceState }): void {
  const { path = "" } = z.object({ path: z.string() }).safeParse(input).data ?? {};
  const at = resolve(home.cwd, isAbsolute(path) ? relative(cwd() ?? "/", path) : path);
  if (within(home.top, at)) state.touched.add(at);
}

/** Whoever is stopped meanwhile goes on, and ends where it hears of that. */
async function untilStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await Promise.race([work, stopped]).finally(() => signal.removeEventListener("abort", stop));
}

function commandsAt(
  home: Workspace,
  state: PlaceState,
  { tell, kill, owner }: { tell: (member: string, args: unknown) => void; kill: (id: string) => Promise<unknown>; owner: string },
): Workspace["commands"] {
  const list = () => state.commands;
  const own = () => state.commands.filter(({ agent }) => agent.endsWith(owner));
  const find = (id: string) => list().find((one) => one.id === id);
  const put = (record: CommandRecord) => {
    state.commands = state.commands.map((one) => (one.id === record.id ? record : one));
  };
  return {
    all: {
      ...home.commands.all,
      list,
      find,
      lastLine: () => "",
      stop: (id) => tell("stop", id),
      listen: (listener) => void state.onCommands.push(listener),
    },
    own: {
      ...home.commands.own,
      list: own,
      read: () => undefined,
      async kill(id) {
        await kill(id);
        return find(id);
      },
      toBackground() {
        tell("toBackground", null);
        return true;
      },
      ends: commandEnds(own, put),
      close: async () => {},
    },
  };
}
