// What commands of a session sent over the network and received: one line for each connection, beside what was sent to the provider.
import { jsonLines } from "./session/json-lines.ts";

/** `owner`: the session and the agent whose command it was. In bytes. */
export type TrafficEntry = { at: string; host: string; port: number; sent: number; received: number; owner: string };

/** By host, the one with the most bytes first. */
export type HostTraffic = Pick<TrafficEntry, "host" | "sent" | "received"> & { connections: number };

/** `session`: the session's folder. */
export const trafficFile = (session: string) => `${session}/network.jsonl`;

/** What went to places and came from there, as if each were a host. */
export const placesFile = (session: string) => `${session}/places.jsonl`;

export const readTraffic = (text: string): TrafficEntry[] => jsonLines<TrafficEntry>(text);

export function byHost(entries: readonly TrafficEntry[]): HostTraffic[] {
  const hosts = new Map<string, HostTraffic>();
  for (const { host, sent, received } of entries) {
    const found = hosts.get(host) ?? { host, sent: 0, received: 0, connections: 0 };
    hosts.set(host, { host, sent: found.sent + sent, received: found.received + received, connections: found.connections + 1 });
  }
  return [...hosts.values()].toSorted((one, other) => other.sent + other.received - one.sent - one.received);
}

/** `index.crates.io: 1,204 bytes sent, 88,000 received` */
export const trafficText = ({ host, sent, received }: HostTraffic) =>
  `${host}: ${sent.toLocaleString("en")} bytes sent, ${received.toLocaleString("en")} received`;
