// Totals of what left this machine in a session: for `/context` and `tool privacy`.
import { plural } from "../wording/figures.ts";
import type { SentEntry } from "./session/ledger.ts";

export type SentSummary = {
  /** The session's own and those of its agents. */
  requests: number;
  files: number;
  commands: number;
  messages: number;
  bytes: number;
  /** Secrets that left unredacted, and those that were replaced by placeholders. */
  secrets: number;
  replaced: number;
  /** Sub-agents that sent something, by id. */
  agents: string[];
};

export function summarise(entries: readonly SentEntry[]): SentSummary {
  const of = (...kinds: SentEntry["kind"][]) => entries.filter(({ kind }) => kinds.includes(kind));
  const total = (value: (entry: SentEntry) => number) => entries.reduce((sum, entry) => sum + value(entry), 0);
  return {
    requests: new Set(entries.map(({ request, agent = "" }) => `${agent} ${request}`)).size,
    files: new Set(entries.flatMap(({ files = [] }) => files.map(({ path }) => path))).size,
    commands: of("command").length,
    messages: of("message", "mail", "task").length,
    bytes: total(({ bytes }) => bytes),
    secrets: total(({ secrets = 0 }) => secrets),
    replaced: total(({ kind, redacted }) => (kind === "echo" ? 0 : redacted)),
    agents: [...new Set(entries.flatMap(({ agent }) => agent ?? []))],
  };
}

/** `9 files, 12 command outputs, 0 secrets (2 replaced), also by agents a-1, a-2` */
export function summaryText({ files, commands, secrets, replaced, agents }: SentSummary): string {
  return `${plural(files, "file")}, ${plural(commands, "command output")}, ${plural(secrets, "secret")} (${replaced} replaced)${agents.length === 0 ? "" : `, also by ${agentsText(agents)}`}`;
}

const mostNamed = 4;
const mostFiles = 15;

/** What a session has sent, and its newest files by path. `command`: the program as the person starts it. */
export function sentText(entries: readonly SentEntry[], { cwd, command }: { cwd: string; command: string }): string {
  const paths = [...new Set(entries.flatMap(({ files = [] }) => files.map(({ path }) => path)))];
  const shown = paths.slice(-mostFiles).map((path) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path));
  return [
    `Left this machine in this session: ${summaryText(summarise(entries))}.`,
    ...shown.map((path) => `  ${path}`),
    ...(paths.length > shown.length ? [`  and ${paths.length - shown.length} files before them`] : []),
    `All sessions of this folder: ${command} privacy; one file: ${command} privacy <path>`,
  ].join("\n");
}

function agentsText(agents: string[]): string {
  const more = agents.length - mostNamed;
  return `${agents.length === 1 ? "agent" : "agents"} ${agents.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
