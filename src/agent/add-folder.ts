// `/add-dir`: which folder a person may open to a running session, beside its working directory.
import { join } from "node:path";
import { absolute } from "../permissions/paths/given-path.ts";
import { homeFolder, placeOf, within } from "../permissions/paths/places.ts";
import type { WorkspaceParts } from "./workspace/workspace-parts.ts";
import { searchPathOf } from "./workspace/workspace-request.ts";

type Parts = Pick<WorkspaceParts, "request" | "ports" | "store" | "permits">;

/** From the next call and the next command on. Returns the real path; throws why it cannot be opened. */
export async function addFolder(given: string, { request, ports, store, permits }: Parts): Promise<string> {
  const { current: policy } = store;
  const path = await ports.files().real(absolute(given, policy));
  const why = whyNot(path);
  if (why !== undefined) throw new Error(`Cannot add ${given}: ${why}`);
  await permits.openFolder(path);
  return path;

  function whyNot(folder: string): string | undefined {
    const { home, configDir, cwd, directories, apartFrom } = policy;
    if (!ports.isThere(folder)) return "it is not there";
    if (!ports.isThere(join(folder, "/"))) return "it is not a folder. Add the folder that it is in";
    const holding = [cwd, ...directories].find((one) => within(one, folder));
    if (holding !== undefined) return `it is in ${holding}, which is open already`;
    if (homeFolder({ cwd: folder, home, directories: [] }) !== undefined) return "it is your home, or contains it. Add a folder below it";
    if (within(folder, configDir) || within(configDir, folder)) return "it holds this program's own settings and state";
    if (apartFrom !== undefined && (within(apartFrom, folder) || within(folder, apartFrom)))
      return "this session works apart from that tree";
    const place = placeOf({ written: join(folder, "x"), real: join(folder, "x") }, { ...policy, directories: [folder] });
    if (place.git || place.sensitive !== undefined) return "it holds a repository's own files, or secrets";
    const places = ports.programPlaces(searchPathOf(request), [folder]);
    return started.some((program) => places(program) === "within") ? "programs that tool starts itself are in it" : undefined;
  }
}

/** Whoever could write them would run outside the sandbox. */
const started = ["bwrap", "git", "rg", "bash", "sh", "tmux", "node"];
