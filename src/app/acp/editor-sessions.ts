// The sessions of an editor that are open in this process: opened, found by their ids, and closed together.
import { isAbsolute } from "node:path";
import type { McpServer, SessionInfo } from "@agentclientprotocol/sdk";
import { isSolo, listSessions } from "../../agent/session/sessions.ts";
import { openTranscript, projectFolder, transcriptPath } from "../../agent/session/transcript.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { agentModel, nothingStarted } from "../agent-model.ts";
import { isFolder } from "../is-folder.ts";
import { hasKey } from "../session/has-key.ts";
import { openSettings } from "../settings/open-settings.ts";
import type { World } from "../world.ts";
import { AcpRefusal, type Client } from "./client.ts";
import { entriesOf } from "./client-servers.ts";
import { type EditorSession, openEditorSession } from "./editor-session.ts";
import { withEditorTexts } from "./editor-texts.ts";
import { titleOfPrompt } from "./opened.ts";

export type Wanted = { cwd: string; mcpServers?: readonly McpServer[] | undefined; additionalDirectories?: readonly string[] | undefined };

export interface EditorSessions {
  /** Throws AcpRefusal for a folder that cannot be one, and where no key is; UsageError as openSolo does. */
  create(wanted: Wanted): Promise<{ id: string; session: EditorSession }>;
  /** Continues one of an earlier process, or of this one once it is closed. */
  resume(id: string, wanted: Wanted): Promise<EditorSession>;
  /** Throws AcpRefusal if it is not open. */
  find(id: string): EditorSession;
  /** Ends the turn of the session; nothing without one. */
  cancel(id: string): void;
  list(cwd: string | undefined): Promise<SessionInfo[]>;
  close(id: string): Promise<void>;
  /** Ends all of them, those that are being opened too. */
  closeAll(): Promise<void>;
}

export function editorSessions(world: World, { flags, client }: { flags: AgentFlags; client: Client }): EditorSessions {
  const open = new Map<string, EditorSession>();
  const opening = new Set<Promise<unknown>>();
  let isClosed = false;
  const openOne = async (id: string, wanted: Wanted, continues: boolean) => {
    const here = await worldIn(world, wanted.cwd);
    if (continues) await assertContinues(here, id);
    const added = await Promise.all((wanted.additionalDirectories ?? []).map((path) => folderAt(world, path, "an additional directory")));
    const own = { ...flags, ...(added.length > 0 && { addDir: [...(flags.addDir ?? []), ...added] }) };
    const mcpServers = entriesOf(wanted.mcpServers ?? []);
    const order = { client, id, flags: own, settingsFlags: { ...settingsFlags(own), mcpServers } };
    await assertAnswers(here, await openSettings(here, order.settingsFlags));
    const session = await openEditorSession(withEditorTexts(here, { client, session: id, named: wanted.cwd }), order);
    open.set(id, session);
    if (isClosed) await close(id);
    return session;
  };
  const counted = <T>(work: Promise<T>): Promise<T> => {
    const settled = work.catch(() => {}).then(() => void opening.delete(settled));
    opening.add(settled);
    return work;
  };
  const close = async (id: string) => {
    const session = open.get(id);
    open.delete(id);
    await session?.close();
  };
  return {
    async create(wanted) {
      const id = world.uniqueId();
      return { id, session: await counted(openOne(id, wanted, false)) };
    },
    resume(id, wanted) {
      if (open.has(id)) throw new AcpRefusal("invalid_request", `The session ${id} is open already. Close it first.`);
      return counted(openOne(id, wanted, true));
    },
    find(id) {
      const session = open.get(id);
      if (!session) throw new AcpRefusal("no_session", id);
      return session;
    },
    cancel: (id) => open.get(id)?.cancel(),
    async list(cwd) {
      const disk = await world.edges.disk();
      const projects = `${world.configDir}/projects`;
      const folder = cwd === undefined ? undefined : (await worldIn(world, cwd)).cwd;
      const folders =
        folder === undefined ? disk.list(projects).map((name) => `${projects}/${name}`) : [projectFolder(world.configDir, folder)];
      const found = listSessions(disk, { folders, ...(folder !== undefined && { cwd: folder }), atMost: mostListed });
      return found
        .filter(({ turns }) => turns > 0)
        .map((one) => ({ sessionId: one.id, cwd: one.cwd, title: titleOfPrompt(one.prompt), updatedAt: one.changedAt.toISOString() }));
    },
    async close(id) {
      if (!open.has(id)) throw new AcpRefusal("no_session", id);
      await close(id);
    },
    async closeAll() {
      isClosed = true;
      await Promise.all([...open.keys()].map(close));
      await Promise.all(opening);
    },
  };
}

const mostListed = 100;
/** What is printed there goes to standard error: standard output has nothing but the protocol. */
async function worldIn(world: World, cwd: string): Promise<World> {
  return { ...world, cwd: await folderAt(world, cwd, "the working directory"), stdout: world.stderr };
}

async function folderAt({ edges }: World, path: string, what: string): Promise<string> {
  if (!isAbsolute(path))
    throw new AcpRefusal("invalid_params", `Cannot use ${JSON.stringify(path)} as ${what}: it must be an absolute path.`);
  const [disk, real] = await Promise.all([edges.disk(), edges.realPath()]);
  if (path.includes("\0") || !isFolder(disk, path))
    throw new AcpRefusal("invalid_params", `Cannot use ${JSON.stringify(path)} as ${what}: there is no such folder.`);
  return real(path);
}

async function assertContinues({ edges, configDir, cwd }: World, id: string): Promise<void> {
  const isName = /^[\w-]{1,100}$/.test(id);
  const [first] = isName ? openTranscript(await edges.disk(), transcriptPath(configDir, cwd, id)).events() : [];
  if (!isSolo(first) || first.cwd !== cwd) throw new AcpRefusal("no_session", id);
}

async function assertAnswers(world: World, { effective }: LoadedSettings): Promise<void> {
  const { choice, script } = agentModel(world, effective);
  const problem = await world.edges.modelProblem(choice);
  if (problem === undefined) return;
  const isMissing = script === undefined && !(await hasKey(world, choice));
  throw new AcpRefusal(isMissing ? "auth_required" : "invalid_request", nothingStarted(problem));
}
