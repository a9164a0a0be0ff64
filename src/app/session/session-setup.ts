// Opens what every session needs, whether interactive, printed, lead or teammate: transcript, model, work, hooks and ledger.
import { dirname } from "node:path";
import type { Agent } from "../../agent/agent.ts";
import type { Instructions } from "../../agent/instructions.ts";
import { isLine } from "../../agent/rewind/conversation.ts";
import { openFileVersions, versionsFolder } from "../../agent/rewind/file-versions.ts";
import { ledgerPath, nothingSent, openLedger } from "../../agent/session/ledger.ts";
import { readFiles } from "../../agent/session/read-files.ts";
import type { SessionSetup } from "../../agent/session/session.ts";
import { openTranscript, outputsFolder, transcriptPath } from "../../agent/session/transcript.ts";
import type { WorkspaceRequest } from "../../agent/workspace/workspace-request.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { PatientDisk } from "../../board/disk.ts";
import { highestNumber } from "../../secrets/redaction/placeholder-book.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import type { AgentModel } from "../agent-model.ts";
import { retryBudgetOf } from "../retry-budget.ts";
import { openHooks } from "../settings/open-hooks.ts";
import type { World } from "../world.ts";
import { sessionCommandRecords } from "./background-commands.ts";

export type SetupOrder = {
  id: string;
  name: string;
  team?: string;
  cwd: string;
  /** The folder that the session is listed under; absent: `cwd`. */
  project?: string;
  settings: LoadedSettings;
  model: AgentModel;
  disk: PatientDisk;
  /** Whether files are kept as they were before this session's agents change them. */
  keepsFiles: boolean;
  limits: SessionSetup["limits"];
  /** The session's agent, once it exists. */
  agent: () => Agent | undefined;
  /** Additions to the work of this kind of session. */
  work: Pick<
    WorkspaceRequest,
    | "sandboxFound"
    | "readOnly"
    | "repositoryFixed"
    | "apartFrom"
    | "sharedTree"
    | "definition"
    | "teamGrants"
    | "followsLead"
    | "acceptedGrowth"
  >;
  /** Of a member that does not read the instruction files itself. */
  instructions?: Instructions[] | undefined;
  /** Begun as soon as the work exists, in parallel with everything else before the first request; what fails is said by who needs it. */
  early?: (work: Workspace) => Promise<unknown>;
};

export type SessionParts = Awaited<ReturnType<typeof sessionSetup>>;

/** The caller must hold the claim on the session. */
export async function sessionSetup(world: World, order: SetupOrder) {
  const { edges, configDir } = world;
  const { id, name, cwd, disk, model: named } = order;
  const path = transcriptPath(configDir, order.project ?? cwd, id);
  const owner = `${id}:${name}`;
  disk.makeFolder(dirname(path));
  const transcript = openTranscript(disk, path);
  const past = transcript.events();
  const outputs = await edges.outputs(outputsFolder(path));
  const commands = await sessionCommandRecords(world, { disk, transcript: path, past });
  const { settings, work: own } = order;
  const versions = order.keepsFiles ? openFileVersions(disk.now, versionsFolder(path)) : undefined;
  versions?.lineBegins(past.findLast(isLine)?.at ?? "");
  const request = {
    ...own,
    ...(versions && { versions }),
    cwd,
    configDir,
    env: world.env,
    owner,
    settings,
    untilDone: disk.untilDone,
    outputs,
    commands,
    seen: readFiles(past),
    lastPlaceholder: highestNumber(past.map((event) => JSON.stringify(event))), // none gets a new meaning
  };
  const [clock, model, work] = await Promise.all([edges.clock(), edges.model(named.choice), edges.work(request)]);
  order.early?.(work).catch(() => {}); // the first request asks again
  const { found, skipped } = order.instructions ? { found: order.instructions, skipped: [] } : await work.instructions();
  const onNotice = (text: string) => order.agent()?.emit({ type: "notice", level: "warning", text, at: clock.now().toISOString() });
  const { team } = order;
  const hooks = openHooks(world, { work, session: id, transcript: path, agent: name, cwd, clock, onNotice, ...(team && { team }) });
  const scripted = named.script !== undefined;
  const ledger = scripted
    ? nothingSent
    : openLedger({
        disk,
        path: ledgerPath(configDir, cwd, id),
        cwd,
        clock,
        systemFiles: found,
        countSecrets: work.secretsIn,
        written: disk.written,
      });
  const { boot } = (await edges.processes()).self();
  const retryBudget = retryBudgetOf(world, named.choice, { disk: disk.now, clock, boot });
  const both = { clock, model, modelName: named.name, fallbackModel: named.fallback, ledger, outputs, retryBudget };
  const session = {
    ...both,
    effort: named.effort,
    agent: name,
    cwd,
    version: world.version,
    filter: work.filter,
    hooks: hooks.agent,
    notes: work.onServerNote,
    resource: work.resource,
    limits: order.limits,
    transcript,
    written: disk.written,
    isThere: (path: string) => disk.size(path.replace(/^~(?=\/)/, world.env["HOME"] ?? "~")) !== undefined,
  } satisfies Partial<SessionSetup>;
  const events = () => transcript.events();
  /** What its agents share with it. */
  const agents = { ...both, owner, transcript: path, past, events, disk, scripted, work, hooks, instructions: found, limits: order.limits };
  return { found, skipped, path, work, hooks, clock, session, agents };
}
