// What one part of a command puts somewhere and another then uses: it is judged before the command runs, when something else is there.
import { isGit } from "../../shell/uses/git-reach.ts";
import { effectsOf } from "../../shell/uses/marks.ts";
import { literalStart } from "../../shell/uses/pathspecs.ts";
import type { Analysis, FileUse, SimpleCommand } from "../../shell/words/analysis.ts";
import { nameOf } from "../../shell/words/invocation.ts";
import { climbs } from "../../shell/words/paths.ts";
import type { At } from "../call.ts";
import { within } from "../paths/places.ts";
import type { Policy } from "../policy.ts";

type Files = ReadonlyMap<string, At>;

/**
 * The same analysis, where a part also uses a file that is not known if another may put a link on the way to one that it names: in whatever
 * order, since parts run again and at the same time. What links lead to, a sandbox confines.
 */
export function withMoved(analysis: Analysis, files: Files, policy: Policy): Analysis {
  const made = policy.sandbox.kind === "active" ? [] : analysis.commands.map((command) => linkedBy(command, files, policy));
  const movers = policy.sandbox.kind === "active" ? [] : analysis.commands.filter(isMoving);
  if (movers.length === 0 && made.every(({ length }) => length === 0)) return analysis;
  const commands = analysis.commands.map((command, at) => {
    const others = made.flatMap((places, index) => (index === at ? [] : places));
    const isMoved = movers.some((mover) => mover !== command);
    const moved = command.files.filter(
      (use) => (isMoved && climbs.test(use.path ?? "")) || others.some((place) => isOnWay(place, use, files)),
    );
    const unknown = moved.map((use) => ({ ...use, path: undefined, pattern: undefined }));
    return moved.length === 0 ? command : { ...command, files: [...command.files, ...unknown] };
  });
  return { ...analysis, commands };
}

/** The places where it may put links, or folders with links in them; all in a folder that ends in a slash. */
function linkedBy(command: SimpleCommand, files: Files, { cwd, outliers }: Policy): string[] {
  const program = nameOf(command.words[0]?.value ?? "");
  if (!command.looks && (isUnpacking(program, command) || effectsOf(command).has("moves the tree"))) return [`${cwd}/`];
  if (command.looks ? program !== "mv" : !placing.test(program)) return [];
  const places = command.files.flatMap(({ path = "" }) => files.get(path) ?? []);
  const links = outliers ? outliers()?.links : [];
  const isPlain = ({ real, written }: At) => real === written && links?.every(({ path }) => !within(literalStart(real), path));
  return program === "mv" && places.every(isPlain) ? [] : places.flatMap(({ real, written }) => [real, written].map(literalStart));
}

/** It may move the folder in which another part stands, or a link: then `..` behind its name leads to another place. */
const isMoving = ({ words }: SimpleCommand) =>
  /^(?:mv|rename)$/.test(nameOf(words[0]?.value ?? "")) || (isGit({ words }) && words.some(({ value }) => value === "mv"));

const placing = /^(?:mv|cp|ln|link|rename|install)$/;
const unpacking = /^(?:rsync|unzip|7z\w*|cpio|pax|patch)$/;

/** tar unpacks if an option says so; its first word may be options without a dash. */
function isUnpacking(program: string, { words }: SimpleCommand): boolean {
  if (!/^(?:g|bsd)?tar$/.test(program)) return unpacking.test(program);
  return words
    .slice(1)
    .some(({ value }, at) => value === undefined || (at === 0 ? /^-?(?!-)\S*x/ : /^-(?!-)\S*x/).test(value) || /^--(?:ext|ge)/.test(value));
}

/** A search does not follow the links that it finds; a glob does. */
function isOnWay(place: string, { path = "", pattern, recursive }: FileUse, files: Files): boolean {
  const { real, written = "" } = files.get(path) ?? {};
  const isAbove = (name: string) => (pattern || recursive === "through links") && within(literalStart(name), place);
  const isBelow = (name: string) => (place.endsWith("/") ? name.startsWith(place) : within(place, name));
  return real !== undefined && [real, written].some((name) => isBelow(name) || isAbove(name));
}

/** Whether a part writes there, or puts something in place of a folder on the way. */
export function isMadeBy({ commands }: Analysis, files: Files): (path: string) => boolean {
  const uses = commands.flatMap((command) => command.files.filter(({ access, mention }) => access === "write" && mention !== "possible"));
  const places = uses.flatMap(({ path = "" }) => files.get(path) ?? []).flatMap(({ real, written }) => [real, written].map(literalStart));
  return (path) => places.some((place) => within(place, path) || within(path, place));
}
