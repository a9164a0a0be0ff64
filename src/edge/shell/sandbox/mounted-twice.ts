// Other paths to the same files: where a folder is mounted at several places (a bind mount, as of homes on servers and of workspaces in
// containers), what is hidden at one would be read at another.
import { lstatSync, readFileSync } from "node:fs";
import { ifPossible } from "../../system-error.ts";
import { isBelow } from "./closed-folders.ts";

type Place = { path: string; kind: "file" | "folder" };
type Mount = { device: string; root: string; at: string };

/** Of places with real paths. Empty where the system does not list its mounts. */
export function elsewhere(places: readonly Place[]): Place[] {
  const mounts = currentMounts();
  const paths = new Set(places.map(({ path }) => path));
  return places.flatMap(({ path, kind }) => {
    const own = mounts.findLast(({ at }) => isIn(at, path));
    if (!own) return [];
    const inside = joined(own.root, rest(path, own.at));
    const others = mounts.filter(({ device, root, at }) => device === own.device && at !== own.at && isIn(root, inside));
    const aliases = others.map(({ root, at }) => joined(at, rest(inside, root)));
    return [...new Set(aliases)].filter((alias) => !paths.has(alias) && isSame(alias, path)).map((alias) => ({ path: alias, kind }));
  });
}

const rest = (path: string, folder: string) => (folder === "/" ? path : path.slice(folder.length));
const joined = (folder: string, below: string) => (folder === "/" ? below || "/" : `${folder}${below === "/" ? "" : below}`);
const isIn = (folder: string, path: string) => folder === "/" || path === folder || isBelow(path, [folder]);

/** Another mount may cover it by now. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => ifPossible(() => lstatSync(path, { throwIfNoEntry: false })));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** proc(5), mountinfo; inner ones after those around them. Of several at one path the last counts. */
function currentMounts(): Mount[] {
  const lines = (ifPossible(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "").split("\n").map((line) => line.split(" "));
  const plain = (text = "") => text.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  const last = new Map(
    lines.filter((fields) => fields.length > 4).map(([, , device = "", root, at]) => [plain(at), { device, root: plain(root) }]),
  );
  return [...last].map(([at, mount]) => ({ at, ...mount })).toSorted((a, b) => a.at.length - b.at.length);
}
