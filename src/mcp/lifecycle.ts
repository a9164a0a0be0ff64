// The life of a server within a session, as a table: started when it is needed, started again once, and from then on named.

/** `restarts`: how often it was started again. `reason`: continues "the server …": what it did, or what is missing. */
export type ServerState =
  | { kind: "idle"; restarts: number; reason?: string }
  | { kind: "starting"; restarts: number }
  | { kind: "ready"; restarts: number }
  | { kind: "given up"; restarts: number; reason: string }
  | { kind: "ended"; restarts: number };

/** `refused`: it cannot work until the person does something, so that another start would change nothing. */
export type ServerEvent =
  | { kind: "start" }
  | { kind: "started" }
  | { kind: "lost"; reason: string }
  | { kind: "refused"; reason: string }
  | { kind: "end" };

const mostRestarts = 1;

type Move<Event> = (state: ServerState, event: Event) => ServerState;
type Moves = { [Kind in ServerEvent["kind"]]?: Move<Extract<ServerEvent, { kind: Kind }>> };

const lost: Moves["lost"] = ({ restarts }, { reason }) =>
  restarts < mostRestarts ? { kind: "idle", restarts: restarts + 1, reason } : { kind: "given up", restarts, reason };
const refused: Moves["refused"] = ({ restarts }, { reason }) => ({ kind: "given up", restarts, reason });
const end: Moves["end"] = ({ restarts }) => ({ kind: "ended", restarts });

/** What is not in the table changes nothing: a late message of a connection that is gone. */
const table: Record<ServerState["kind"], Moves> = {
  idle: { start: ({ restarts }) => ({ kind: "starting", restarts }), refused, end },
  starting: { started: ({ restarts }) => ({ kind: "ready", restarts }), lost, refused, end },
  ready: { lost, end },
  "given up": { end },
  ended: {},
};

export const idle: ServerState = { kind: "idle", restarts: 0 };

export function nextState(state: ServerState, event: ServerEvent): ServerState {
  const move = table[state.kind][event.kind] as Move<ServerEvent> | undefined;
  return move?.(state, event) ?? state;
}

/** In a few words, for a table. */
export function stateWords(state: ServerState): string {
  switch (state.kind) {
    case "idle":
      return state.reason === undefined ? "not started" : `stopped: ${state.reason}; starts again when it is called`;
    case "given up":
      return `not available: ${state.reason}`;
    case "starting":
    case "ready":
    case "ended":
      return state.kind;
  }
}
