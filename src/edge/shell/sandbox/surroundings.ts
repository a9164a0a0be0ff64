// What is around the tree of a command: secrets, sockets, and places of its own.
import type { SandboxInputs, SandboxView } from "../../../agent/ports/mounts.ts";
import type { SandboxRequest } from "../../../agent/ports/sandbox-port.ts";
import { gitFolders } from "../../git/places.ts";
import { elsewhere } from "./mounted-twice.ts";
import { existing } from "./new-entries.ts";
import { coveredFolders, unixSockets } from "./unix-sockets.ts";

type Place = {
  options: SandboxRequest;
  writable: string[];
  temporary: string;
  opened: string[];
  hidden: SandboxInputs["secrets"];
  links: string[];
  /** What stands for a file of the home that is hidden. */
  blank: (path: string) => string;
};

/**
 * The current surroundings of a command; `opened` are files that it may read in addition to the shared ones. `hidden`: beside the exceptions,
 * some of which are what a link leads to, and the secret places that are there now.
 */
export function surroundings(
  all: SandboxInputs["exceptions"],
  { options, writable, temporary, opened, hidden: further, links, blank }: Place,
): SandboxInputs {
  const isInside = (path: string) => writable.some((folder) => path.startsWith(`${folder}/`));
  const exceptions = all.filter(({ path }) => isInside(path));
  const linked = all.filter(({ path }) => !isInside(path));
  const shared = [...options.shared, ...opened].flatMap((path) => existing(path).map((entry) => entry.path));
  const places = options.secretPlaces
    .flatMap(existing)
    .map((place) => (place.kind === "file" ? { ...place, decoy: blank(place.path) } : place));
  const now = [...places, ...linked.map(({ path, kind }) => ({ path, kind }))];
  const secrets = [...new Map([...further, ...now].map((place) => [place.path, place])).values()];
  const sockets = unixSockets({ named: options.sockets.named, opened: shared });
  const covered = [...exceptions, ...secrets].flatMap((place) =>
    "visibility" in place && place.visibility !== "hidden" ? [] : place.path,
  );
  const reachable = sockets.filter((path) => !covered.some((place) => path === place || path.startsWith(`${place}/`)));
  const hidden = [...exceptions.filter(({ visibility }) => visibility === "hidden"), ...secrets];
  const twice = elsewhere([...hidden, ...reachable.map((path) => ({ path, kind: "file" as const }))]);
  return {
    writable,
    exceptions: [...exceptions, ...reachable.filter(isInside).map((path) => ({ path, kind: "file", visibility: "hidden" }) as const)],
    secrets: [...secrets, ...twice, ...reachable.filter((path) => !isInside(path)).map((path) => ({ path, kind: "file" }) as const)],
    // git in a worktree reads the repository's own folder, which may be in a private place
    shared: [...shared, ...(options.repository === "whole" ? [] : gitFolders(options.cwd).filter((path) => !writable.includes(path)))],
    scratch: scratchPlaces(temporary),
    links,
  };
}

/** What commands call the folder that the mode gives them. */
export function tmpdirIn({ mounts }: SandboxView, otherwise: string): string {
  if (process.platform === "linux") return "/tmp";
  return mounts.flatMap((mount) => (mount.kind === "scratch" ? (mount.from ?? []) : []))[0] ?? otherwise;
}

function scratchPlaces(temporary: string): SandboxInputs["scratch"] {
  const places = coveredFolders.flatMap(existing).map(({ path }) => path);
  return [...new Set(places)].map((path) => (path === "/tmp" ? { path, from: temporary } : { path }));
}
