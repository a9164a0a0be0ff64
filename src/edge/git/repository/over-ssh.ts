// Whether git goes to another machine over ssh, as its words and the remotes of the repository say.
import { join } from "node:path";
import { findRepository } from "../places.ts";
import { untrustedText } from "../untrusted-file.ts";
import { plainSettings } from "./plain-settings.ts";

/** `words`: of the whole command. Where none is an address or a remote's name, git takes `origin`. */
export function overSsh(folder: string): (words: readonly string[]) => boolean {
  return (words) => {
    const addresses = words.filter(isAddress);
    if (addresses.length > 0) return addresses.some(isSsh);
    const remotes = remotesOf(folder);
    const named = words.filter((word) => remotes.has(word));
    return (named.length > 0 ? named : ["origin"]).some((name) => isSsh(remotes.get(name) ?? ""));
  };
}

/** Read again each time: a command may have changed it. Of several addresses the last. */
function remotesOf(folder: string): Map<string, string> {
  const found = findRepository(folder);
  const text = found.kind === "found" ? untrustedText(join(found.place.commonDir, "config"), 1024 * 1024) : undefined;
  const settings = plainSettings(text ?? "") ?? [];
  return new Map(
    settings.flatMap(([key, value]) => (/^remote\..+\.url$/s.test(key) ? [[key.slice("remote.".length, -".url".length), value]] : [])),
  );
}

/** git-clone(1), "Git URLs": `ssh://host/path`, or `user@host:path`; a remote's may be without the user. */
const isSsh = (address: string) => /^(?:ssh|git\+ssh|ssh\+git):\/\/|^(?!-)(?:[\w.-]+@)?[\w.-]+:(?!\/\/|:)/.test(address);

/** Among words, a refspec (`main:main`) looks like the address of a host without a user. */
const isAddress = (word: string) => /^(?!-)[\w+.-]+:\/\/|^(?!-)[\w.-]+@[\w.-]+:/.test(word);
