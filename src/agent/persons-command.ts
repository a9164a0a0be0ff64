// A command that the person runs in a session: what it printed, and the same as the agent is shown it.
import { keptOutput } from "../tools/output.ts";
import type { Shell, ShellEnd } from "../tools/shell.ts";
import type { Input } from "./events.ts";

export type PersonsRun = {
  output: string;
  /** How it ended, if that is worth saying; empty otherwise. */
  ending: string;
  /** For the agent, with its next request. */
  note: Input;
};

/** `inside`: it runs in the sandbox or not at all. `onOutput`: gets its output as it comes. */
type PersonsOrder = { signal: AbortSignal; inside?: true; onOutput?: (text: string) => void };

export async function personsCommand(shell: Shell, command: string, { signal, inside, onOutput }: PersonsOrder): Promise<PersonsRun> {
  const kept = keptOutput(room);
  const add = (bytes: Buffer) => {
    kept.add(bytes);
    onOutput?.(bytes.toString("utf8"));
  };
  const { end } = await shell.run({ command, timeoutMs, signal, ...(inside && { inside }), onOutput: add });
  const output = kept.text().trimEnd();
  const ending = endingText(end);
  const shown = [output || "(no output)", ending && `[${ending}]`].filter(Boolean).join("\n");
  const text = `The person ran a command in this folder themselves: ${command}\n${shown}`;
  return { output, ending, note: { source: { kind: "command", command }, text, shown: "" } };
}

const room = { headBytes: 10 * 1024, tailBytes: 20 * 1024 };
const timeoutMs = 600_000;

function endingText(end: ShellEnd): string {
  switch (end.kind) {
    case "exited":
      return end.code === 0 ? "" : `exit ${end.code}`;
    case "killed":
      return `ended by ${end.signal}`;
    case "timed_out":
      return `stopped after ${timeoutMs / 60_000} minutes`;
    case "aborted":
      return "interrupted";
    case "failed":
      return `not started: ${end.reason}`;
  }
}
