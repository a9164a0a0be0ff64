// The agents that an agent at a place starts: they work with its hands, in its tree there, each within its own limits, as they would at home.

import type { Bounds } from "../../agent/child-policy.ts";
import type { Shared, WorkspaceRequest } from "../../agent/workspace/workspace-request.ts";
import type { Workspace } from "../../agent/workspace.ts";
import { UsageError } from "../world.ts";
import type { HandsAtPlace } from "./at-place.ts";
import { type AgentState, agentState, type PlaceDesk } from "./place-desk.ts";
import type { PlaceLink } from "./place-workspace.ts";

/** The hands of now; others are another object. */
type Hands = { hands: Pick<HandsAtPlace, "call"> };

type Setup<Open extends Hands> = {
  desk: Pick<PlaceDesk, "state">;
  works: { open(): Promise<Open>; now(): Open | undefined };
  /** What the wait for hands of a call comes to. */
  reached: <T>(work: Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
};

export type AgentThere = { state: AgentState } & Pick<PlaceLink, "call" | "callIfThere" | "environment" | "owner">;

export type AgentsThere = {
  /** Of the agent for which the hands were started. */
  begin(home: Pick<Workspace, "shared">, cwd: string): void;
  /** Resolves when its workspace is open there. Throws UsageError for one that cannot work there. */
  open(home: Pick<Workspace, "shared">, request: WorkspaceRequest): Promise<AgentThere>;
};

type EnterNow<Open> = (open: Open) => Promise<void>;

export function agentsThere<Open extends Hands>({ desk, works, reached }: Setup<Open>): AgentsThere {
  /** Every agent has its own; what is known of each is found by it. */
  const known = new WeakMap<Shared, { id: string; enter: EnterNow<Open> }>();
  let folder: string | undefined;
  return {
    begin({ shared }, cwd) {
      known.set(shared, { id: "", enter: async () => {} });
      folder = cwd;
    },
    async open({ shared }, { owner, child, cwd }) {
      const above = child && known.get(child.parent);
      if (!child || !above) throw new UsageError("the agent that starts it has no hands at this place any more.");
      if (cwd !== folder) throw new UsageError(isolatedText);
      const id = owner.slice(owner.lastIndexOf("/") + 1);
      const state = agentState();
      desk.state.agents.set(id, state);
      const order = { id, above: above.id, limits: { ...boundsFor(child), above: (child.above ?? []).map(boundsFor) } };
      const enter = onceFor(async (open: Open) => {
        await above.enter(open);
        await open.hands.call("agent", order);
        if (state.narrowed) await open.hands.call("of", { id, member: "narrow", args: state.narrowed });
      });
      known.set(shared, { id, enter: enter.into });
      const entered = async () => {
        const open = await works.open();
        await enter.into(open);
        return open;
      };
      await entered();
      const call: PlaceLink["call"] = async (member, args, options = {}) => {
        const { hands } = await reached(entered(), options.signal);
        return hands.call("of", { id, member, args }, options);
      };
      return {
        state,
        owner: `:hands/${id}`,
        call,
        environment: () => call("environment", null),
        async callIfThere(member, args) {
          const open = works.now();
          if (!open || !enter.isIn(open)) return undefined;
          return open.hands.call("of", { id, member, args }).catch((error: unknown) => {
            if (works.now() === open) throw error;
          });
        },
      };
    },
  };
}

const isolatedText =
  'an agent with its hands at a place starts agents that work there with it, and none with a tree of its own. Leave "isolation" out.';

const boundsFor = ({ agent, tools, disallowedTools, mode, files }: Bounds): Bounds => ({
  agent,
  disallowedTools: [...disallowedTools],
  ...(tools && { tools: [...tools] }),
  ...(mode && { mode }),
  ...(files && { files: [...files] }),
});

/** Does it once for each hands, and again where it failed. */
function onceFor<Open>(act: EnterNow<Open>): { into: EnterNow<Open>; isIn(open: Open): boolean } {
  let last: { open: Open; done: Promise<void> } | undefined;
  return {
    into(open) {
      if (last?.open === open) return last.done;
      const mine = { open, done: act(open) };
      last = mine;
      mine.done.catch(() => {
        if (last === mine) last = undefined;
      });
      return mine.done;
    },
    isIn: (open) => last?.open === open,
  };
}
