// Whether git goes to another machine over ssh, and to which: as its words, the remotes of the repository, and the settings say by which git
// puts one address in the place of another.
import { homedir } from "node:os";
import { join } from "node:path";
import { findRepository } from "../places.ts";
import { remoteAddress } from "../remote-address.ts";
import { untrustedText } from "../untrusted-file.ts";
import { plainSettings } from "./plain-settings.ts";

type Environment = Record<string, string | undefined>;

/**
 * The host; undefined if git does not go over ssh. `words`: of the whole command. Where none is an address or a remote's name, git takes `origin`.
 */
export function overSsh(folder: string, env: Environment = process.env): (words: readonly string[]) => string | undefined {
  return (words) => {
    const repository = repositoryText(folder);
    const rewrites = [...personsTexts(env), repository].flatMap(rewritesIn);
    const pushes = words.includes("push");
    const isGiven = (word: string) => isAddress(word) || rewrites.some(({ start }) => start !== "" && word.startsWith(start));
    const addresses = words.filter(isGiven).map((url) => ({ url, isForPush: false }));
    return (addresses.length > 0 ? addresses : remotesNamed(words, repository, pushes))
      .map(({ url, isForPush }) => rewritten(url, rewrites, pushes && !isForPush))
      .filter(isSsh)
      .map((address) => remoteAddress(address)?.host ?? address)[0];
  };
}

/** Read again each time: a command may have changed it. */
function repositoryText(folder: string): string {
  const found = findRepository(folder);
  return (found.kind === "found" && untrustedText(join(found.place.commonDir, "config"), most)) || "";
}

const most = 1024 * 1024;

/** git-config(1), "Files"; without what they include. */
function personsTexts({ GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME, HOME = homedir() }: Environment): string[] {
  const files = GIT_CONFIG_GLOBAL
    ? [GIT_CONFIG_GLOBAL]
    : [join(XDG_CONFIG_HOME || join(HOME, ".config"), "git/config"), join(HOME, ".gitconfig")];
  return ["/etc/gitconfig", ...files].map((file) => untrustedText(file, most) ?? "");
}

/** Where a push goes, an address of its own for that comes first. */
type Target = { url: string; isForPush: boolean };

function remotesNamed(words: readonly string[], text: string, pushes: boolean): Target[] {
  const settings = plainSettings(text) ?? [];
  const of = (name: string, key: string) => settings.flatMap(([one, value]) => (one === `remote.${name}.${key}` ? [value] : []));
  const named = words.filter((word) => of(word, "url").length > 0);
  return (named.length > 0 ? named : ["origin"]).flatMap((name) => {
    const own = pushes ? of(name, "pushurl").map((url) => ({ url, isForPush: true })) : [];
    return own.length > 0 ? own : of(name, "url").map((url) => ({ url, isForPush: false }));
  });
}

type Rewrite = { base: string; start: string; isForPush: boolean };

/** `url.<base>.insteadOf` and `pushInsteadOf`, also in a file that a person has written. */
function rewritesIn(text: string): Rewrite[] {
  let base: string | undefined;
  return text.split("\n").flatMap((line) => {
    const [, section, quoted, rest = line] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
    if (section !== undefined) base = section.toLowerCase() === "url" ? quoted?.replaceAll(/\\(.)/g, "$1") : undefined;
    const [, key, value] = /^\s*((?:push)?insteadof)\s*=\s*("[^"]*"|[^\s#;]+)/i.exec(rest) ?? [];
    if (base === undefined || key === undefined || value === undefined) return [];
    return [{ base, start: value.replaceAll('"', ""), isForPush: key.toLowerCase() === "pushinsteadof" }];
  });
}

/** git-config(1): the longest beginning counts; for a push first among those for pushes. */
function rewritten(url: string, rewrites: Rewrite[], mayBeForPush: boolean): string {
  const fitting = rewrites.filter(({ start }) => url.startsWith(start)).sort((one, other) => other.start.length - one.start.length);
  const chosen = (mayBeForPush && fitting.find(({ isForPush }) => isForPush)) || fitting.find(({ isForPush }) => !isForPush);
  return chosen ? `${chosen.base}${url.slice(chosen.start.length)}` : url;
}

/** git-clone(1), "Git URLs": `ssh://host/path`, or `user@host:path`; a remote's may be without the user. */
const isSsh = (address: string) => /^(?:ssh|git\+ssh|ssh\+git):\/\/|^(?!-)(?:[\w.-]+@)?[\w.-]+:(?!\/\/|:)/.test(address);

/** Among words, a refspec (`main:main`) looks like the address of a host without a user. */
const isAddress = (word: string) => /^(?!-)[\w+.-]+:\/\/|^(?!-)[\w.-]+@[\w.-]+:/.test(word);
