// The files that a session reads and changes in the editor that shows it, as far as the editor offers that.
import type { OpenTexts } from "../../agent/ports/open-texts.ts";
import type { World } from "../world.ts";
import type { Client } from "./client.ts";

/** `named`: the folder as the editor has named it, which may lead to the real one over a link. */
type Place = { client: Client; session: string; cwd: string; named: string };

/** The same world, whose workspaces know what stands in the editor. */
export function withEditorTexts(world: World, { client, session, named }: Omit<Place, "cwd">): World {
  if (!client.can.fs?.readTextFile) return world;
  const editor = editorTexts({ client, session, cwd: world.cwd, named });
  return { ...world, edges: { ...world.edges, work: (request) => world.edges.work({ ...request, editor }) } };
}

function editorTexts({ client, session: sessionId, cwd, named }: Place): OpenTexts {
  let isSilent = false;
  const namedAs = (path: string) => (path.startsWith(`${cwd}/`) ? `${named.replace(/\/+$/, "")}${path.slice(cwd.length)}` : path);
  /** Undefined if the editor refuses, as for a file that is not among its own. One that does not answer is not asked again. */
  const asked = async <T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    if (isSilent) return undefined;
    const limit = AbortSignal.timeout(longestMs);
    try {
      return await ask(limit);
    } catch {
      isSilent ||= limit.aborted;
      return undefined;
    }
  };
  return {
    read: async (path) => (await asked((signal) => client.readText({ sessionId, path: namedAs(path) }, signal)))?.content,
    ...(client.can.fs?.writeTextFile && {
      write: async (path: string, content: string) =>
        (await asked((signal) => client.writeText({ sessionId, path: namedAs(path), content }, signal))) !== undefined,
    }),
  };
}

const longestMs = 3_000;
