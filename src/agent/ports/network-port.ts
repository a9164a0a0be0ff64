// The port for the network of commands in the sandbox; edge/network implements it.
import type { AddressKind } from "../../wording/address-kind.ts";

/** `reason`: for the program, and for the model. */
export type HostVerdict = { allowed: true } | { allowed: false; reason: string };

export type FoundAddress = { address: string; kind: AddressKind };

export type HostPlace = { host: string; port: number };
/** In bytes, headers included. `more`: since the last report of the same connection. */
export type Carried = { sent: number; received: number; more?: true };
export type Traffic = HostPlace & Carried;

export type NetworkRequest = {
  /** Called for each connection; `host` is lower-case ASCII, or an address. */
  decide(place: HostPlace): Promise<HostVerdict>;
  /**
   * Whether that host, which `decide` has allowed, may be reached at all the addresses to which it leads. A name is looked up only then, since the
   * look-up itself tells it to others.
   */
  decideAddresses(place: HostPlace, found: FoundAddress[]): Promise<HostVerdict>;
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
