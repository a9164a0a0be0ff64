// The servers of one session: each is started when it is first needed, its list is compared with the one that the session began with, and a server that
// is lost is started once more. Everything waits for one server only, and never longer than its limits.
import type { AskDesk } from "../tools/ask-user.ts";
import { errorText } from "../wording/error-text.ts";
import { type Catalog, catalogOf, type RawCatalog } from "./catalog.ts";
import type { ConfiguredServer, ServerPlace } from "./choose-servers.ts";
import { answerForm } from "./elicitation.ts";
import { expanded } from "./expand.ts";
import { idle, nextState, type ServerEvent, type ServerState } from "./lifecycle.ts";
import { faultIn, type Link, type LinkOrder, linkFault, type OpenLink } from "./link.ts";
import type { Lists } from "./lists.ts";
import { changedNote } from "./prompt.ts";

export type ConnectionsOrder = Pick<LinkOrder, "cwd" | "owner" | "env" | "configDir" | "startMs" | "callMs"> & {
  configured: readonly ConfiguredServer[];
  open: OpenLink;
  lists: Lists;
  /** What `${VAR}` in an entry of that place may be. */
  variables(place: ServerPlace): Readonly<Record<string, string | undefined>>;
};

export type Connection = {
  configured: ConfiguredServer;
  state(): ServerState;
  /** What it offered when the session began; undefined if it was never asked. */
  began: Catalog | undefined;
  /** The newest list that is known. */
  latest(): Catalog | undefined;
  /** The list, from the server if it is not known. Rejects with a LinkFault. */
  list(signal: AbortSignal): Promise<Catalog>;
  /** Rejects with a LinkFault. `desk`: where the server's questions go while `work` runs. */
  use<T>(work: (link: Link, catalog: Catalog) => Promise<T>, by: { signal: AbortSignal; desk?: AskDesk | undefined }): Promise<T>;
};

export type Connections = {
  all: readonly Connection[];
  /** Returns a function that stops listening. Receives texts for the model. */
  listen(listener: (note: string) => void): () => void;
  /** Nothing that was started is left when this resolves. */
  close(): Promise<void>;
};

export function openConnections(order: ConnectionsOrder): Connections {
  const listeners = new Set<(note: string) => void>();
  const closing = new AbortController();
  const tell = (note: string) => {
    for (const listener of listeners) listener(note);
  };
  const made = order.configured.map((configured) => connection(configured, { order, tell, closing: closing.signal }));
  return {
    all: made.map(({ close: _close, ...one }) => one),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      closing.abort();
      await Promise.all(made.map((one) => one.close()));
    },
  };
}

type Part = { order: ConnectionsOrder; tell: (note: string) => void; closing: AbortSignal };
type Open = { link: Link; catalog: Catalog };

function connection(configured: ConfiguredServer, { order, tell, closing }: Part): Connection & { close(): Promise<void> } {
  const { name, server } = configured;
  const began = order.lists.read(name, server);
  let latest = began;
  let state: ServerState = idle;
  let opening: Promise<Open> | undefined;
  let desk: AskDesk | undefined;
  let starts = 0;
  const move = (event: ServerEvent) => {
    state = nextState(state, event);
  };
  const adopt = (raw: RawCatalog): Catalog => {
    const catalog = catalogOf(name, raw);
    const note = noteOf(name, latest, catalog);
    latest = catalog;
    order.lists.keep(name, server, catalog);
    if (note !== undefined) tell(note);
    return catalog;
  };
  const relist = oneAfterAnother(async () => {
    const open = await opening?.catch(() => undefined);
    const raw = await open?.link.catalog(closing).catch(() => undefined); // a list that cannot be read changes nothing
    if (open && raw) open.catalog = adopt(raw);
  });
  const events: LinkOrder["events"] = {
    onChanged: () => void relist(),
    onLost(reason) {
      opening = undefined;
      move({ kind: "lost", reason });
    },
    onForm: (form, signal) => answerForm(form, { server: name, desk }, signal),
  };
  const start = async (): Promise<Open> => {
    const filled = expanded(server, order.variables(configured.place));
    if (!filled.ok) throw linkFault("refused", `cannot be started: ${filled.reason}`);
    move({ kind: "start" });
    const owner = `${order.owner}/mcp-${name}-${++starts}`;
    const link = await order.open({ ...order, name, server: filled.server, owner, events }, closing);
    try {
      const catalog = adopt(await link.catalog(closing));
      move({ kind: "started" });
      return { link, catalog };
    } catch (error) {
      await link.close();
      throw error;
    }
  };
  /** All callers wait for the same start. */
  const opened = (): Promise<Open> => {
    if (state.kind === "given up") return Promise.reject(linkFault("refused", `is not available: ${state.reason}`));
    if (state.kind === "ended") return Promise.reject(linkFault("aborted", "has ended with the session"));
    opening ??= start().catch((error: unknown) => {
      opening = undefined;
      if (!closing.aborted) move({ kind: ["login", "refused"].includes(faultIn(error)) ? "refused" : "lost", reason: errorText(error) });
      throw error;
    });
    return opening;
  };
  return {
    configured,
    began,
    state: () => state,
    latest: () => latest,
    list: async (signal) => latest ?? (await unlessAborted(opened(), signal)).catalog,
    async use(work, by) {
      const open = await unlessAborted(opened(), by.signal);
      desk = by.desk;
      return work(open.link, open.catalog);
    },
    async close() {
      const open = await opening?.catch(() => undefined);
      move({ kind: "end" });
      await open?.link.close();
    },
  };
}

/** What is asked for while it is done is done once more afterwards, however often it is asked for. */
function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let isWanted = false;
  let isDoing = false;
  let times = 0;
  return async () => {
    isWanted = true;
    if (isDoing) return;
    isDoing = true;
    for (; isWanted && times < mostRelists; times++) {
      isWanted = false;
      await work();
    }
    isDoing = false;
  };
}

/** A server that says more often that its list has changed is not asked again in this session. */
const mostRelists = 100;

function noteOf(name: string, before: Catalog | undefined, now: Catalog): string | undefined {
  if (!before) return undefined;
  const [had, has] = [before, now].map(({ tools }) => tools.map((tool) => tool.name)) as [string[], string[]];
  const change = { added: has.filter((one) => !had.includes(one)), gone: had.filter((one) => !has.includes(one)) };
  return change.added.length + change.gone.length > 0 ? changedNote(name, change) : undefined;
}

/** Stops waiting; what is waited for goes on, because others may wait for it too. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(linkFault("aborted", "was not waited for: the call was interrupted"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
