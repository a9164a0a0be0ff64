// A process that is killed at a call: what it would have done from then on does not happen.
export type Alive = { calls: number; until: number };

/** After this many calls the process counts as killed: later calls have no effect. */
export function mortal<Ports extends object>(ports: Ports, alive: Alive): Ports {
  return new Proxy(ports, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (++alive.calls > alive.until) throw new Error("killed");
        return (value as (...all: unknown[]) => unknown)(...given);
      };
    },
  });
}
