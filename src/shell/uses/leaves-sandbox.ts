// Whether the sandbox contains all that a simple command does: it may name files outside, lose work inside, or send something.
import type { Policy } from "../../permissions/policy.ts";
import type { FileUse, SimpleCommand, Word } from "../words/analysis.ts";
import { isGit } from "./git-reach.ts";
import { effectsOf, unknownGit, wantsNetwork } from "./marks.ts";

/** Set if all that stays in the sandbox is allowed: what allows it. `proxied`: a proxy asks for each host that is reached. */
export type Containment = { by: "default" | "grant"; reason: string; proxied: boolean; overSsh: Policy["overSsh"] };

/** Whether losing the file loses nothing: it does not exist, or git has stored this version. Undefined: not checked. */
export type IsKept = (path: string) => boolean | undefined;

/** Why the command needs a question anyway, without its full stop. Files outside are judged by themselves. `read-only`: so is the whole tree. */
export function leavesSandbox(command: SimpleCommand, { proxied }: Containment, isKept: IsKept | "read-only"): string | undefined {
  const effects = effectsOf(command);
  const isLocal = isLocalRequest(command.words);
  if (effects.has("sends") && !isLocal) return "It sends something to another machine";
  if (!proxied && wantsNetwork(command) && !isLocal) return "It needs the network, and the sandbox has none";
  if (isKept === "read-only") return undefined;
  const unknown = unknownGit(command);
  if (unknown !== undefined) return `What ${unknown} does is not known here, and work that git does not have may be lost`;
  return losesWork(command, isKept);
}

/** Why git cannot get out of the sandbox on its way, whatever rules allow; undefined for any other command. */
export function whyStuck(command: SimpleCommand, overSsh: Policy["overSsh"]): string | undefined {
  const host = isGit(command) && wantsNetwork(command) && overSsh?.(command.words.flatMap(({ value = [] }) => value));
  return host ? `git goes over ssh to ${host}, and the sandbox has no way out for that` : undefined;
}

/** The same of work that it loses: also of the files that it names, and of those that others replace. */
export function losesWork(command: SimpleCommand, isKept: IsKept): string | undefined {
  const effects = effectsOf(command);
  if (effects.has("loses work")) return "Work that git does not have may be lost";
  const isLoss = effects.has("loses its files");
  const named = lostBy(command);
  if (isLoss && (command.words.some(({ choices }) => !choices) || (named.length === 0 && !isGit(command))))
    return "Which files are lost is not known before it runs";
  const lost = named.find(({ path = "" }) => !(isKept(path) ?? !isLoss));
  const what = lost?.path === "." ? "this folder" : (lost?.path ?? "its files");
  return lost && `Git does not have the current content of ${what}, which would be lost`;
}

/** Files whose content is gone afterwards: removed, or replaced by a file or a redirection that does not append. */
export function lostBy(command: SimpleCommand): FileUse[] {
  const isLoss = effectsOf(command).has("loses its files");
  return command.files.filter(({ access, purpose, emptied }) => access === "write" && (isLoss || purpose === "replaces" || emptied));
}

/** Whether it is curl with one address, which is on this machine: in the sandbox, what was just built there. */
function isLocalRequest([program, ...rest]: Word[]): boolean {
  const addresses = rest.filter(({ value, start }) => value === undefined || /:\/\/|^[\w.-]+(?::\d+)?(?:\/|$)|^\[/.test(start));
  const local = rest.filter(({ value }) => /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/|$)/.test(value ?? ""));
  return program?.value === "curl" && local.length === 1 && addresses.every((word) => word === local[0] || !/^$|[.:]/.test(word.start));
}
