// Opens the ledger of a session, solo or in a team.
import type { Clock } from "../../agent/clock.ts";
import type { TranscriptEvent } from "../../agent/events.ts";
import type { Instructions } from "../../agent/instructions.ts";
import { type Ledger, ledgerPath, openLedger } from "../../agent/ledger.ts";
import type { PatientDisk } from "../../board/disk.ts";
import { highestNumber } from "../../secrets/redaction/placeholder-book.ts";

export type LedgerOrder = {
  configDir: string;
  cwd: string;
  id: string;
  disk: PatientDisk;
  clock: Clock;
  instructions: Instructions[];
  secretsIn: (text: string) => number;
};

export function sessionLedger({ configDir, cwd, id, disk, clock, instructions, secretsIn }: LedgerOrder): Ledger {
  const path = ledgerPath(configDir, cwd, id);
  return openLedger({ disk, path, cwd, clock, systemFiles: instructions, countSecrets: secretsIn, written: disk.written });
}

/** Ensures that no placeholder of an earlier process gets a new meaning. */
export function lastPlaceholder(past: TranscriptEvent[]): number {
  return highestNumber(past.map((event) => JSON.stringify(event)));
}
