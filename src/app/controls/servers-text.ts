// The table of `tool mcp list` and /mcp: every configured server, where it comes from, and what is known of it.
import type { Catalog } from "../../mcp/catalog.ts";
import type { ConfiguredServer, ConfiguredServers, ServerPlace } from "../../mcp/choose-servers.ts";
import { serverLine } from "../../mcp/server.ts";
import type { State, Style } from "../../screen/style.ts";
import { aligned, cell, stateCell } from "../../screen/table.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { plural } from "../../wording/figures.ts";
import { nearPath } from "./near-path.ts";

/** `state`: of a running session. */
export type Known = { catalog: Catalog | undefined; state?: { state: State; words: string } };

export const placeWords: Record<ServerPlace, string> = {
  managed: "managed settings",
  "command line": "command line",
  user: "your settings",
  claude: "your Claude Code",
  local: "this project, yours",
  project: "this project",
};

/** `trust`: how the person trusts the project. */
type Where = { style: Style; command: string; cwd: string; trust: string; known: (server: ConfiguredServer) => Known };

export function serversText({ servers, waiting, off, problems, warnings }: ConfiguredServers, where: Where): string {
  const { command, cwd } = where;
  const rows = [
    ...servers.map((one) => rowOf(one, stateOf(where.known(one)), where)),
    ...waiting.map((one) => rowOf(one, { state: "needs_you", words: "waits for trust" }, where)),
    ...off.map((one) => rowOf(one, { state: "waiting", words: "off" }, where)),
  ];
  const hiding = [...servers, ...waiting, ...off].flatMap(({ name, file, line, hides }) =>
    hides.map(
      (other) => `${name}: the entry in ${nearPath(cwd, file)}:${line} counts, not the one in ${nearPath(cwd, other.file)}:${other.line}.`,
    ),
  );
  const how = `There are no MCP servers here. To add one: ${command} mcp add --help`;
  return [
    ...(rows.length === 0 ? [how] : aligned(rows)),
    ...[...hiding, ...problems, ...warnings].map(visibleLine),
    ...(waiting.length > 0
      ? [
          `${plural(waiting.length, "server")} of this project ${waiting.length === 1 ? "waits" : "wait"} until you trust it: ${where.trust}.`,
        ]
      : []),
  ].join("\n");
}

function stateOf({ catalog, state }: Known): { state: State; words: string } {
  if (state) return state;
  return { state: "waiting", words: catalog ? plural(catalog.tools.length, "tool") : "not asked yet" };
}

function rowOf(one: ConfiguredServer, state: { state: State; words: string }, { style }: Where) {
  return [
    cell(one.name, style.bold),
    stateCell({ ...state, words: visibleLine(state.words) }, style),
    cell(placeWords[one.place], style.dim),
    cell(visibleLine(serverLine(one.server))),
  ];
}
