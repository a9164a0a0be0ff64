// What a session says of itself: its window, what it has sent, its settings, hooks and skills.
import { windowAccount } from "../../agent/context.ts";
import { windowOf } from "../../agent/requests/compaction.ts";
import { answeringModel } from "../../agent/requests/fallback.ts";
import { sentText, summarise, summaryText } from "../../agent/sent-summary.ts";
import { ledgerPath, readLedger } from "../../agent/session/ledger.ts";
import type { ConfiguredServer } from "../../mcp/choose-servers.ts";
import { type ServerState, stateWords } from "../../mcp/lifecycle.ts";
import { contextText } from "../../screen/commands/context-lines.ts";
import type { SessionControls } from "../../screen/commands/session-commands.ts";
import { type SessionStatus, sessionStatusTable } from "../../screen/commands/session-status.ts";
import type { State } from "../../screen/style.ts";
import { sandboxWords } from "../../settings/permission-list.ts";
import { powerFiles, trustWays } from "../../settings/trust.ts";
import { builtInSkills } from "../../skills/built-in.ts";
import { loadSkills, skillFolders } from "../../skills/skills.ts";
import { plural } from "../../wording/figures.ts";
import { hooksHere } from "../settings/hooks-here.ts";
import type { ControlsSetup } from "./controls-setup.ts";
import { hooksText } from "./hooks-text.ts";
import { type Known, serversText } from "./servers-text.ts";
import { skillsText } from "./skills-text.ts";

type Described = Pick<ControlsSetup, "world" | "style" | "scripted" | "session" | "work" | "instructions" | "events">;
type Overview = Pick<SessionControls, "context" | "privacy" | "status" | "hooks" | "skills" | "servers">;

export function sessionOverview(described: Described): Overview {
  const { world, style, scripted, session, work, instructions, events } = described;
  const { agent } = session;
  return {
    async context() {
      const parts = { system: agent.system, schemas: agent.schemas, instructions, windowTokens: windowOf(agent) };
      const account = contextText(windowAccount(events(), parts), style, world.stdout.columns);
      const entries = await sent(described);
      const left = scripted && entries.length === 0 ? byScript : summaryText(summarise(entries));
      return `${account}\nleft this machine in this session: ${left}. More: /privacy`;
    },
    async privacy() {
      const entries = await sent(described);
      return scripted && entries.length === 0 ? `Left this machine in this session: ${byScript}.` : sentText(entries, world);
    },
    status: async () => sessionStatusTable(await statusOf(described), style),
    servers: async () =>
      serversText(work.settings().servers, {
        style,
        command: world.command,
        cwd: world.cwd,
        known: knownIn(work),
        trust: trustWays(work.settings()),
      }),
    hooks: async () =>
      hooksText(await hooksHere(world, work.settings()), { style, command: world.command, trust: trustWays(work.settings()) }),
    async skills() {
      const { root, trust } = work.settings();
      const folders = skillFolders({ root, configDir: world.configDir });
      const trusted = trust.state === "trusted";
      const found = await loadSkills(await world.edges.definitions(), { folders, trusted, builtIn: builtInSkills });
      return skillsText(found, { style, command: world.command, cwd: world.cwd, trust: trustWays(work.settings()) });
    },
  };
}

const signs: Record<ServerState["kind"], State> = {
  idle: "waiting",
  starting: "working",
  ready: "done",
  "given up": "failed",
  ended: "waiting",
};

/** What this session knows of a server. */
const knownIn =
  ({ servers }: Described["work"]) =>
  ({ name }: ConfiguredServer): Known => {
    const connection = servers.find(({ configured }) => configured.name === name);
    const catalog = connection?.latest();
    if (!connection) return { catalog, state: { state: "waiting", words: "not for this agent" } };
    const state = connection.state();
    const tools = catalog ? [plural(catalog.tools.length, "tool")] : [];
    return { catalog, state: { state: signs[state.kind], words: [stateWords(state), ...tools].join(", ") } };
  };

const byScript = "nothing, because a script answers instead of a model";

async function sent({ world, session }: Described) {
  const disk = await world.edges.disk();
  return readLedger(disk.read(ledgerPath(world.configDir, world.cwd, session.id))?.toString("utf8") ?? "");
}

async function statusOf({ world, session, work, instructions }: Described): Promise<SessionStatus> {
  const { kind: state, why = null } = { why: undefined, ...(await work.sandbox()) };
  const settings = work.settings();
  const { files: brought } = powerFiles(await world.edges.disk(), { root: settings.root, configDir: world.configDir });
  const { turns, costUsd } = session.totals();
  return {
    version: world.version,
    id: session.id,
    folder: world.cwd,
    model: answeringModel(session.agent),
    effort: session.agent.effort ?? "default",
    mode: work.mode(),
    sandbox: sandboxWords({ state, why, network: settings.effective.sandbox.network ?? "asked" }),
    settings: settings.files.flatMap(({ file }) => file ?? []),
    repository: settings.trust.state === "trusted" ? "trusted" : brought.length > 0 ? "untrusted" : "empty",
    instructions: instructions.map(({ path }) => path),
    turns,
    costUsd,
  };
}
