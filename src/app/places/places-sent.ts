// Records in the session's folder what went to places, for `tool privacy`: beside what was sent to the provider.
import { dirname } from "node:path";
import { placesFile, type TrafficEntry } from "../../agent/traffic.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";

type Ports = { disk: Pick<BoardDisk, "append" | "makeFolder">; now: () => Date };

/** The returned function adds what went since it was called last. `owner`: the session and the agent. */
export function recordSent({ disk, now }: Ports, { session, owner }: { session: string; owner: string }): (facts: HandsFacts) => void {
  const file = placesFile(session);
  let last = { sent: 0, received: 0 };
  return ({ place, sent_bytes: sent, received_bytes: received }) => {
    if (sent === last.sent && received === last.received) return;
    const entry = { host: place, port: 0, sent: sent - last.sent, received: received - last.received, owner, at: now().toISOString() };
    last = { sent, received };
    try {
      disk.makeFolder(dirname(file));
      disk.append(file, `${JSON.stringify(entry satisfies TrafficEntry)}\n`);
    } catch {
      // a full disk is said by the session itself
    }
  };
}
