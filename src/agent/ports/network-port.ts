// The port for the network of commands in the sandbox; edge/network implements it.

/** `named`: a rule names exactly this host, so that it may be on this machine or in a private network. `reason`: for the program, and for the model. */
export type HostVerdict = { allowed: true; named?: boolean } | { allowed: false; reason: string };

export type HostPlace = { host: string; port: number };
/** In bytes, headers included. `more`: since the last report of the same connection. */
export type Carried = { sent: number; received: number; more?: true };
export type Traffic = HostPlace & Carried;

export type NetworkRequest = {
  /**
   * Called for each connection; `host` is lower-case ASCII, or an address. `leadsTo`: the address of this machine or of a private network to which an
   * allowed name that no rule names leads. It is looked up only then, since the look-up itself tells the name to others.
   */
  decide(place: HostPlace, leadsTo?: string): Promise<HostVerdict>;
  /** Whether a rule names exactly this host. */
  isNamed(host: string): boolean;
  /** When a connection opens, at least each second in which it carries bytes, and at its end. */
  onTraffic(traffic: Traffic): void;
  /** A connection that was allowed, and then used for something else. */
  onRefused(place: HostPlace, problem: string): void;
  /** One that was allowed, and did not come about. `reason` is a sentence without its full stop. */
  onFailed(place: HostPlace, reason: string): void;
};

/** How commands get into the network namespace of their session, and how programs in it find the proxy. */
export type CommandNetwork = {
  /** Goes before the sandbox's own arguments. */
  enter: string[];
  /** Of the proxy, on the loopback address. */
  port: number;
  env(): Record<string, string>;
  close(): void;
};
