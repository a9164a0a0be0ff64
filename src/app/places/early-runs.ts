// Calls that only look are carried out as soon as the place allows them: home asks for the decision and the result at once, and the decision
// stays the place's. A call that changes something waits until home knows the decision too: between the two, home may be suspended or stopped,
// and what was not begun then is called again.

type Call = { id: string; tool: string; input: unknown };

export type EarlyRuns = {
  /** Whether this call may be begun like that. */
  isOne(call: Call): boolean;
  begin(call: Call, said: Promise<unknown>, signal: AbortSignal): void;
  /** It was not allowed. */
  drop(id: string): void;
  /** What the place says, if this very call was begun there. */
  take(id: string | undefined, input: unknown): Promise<unknown> | undefined;
};

/** They change nothing, not even what the place remembers of them. */
const looking = new Set(["Read", "Glob", "Grep"]);

export function earlyRuns(): EarlyRuns {
  const begun = new Map<string, { input: string; said: Promise<unknown> }>();
  const drop = (id: string) => void begun.delete(id);
  return {
    isOne: ({ id, tool }) => id !== "" && looking.has(tool),
    begin({ id, input }, said, signal) {
      said.catch(() => {}); // whoever takes it hears of it
      begun.set(id, { input: JSON.stringify(input), said });
      signal.addEventListener("abort", () => drop(id), { once: true });
    },
    drop,
    take(id = "", input) {
      const one = begun.get(id);
      drop(id);
      return one?.input === JSON.stringify(input) ? one?.said : undefined;
    },
  };
}

export type Decisions = {
  /** At the place: another message asks for the result of this call if it is allowed as it is. */
  note(call: Call, allowed: Promise<boolean>): void;
  /** Whether just this call was allowed. Once for each. */
  allows(call: Call): Promise<boolean>;
};

export function decisions(): Decisions {
  const noted = new Map<string, { call: string; allowed: Promise<boolean> }>();
  return {
    note(call, allowed) {
      allowed.catch(() => {}); // home is told by the call that asks for the decision
      noted.set(call.id, { call: JSON.stringify(call), allowed });
    },
    async allows(call) {
      const one = noted.get(call.id);
      noted.delete(call.id);
      return one?.call === JSON.stringify(call) && (await one.allowed);
    },
  };
}
