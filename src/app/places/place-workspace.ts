// The workspace of an agent whose hands are at a place: its files, its commands and the decisions about them are there; everything else, such as
// the web, questions and the settings, is that of the workspace at home.
import { z } from "zod";
import type { Input } from "../../agent/events.ts";
import type { Permission, ToolCall } from "../../agent/ports/permit.ts";
import type { Workspace } from "../../agent/workspace.ts";
import { type CommandRecord, commandSchema } from "../../background/command.ts";
import { commandEnds } from "../../background/ends.ts";
import type { Granted } from "../../permissions/grants.ts";
import type { Ask } from "../../permissions/permit.ts";
import { fits, questionSchema } from "../../permissions/questions/question.ts";
import type { HandsCalls, Listeners } from "../../places/call-hands.ts";
import { placeholdersIn } from "../../secrets/redaction/placeholder-book.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { AnyTool, ToolResult } from "../../tools/tool.ts";
import { errorText } from "../../wording/error-text.ts";

/** Up to this number placeholders of secrets are a place's, which alone can restore them; those of home have higher ones. */
export const placeholdersOfPlaces = 100_000_000;

/** The tools whose work is done there. */
const handTools = new Set(["Read", "Write", "Edit", "Glob", "Grep", "Bash", "BashOutput", "KillBash"]);

const line = z.string().max(2_000);
const paths = z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.number() }));
/** A result is text of another machine: it is read, and obeyed by nobody. */
const resultSchema = z.object({
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
});
const permissionSchema = z.object({
  permission: z.union([
    z.object({ allowed: z.literal(true) }),
    z.object({
      allowed: z.literal(false),
      reason: z.string(),
      missing: z.array(z.string()).optional(),
      why: z.string().optional(),
      obstacle: resultSchema.shape.result.optional(),
    }),
  ]),
  granted: z.array(z.object({ rule: z.string(), kind: z.enum(["session", "team", "always"]), since: z.string().optional() })),
});
const sandboxSchema = z.union([
  z.object({ kind: z.enum(["active", "off"]) }),
  z.object({ kind: z.enum(["missing", "lost", "refused"]), why: z.string() }),
]);

export type PlaceLink = Pick<HandsCalls, "call"> & {
  sendSettings(settings: LoadedSettings): Promise<unknown>;
  /** Brings home what has changed there. */
  bringHome(): Promise<void>;
  /** Ends the hands. `isHome`: nothing there is needed any more. */
  close(isHome: boolean): Promise<void>;
};

/** What the place tells between its results, and who is asked. */
export type PlaceDesk = Listeners & { state: PlaceState };
type PlaceState = {
  ask: Ask | undefined;
  onNotice: (text: string) => void;
  commands: readonly CommandRecord[];
  onCommands: (() => void)[];
  granted: Granted[];
  /** What came from there, with notices. */
  results: WeakMap<ToolResult, string[]>;
};

export function placeDesk(): PlaceDesk {
  const state: PlaceState = { ask: undefined, onNotice: () => {}, commands: [], onCommands: [], granted: [], results: new WeakMap() };
  return {
    state,
    async ask(raw, signal) {
      const question = questionSchema.safeParse(raw).data;
      if (!question || !state.ask) return undefined;
      // "always" would be written to a settings file there.
      const { file: _, ...asked } = question.kind === "permission" ? question : { ...question, file: undefined };
      const answer = await state.ask(asked as typeof question, signal);
      return answer && fits(asked as typeof question, answer) ? answer : undefined;
    },
    notice: (text) => state.onNotice(text),
    commands(raw) {
      const told = new Set(state.commands.flatMap(({ id, told }) => (told ? [id] : [])));
      state.commands = raw.flatMap((one) => commandSchema.safeParse(one).data ?? []).map((one) => ({ ...one, told: told.has(one.id) }));
      for (const listener of state.onCommands) listener();
    },
  };
}

export function placeWorkspace(
  home: Workspace,
  link: PlaceLink,
  { state }: PlaceDesk,
  place: { name: string; platform: string },
): { work: Workspace; bringHome(): Promise<void> } {
  const changes = changesThere(link, state, place);
  state.onCommands.push(changes.note);
  let there = home.settings();
  const tell = (member: string, args: unknown) => void link.call(member, args).catch(() => {}); // a lost link is said by the calls
  const work: Workspace = {
    ...home,
    platform: place.platform,
    tools: home.tools.map((tool) =>
      handTools.has(tool.name) ? atPlace(tool, { link, results: state.results, onChange: () => tool.readOnly || changes.note() }) : tool,
    ),
    filter: filterAt(home, state),
    permit(ask, onNotice) {
      const athome = home.permit(ask, onNotice);
      state.ask = ask;
      state.onNotice = onNotice ?? state.onNotice;
      return async (call, signal) => {
        if (!handTools.has(call.tool)) return athome(call, signal);
        await home.refresh(signal);
        return settled(call, signal).catch(lost);
      };
    },
    environmentInput: async (): Promise<Input> => {
      const text = z.string().parse(await link.call("environment", null));
      return { source: { kind: "environment" }, text: `${text}\n${whereText(place.name)}`, shown: "" };
    },
    paths: async () => z.array(z.string()).parse(await link.call("paths", null)),
    sandbox: async () => sandboxSchema.parse(await link.call("sandbox", null)),
    granted: () => [...home.granted(), ...state.granted],
    revoke(rule) {
      const had = state.granted.some((one) => one.rule === rule);
      if (had) tell("revoke", rule);
      state.granted = state.granted.filter((one) => one.rule !== rule);
      return home.revoke(rule) || had;
    },
    narrow(skill, tools) {
      home.narrow(skill, tools);
      tell("narrow", { skill, tools });
    },
    widen() {
      home.widen();
      tell("widen", null);
      void changes.bringHome();
    },
    kept: undefined,
    commands: commandsAt(home, state, { tell, kill: (id) => link.call("kill", id) }),
    async endAll() {
      await changes.bringHome();
      await link.close(!changes.isPending());
      await home.endAll();
    },
  };
  /** Rejects if it is not at home. */
  const bringHome = async () => {
    await changes.bringHome();
    if (changes.isPending()) throw new Error(`What changed at ${place.name} is not home`);
  };
  return { work, bringHome };

  /** The place decides by the settings of now, which home has asked about where they give more. */
  async function settled(call: ToolCall, signal: AbortSignal): Promise<Permission> {
    const now = home.settings();
    if (now !== there) await link.sendSettings(now);
    there = now;
    return permission(call, signal);
  }

  async function permission({ id, tool, input, hook }: ToolCall, signal: AbortSignal): Promise<Permission> {
    const said = await link.call("permit", { id, tool, input, mode: home.mode(), ...(hook && { hook }) }, { signal });
    const { permission: decided, granted } = permissionSchema.parse(said);
    state.granted = granted as Granted[];
    return decided as Permission;
  }
}

/** What has changed there is brought home once after each turn, and again after a failure. */
function changesThere(link: PlaceLink, state: PlaceState, place: { name: string }) {
  let bringing: Promise<void> = Promise.resolve();
  let hasChanged = false;
  return {
    note: () => {
      hasChanged = true;
    },
    isPending: () => hasChanged,
    bringHome() {
      if (!hasChanged) return bringing;
      hasChanged = false;
      bringing = bringing.then(link.bringHome).catch((error: unknown) => {
        hasChanged = true;
        state.onNotice(`What changed at ${place.name} is not home yet: ${errorText(error)}`);
      });
      return bringing;
    },
  };
}

function filterAt({ filter }: Workspace, { results }: PlaceState): Workspace["filter"] {
  return {
    ...filter,
    /** Its secrets were replaced there, and what stands for them would look like secrets here. */
    result: async (result) => (results.has(result) ? { result, notices: results.get(result) ?? [] } : filter.result(result)),
    /** What stands for a secret of the place becomes it again there. */
    async call(call, signal) {
      if (!handTools.has(call.tool)) return filter.call(call, signal);
      const own = placeholdersIn(JSON.stringify(call.input)).filter((one) => Number(/\d+(?=\]$)/.exec(one)) > placeholdersOfPlaces);
      return own.length === 0 ? { ok: true, input: call.input } : { ok: false, reason: secretOfHome(own[0]!) };
    },
  };
}

/** What cannot be asked there is told to the model, which goes on. */
function lost(error: unknown): Permission {
  const text = errorText(error);
  return { allowed: false, reason: text, obstacle: { text, isError: true, summary: "not reached" } };
}

const secretOfHome = (placeholder: string) =>
  `Cannot use ${placeholder} at the place: it stands for a secret of the person's own machine, which stays there.`;

const whereText = (name: string) =>
  `Files and commands are at the place "${name}", another machine than the person's. Ignored files of the person's tree are not there.`;

function atPlace(
  tool: AnyTool,
  { link, results, onChange }: { link: PlaceLink; results: PlaceState["results"]; onChange: () => void },
): AnyTool {
  const { obstacle: _, replaces: __, ...rest } = tool; // seen there
  return {
    ...rest,
    async run(input, { signal, call, onOutput }): Promise<ToolResult> {
      onChange();
      const said = await link
        .call(
          "run",
          { tool: tool.name, input, mode: "", ...(call !== undefined && { id: call }) },
          { signal, ...(onOutput && { onOutput }) },
        )
        .finally(onChange); // what it changed after a snapshot in between
      const { result, notices } = resultSchema.parse(said);
      results.set(result as ToolResult, notices);
      return result as ToolResult;
    },
  };
}

function commandsAt(
  home: Workspace,
  state: PlaceState,
  { tell, kill }: { tell: (member: string, args: unknown) => void; kill: (id: string) => Promise<unknown> },
): Workspace["commands"] {
  const list = () => state.commands;
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
      list: () => [...list()],
      read: () => undefined,
      async kill(id) {
        await kill(id);
        return find(id);
      },
      toBackground() {
        tell("toBackground", null);
        return true;
      },
      ends: commandEnds(list, put),
      close: async () => {},
    },
  };
}
