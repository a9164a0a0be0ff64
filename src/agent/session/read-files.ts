// Which versions of files an agent has read or written, from its transcript: one that continues may change what it knows, as if it had never stopped.
import type { ReadVersions } from "../../tools/files/versions.ts";
import type { TranscriptEvent } from "../events.ts";
import { conversationOf } from "../rewind/conversation.ts";

/** The tools whose sources they have read whole, or written. */
const knows = ["Read", "Edit"];

/**
 * By path, as the tools name it. A file that has changed since then has another version, and counts as changed. What a rewind has removed does not count,
 * and neither do older transcripts in which a Write left no version.
 */
export function readFiles(past: readonly TranscriptEvent[]): ReadVersions {
  const seen: ReadVersions = new Map();
  for (const event of conversationOf(past)) {
    if (event.type === "input")
      for (const { source } of event.inputs)
        if (source.kind === "file") for (const { path, sha256 } of source.sources ?? []) seen.set(path, sha256);
    if (event.type !== "tool_ended" || event.isError || event.media) continue;
    if (knows.includes(event.name)) for (const { path, sha256 } of event.sources ?? []) seen.set(path, sha256);
    for (const { path, sha256 } of event.wrote ?? []) seen.set(path, sha256);
  }
  return seen;
}
