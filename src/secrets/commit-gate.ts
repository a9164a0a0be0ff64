// Scans an agent's own commit before a reference gets it, whatever made it: git's hook (edge/git/commit-gate.sh) calls this. Secrets in
// commits made without that hook are reported afterwards.

import { errorText } from "../wording/error-text.ts";
import { allowMark, findingLine, type ScannedFile, scanFiles } from "./scan-files.ts";
import type { Scanner } from "./secrets.ts";

/** The changes of one commit or tag. `before`: the previous contents. `hidden`: hidden files that only this commit changes or removes. */
export type Change = { files: ScannedFile[]; messages: Buffer[]; hidden: string[]; before: () => Promise<Buffer[]> };

/** Why a reference may not get these commits, or undefined. */
export async function changesProblem(changes: AsyncIterable<Change>, scanner: Scanner): Promise<string | undefined> {
  const { lines, hidden } = await foundIn(changes, scanner);
  if (hidden.length > 0) return hiddenRefusal(hidden);
  return lines.length > 0 ? refusal(lines) : undefined;
}

function hiddenRefusal(paths: string[]): string {
  return `Nothing was committed, because the commit would change or delete files that rules hide from agents:\n${shownOf(paths)}\nLeave them out (git restore --staged <file>), and if they are to change, ask the person to commit that.`;
}

/** What to report about commits that were made without the hook, for example in another environment. */
export async function passedProblem(changes: AsyncIterable<Change>, scanner: Scanner): Promise<string | undefined> {
  try {
    const { lines } = await foundIn(changes, scanner);
    return lines.length > 0 ? `${passed}\n${shownOf(lines)}` : undefined;
  } catch (error) {
    return `What this command has committed could not be scanned for secrets: ${errorText(error)}`;
  }
}

const passed =
  "This command has committed secrets, bypassing the hook that looks for them. They must not be pushed: take the commit back (git reset --soft), take them out, and tell the person that they were there.";

async function foundIn(changes: AsyncIterable<Change>, scanner: Scanner): Promise<{ lines: string[]; hidden: string[] }> {
  const lines = new Set<string>();
  const hidden = new Set<string>();
  for await (const change of changes) {
    for (const line of await linesOf(change, scanner)) lines.add(line);
    for (const path of change.hidden) hidden.add(path);
  }
  return { lines: [...lines], hidden: [...hidden] };
}

/**
 * An agent cannot declare its own secret harmless, so the allow mark on a line is ignored. Secrets that the repository contained before are
 * not reported.
 */
async function linesOf({ files, messages, before }: Change, scanner: Scanner): Promise<string[]> {
  let earlier: string[] | undefined;
  const isOld = async (secret: string) => {
    earlier ??= (await before()).map((bytes) => bytes.toString("utf8"));
    return earlier.some((text) => text.includes(secret));
  };
  const options = { scanner, isOld, marks: "are ignored" } as const;
  const inFiles = await scanFiles(files, { ...options, names: "commit" });
  const texts = messages.map((bytes) => ({ path: "the message", bytes: textOf(bytes) }));
  const inMessages = await scanFiles(texts, { ...options, names: "keys" });
  return [...inFiles.findings, ...inMessages.findings].map(findingLine);
}

/** The message, after the lines that git writes. */
function textOf(object: Buffer): Buffer {
  const start = object.indexOf("\n\n");
  return start === -1 ? object : object.subarray(start + 2);
}

function refusal(lines: string[]): string {
  return `Nothing was committed, because secrets would be:\n${shownOf(lines)}\nTake them out (a variable of the environment, a file that .gitignore covers), and tell the person that they were there. Where a line holds no secret, a person can say so by "${allowMark}" on it.`;
}

function shownOf(lines: string[]): string {
  return `${lines.slice(0, 10).join("\n")}${lines.length > 10 ? `\n[and ${lines.length - 10} more]` : ""}`;
}
