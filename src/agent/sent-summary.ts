// What left this machine in a session, in figures: for `/context` and `tool privacy`.
import type { SentEntry } from "./ledger.ts";

export type SentSummary = {
  requests: number;
  files: number;
  commands: number;
  messages: number;
  bytes: number;
  /** Secrets that left as they are, and those that placeholders stood for. */
  secrets: number;
  replaced: number;
};

export function summarise(entries: readonly SentEntry[]): SentSummary {
  const of = (...kinds: SentEntry["kind"][]) => entries.filter(({ kind }) => kinds.includes(kind));
  const total = (value: (entry: SentEntry) => number) => entries.reduce((sum, entry) => sum + value(entry), 0);
  return {
    requests: new Set(entries.map(({ request }) => request)).size,
    files: new Set(entries.flatMap(({ files = [] }) => files.map(({ path }) => path))).size,
    commands: of("command").length,
    messages: of("message", "mail", "task").length,
    bytes: total(({ bytes }) => bytes),
    secrets: total(({ secrets = 0 }) => secrets),
    replaced: total(({ kind, redacted }) => (kind === "echo" ? 0 : redacted)),
  };
}

/** `9 files, 12 command outputs, 0 secrets (2 replaced)` */
export function summaryText({ files, commands, secrets, replaced }: SentSummary): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  return `${count(files, "file")}, ${count(commands, "command output")}, ${count(secrets, "secret")} (${replaced} replaced)`;
}
