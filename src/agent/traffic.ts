// What commands of a session and WebFetch sent over the network and received, beside what was sent to the provider: a line when a connection
// opens, and further ones for what it carries.
import type { Traffic } from "./ports/network-port.ts";
import { jsonLines } from "./session/json-lines.ts";

/** `owner`: the session and the agent whose command it was. `tool`: what made the connection, if no command did. */
export type TrafficEntry = { at: string; owner: string; tool?: "WebFetch" } & Traffic;

/** By host, the one with the most bytes first. */
export type HostTraffic = Pick<TrafficEntry, "host" | "sent" | "received" | "tool"> & { connections: number };

/** `session`: the session's folder. */
export const trafficFile = (session: string) => `${session}/network.jsonl`;

/** What went to places and came from there, as if each were a host. */
export const placesFile = (session: string) => `${session}/places.jsonl`;

export const readTraffic = (text: string): TrafficEntry[] => jsonLines<TrafficEntry>(text);

export function byHost(entries: readonly (Traffic & Pick<TrafficEntry, "tool">)[]): HostTraffic[] {
  const hosts = new Map<string, HostTraffic>();
  for (const { host, tool, sent, received, more } of entries) {
    const key = `${tool ?? ""} ${host}`;
    const found = hosts.get(key) ?? { host, sent: 0, received: 0, connections: 0, ...(tool && { tool }) };
    const connections = found.connections + (more ? 0 : 1);
    hosts.set(key, { ...found, sent: found.sent + sent, received: found.received + received, connections });
  }
  return [...hosts.values()].toSorted((one, other) => other.sent + other.received - one.sent - one.received);
}

/** `index.crates.io: 1,204 bytes sent, 88,000 received` */
export const trafficText = ({ host, sent, received }: HostTraffic) =>
  `${host}: ${sent.toLocaleString("en")} bytes sent, ${received.toLocaleString("en")} received`;
