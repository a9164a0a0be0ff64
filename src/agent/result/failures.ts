// RecordFailure: an item of a longer piece of work that failed is written down, and the agent continues with the others. The list is beside the
// transcript of the session, for its sub-agents too, and is shown when the session ends.

import { z } from "zod";
import type { BoardDisk } from "../../board/disk.ts";
import type { Tool } from "../../tools/tool.ts";
import { plural } from "../../wording/figures.ts";
import { beginningOfLine, jsonLines } from "../session/json-lines.ts";
import type { Incident } from "./outcome.ts";

/** One line of `failures.jsonl`. */
export type Failure = { at: string; agent: string; item: string; error: string };

export type FailuresDisk = Pick<BoardDisk, "read" | "append" | "makeFolder">;

export type Failures = {
  path: string;
  /** Durable when it returns, or queued until the disk accepts it. */
  record(failure: Failure): void;
  /** The failures recorded since this was opened, by any agent of the session. */
  fresh(): Failure[];
};

/** `projects/{project}/{session}/failures.jsonl`, by the session's transcript. */
export function failuresPath(transcript: string): string {
  return `${transcript.slice(0, -".jsonl".length)}/failures.jsonl`;
}

export function openFailures(disk: FailuresDisk, path: string): Failures {
  const before = readFailures(disk.read(path)).length;
  let fresh: Failure[] = [];
  return {
    path,
    record(failure) {
      disk.makeFolder(path.slice(0, path.lastIndexOf("/")));
      disk.append(path, `${beginningOfLine(disk.read(path))}${JSON.stringify(failure)}\n`, { durable: true });
      fresh = [...fresh, failure];
    },
    fresh() {
      const written = readFailures(disk.read(path)).slice(before);
      return written.length >= fresh.length ? written : fresh;
    },
  };
}

const line = z.object({ at: z.string(), agent: z.string(), item: z.string(), error: z.string() });

/** Lines that cannot be read are skipped. */
export function readFailures(bytes: Buffer | undefined): Failure[] {
  return jsonLines(bytes?.toString("utf8") ?? "").flatMap((value) => line.safeParse(value).data ?? []);
}

const input = z.strictObject({ item: z.string().describe("a file, a component, an id"), error: z.string() });

export type RecordFailureSetup = {
  failures: Pick<Failures, "record">;
  agent: string;
  now(): Date;
  /** A text without its secrets. */
  redacted(text: string): Promise<string>;
  /** Resolves when what was recorded is on disk. */
  written(signal: AbortSignal): Promise<void>;
};

export function recordFailureTool({ failures, agent, now, redacted, written }: RecordFailureSetup): Tool<z.infer<typeof input>> {
  return {
    name: "RecordFailure",
    description: "Of work on many items: records one that failed, for the person's list at the end. Then go on.",
    input,
    readOnly: false,
    sideBySide: true,
    subject: ({ item }) => item,
    async run({ item, error }, { signal }) {
      if (item.trim() === "" || error.trim() === "")
        return { text: "Cannot record a failure without its item and its error. Give both.", isError: true, summary: "blank" };
      const [cleanItem, cleanError] = await Promise.all([redacted(short(item, mostItem)), redacted(short(error, mostError))]);
      failures.record({ at: now().toISOString(), agent, item: cleanItem, error: cleanError });
      await written(signal);
      return { text: "Recorded. Go on with the other items, and name this one in your report.", isError: false, summary: "recorded" };
    },
  };
}

const mostItem = 500;
const mostError = 3_000;

function short(text: string, most: number): string {
  const trimmed = text.trim();
  return trimmed.length <= most ? trimmed : `${trimmed.slice(0, most).toWellFormed()}…`;
}

/** All incidents: the failure of an agent that is recorded as well counts once. */
export function withRecorded(incidents: readonly Incident[], list: readonly Failure[]): Incident[] {
  const recorded = list.map(({ agent, item, error: reason }): Incident => ({ kind: "failed", agent, item, reason }));
  const isKnown = (one: Incident) =>
    incidents.some(
      (other) => "item" in other && "item" in one && other.agent === one.agent && other.item === one.item && other.reason === one.reason,
    );
  return [...incidents, ...recorded.filter((one) => !isKnown(one))];
}

/** For the person, when the work has ended. */
export function failuresText(list: readonly Failure[], path: string): string {
  if (list.length === 0) return "";
  const lines = list.map(({ item, error }) => `  ${item}: ${error.split("\n", 1)[0] ?? ""}`);
  return [`${plural(list.length, "item")} failed, recorded in ${path}:`, ...lines].join("\n");
}
