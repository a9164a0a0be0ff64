// Why hands could not be started at a place, and what each reason says to the person.
import type { Place } from "./place.ts";
import type { LinkEnd } from "./ports.ts";

export type Refusal =
  /** It ended before anything of ours ran there. */
  | { kind: "not reached"; end: LinkEnd }
  | { kind: "silent"; afterMs: number; printed: string }
  | { kind: "endless greeting"; bytes: number }
  | { kind: "old node"; version: string }
  | { kind: "terminal" }
  /** Ours ran, and then the link ended. */
  | { kind: "lost"; end: LinkEnd }
  | { kind: "silent later"; afterMs: number }
  | { kind: "odd answer"; text: string }
  | { kind: "refused"; refused: PlaceFault; detail: string };

export const placeFaults = ["folder", "no room", "not written", "damaged", "failed"] as const;
export type PlaceFault = (typeof placeFaults)[number];

/** The oldest Node that runs this program. */
const oldestNode = [20, 19] as const;

export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
}

/** One sentence with the finding, and one with what to do. */
export function refusalText(place: Place, refusal: Refusal): string {
  return `Cannot work at the place "${place.name}": ${reason(place, refusal)}`;
}

function reason(place: Place, refusal: Refusal): string {
  const setting = (key: string) => `"places.${place.name}.${key}"`;
  const command = place.command.join(" ");
  switch (refusal.kind) {
    case "not reached":
      return notReached(place, refusal.end);
    case "silent":
      return `its command has started nothing within ${seconds(refusal.afterMs)}${printed(refusal.printed)}. It may wait for a password, a queue or an answer: run ${command} true by hand`;
    case "endless greeting":
      return `it printed ${refusal.bytes} bytes before anything of ours ran. Remove what a shell prints at its start there`;
    case "old node":
      return `Node ${refusal.version} is too old. Install ${oldestNode.join(".")} or later there, or name another one in ${setting("node")}`;
    case "terminal":
      return `its command asks for a terminal, which changes what passes through. Remove -t, --tty, --pty or --unbuffered from ${setting("command")}`;
    case "lost":
      return `the link ended while the program was started: ${endText(refusal.end)}. Try again, and then: tool place test ${place.name}`;
    case "silent later":
      return `nothing came for ${seconds(refusal.afterMs)} while the program was started. Try again, and then: tool place test ${place.name}`;
    case "odd answer":
      return `it answered ${JSON.stringify(refusal.text.slice(0, 80))}, which is no message of ours. Something there prints among the output of programs`;
    case "refused":
      return refused(place, refusal.refused, refusal.detail);
  }
}

function notReached({ name, command, node = "node" }: Place, end: LinkEnd): string {
  if (end.kind === "not started") return `${command[0]} could not be run: ${end.reason}. Correct "places.${name}.command"`;
  const { stderr } = end;
  if (noSuchProgram.test(stderr) && stderr.includes(node))
    return `there is no ${node} there (${lastLine(stderr)}). Install Node ${oldestNode.join(".")} or later there, or give its path in "places.${name}.node"`;
  if (/syntax error|unexpected token|unmatched|not valid in this context/i.test(stderr))
    return `its arguments arrived changed (${lastLine(stderr)}). Set "places.${name}.arguments" to "joined" if the command joins them to one line for a shell, and else to "separate"`;
  return `its command ended before anything of ours ran: ${endText(end)}. Run ${command.join(" ")} true by hand`;
}

const noSuchProgram = /not found|no such file|executable file|unknown command|permission denied/i;

function refused({ name, folder }: Place, fault: PlaceFault, detail: string): string {
  switch (fault) {
    case "folder":
      return `the folder ${folder} cannot be used: ${detail}. It must be yours alone (chmod go-w), or name another one in "places.${name}.folder"`;
    case "no room":
      return `there is no room in ${folder}: ${detail}. Make room there, or name another one in "places.${name}.folder"`;
    case "not written":
      return `the program could not be written to ${folder}: ${detail}. Name another one in "places.${name}.folder"`;
    case "damaged":
      return `the program arrived damaged: ${detail}. Something on the way changes bytes: does the command ask for a terminal?`;
    case "failed":
      return `the start failed there: ${detail}. Try again, and then: tool place test ${name}`;
  }
}

export function endText(end: LinkEnd): string {
  if (end.kind === "not started") return end.reason;
  const how = end.kind === "exited" ? `exit ${end.code}` : `ended by ${end.by}`;
  return end.stderr.trim() === "" ? how : `${how}: ${lastLine(end.stderr)}`;
}

/** Without its full stop, since it stands within a sentence. */
const lastLine = (text: string) => text.trim().split("\n").at(-1)!.trim().slice(0, 300).replace(/\.+$/, "");
const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
const printed = (text: string) => (text.trim() === "" ? "" : ` but printed ${JSON.stringify(lastLine(text))}`);
