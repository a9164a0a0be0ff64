// Which servers a working directory has: entries of all places, by name. Rules and grants are written for a name, so a repository's server never
// takes the place of one that the person or the administrator has named.
import { secretsInClear } from "./clear-secrets.ts";
import { type ReadServer, readServer, type Server } from "./server.ts";

/** Strongest first: this order is the answer when several places have a server of the same name. */
const serverPlaces = ["managed", "command line", "user", "claude", "local", "project"] as const;
export type ServerPlace = (typeof serverPlaces)[number];

/** One file's servers. `line`: where in the file a value is, counted from 1. */
export type GivenServers = {
  place: ServerPlace;
  file: string;
  servers: Readonly<Record<string, unknown>>;
  line(path: readonly PropertyKey[]): number;
  /** They stand in no file: an editor gives them to a session. */
  unwritten?: true;
};

export type ConfiguredServer = {
  name: string;
  server: Server;
  place: ServerPlace;
  file: string;
  line: number;
  /** Other entries of this name, which it hides. */
  hides: { place: ServerPlace; file: string; line: number }[];
};

/** `waiting`: a repository's, until it is trusted. `off`: their entries say so. `problems`: one sentence for each entry or value, with file and line. */
export type ConfiguredServers = {
  servers: ConfiguredServer[];
  waiting: ConfiguredServer[];
  off: ConfiguredServer[];
  problems: string[];
  warnings: string[];
};

export const noServers: ConfiguredServers = { servers: [], waiting: [], off: [], problems: [], warnings: [] };

/** Files in the order of their places, and within a place as given. */
export function chooseServers(given: readonly GivenServers[], { trusted }: { trusted: boolean }): ConfiguredServers {
  const found: ConfiguredServers = { servers: [], waiting: [], off: [], problems: [], warnings: [] };
  const named = new Map<string, ConfiguredServer>();
  for (const { place, file, servers, line, unwritten } of given.toSorted((a, b) => rank(a) - rank(b))) {
    for (const [name, value] of Object.entries(servers)) {
      const at = (path: readonly PropertyKey[] = []) => `${file}:${line(["mcpServers", name, ...path])}`;
      const read = readServer(name, value);
      if (!read.ok) {
        for (const { path, reason } of read.faults)
          found.problems.push(`Cannot use the server ${JSON.stringify(name)} of ${at(path)}: ${reason}.`);
        continue;
      }
      const { server } = read;
      if (!unwritten) found.warnings.push(...warningsOf({ name, read, at }));
      const first = named.get(name);
      const here = { place, file, line: line(["mcpServers", name]) };
      if (first) {
        first.hides.push(here);
        continue;
      }
      const one: ConfiguredServer = { name, server, ...here, hides: [] };
      named.set(name, one);
      if (read.off) found.off.push(one);
      else if (isRepositorys(place) && !trusted) found.waiting.push(one);
      else found.servers.push(one);
    }
  }
  return found;
}

const rank = ({ place }: GivenServers) => serverPlaces.indexOf(place);

export const isRepositorys = (place: ServerPlace) => place === "local" || place === "project";

type Read = { name: string; read: Extract<ReadServer, { ok: true }>; at: (path?: readonly PropertyKey[]) => string };

function warningsOf({ name, read: { server, ignored }, at }: Read): string[] {
  const clear = secretsInClear(server).map(
    (path) =>
      `${at(path)}: the server ${JSON.stringify(name)} has what looks like a secret in clear, in ${path.join(".")}. Write \${NAME} there, and set that variable.`,
  );
  const without = ignored.map((key) => `${at([key])}: ${JSON.stringify(key)} of the server ${JSON.stringify(name)} has no effect here.`);
  return [...clear, ...without];
}
