// Files that the person's shells and git read when they start, because others name them that they always read: `source ~/dotfiles/aliases`.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { personsNames } from "./git/repository/repository-names.ts";
import { untrustedText } from "./git/untrusted-file.ts";
import { ifPossible } from "./system-error.ts";

/** Absolute paths, whether something is there or not. */
export async function startNames(home: string): Promise<string[]> {
  const files = startFiles.map((name) => join(home, name));
  const named: string[] = [];
  for (let at = 0; at < files.length && at < mostFiles; at++) {
    const text = ifPossible(() => untrustedText(realpathSync(files[at]!), most)) ?? "";
    const sourced = [...text.matchAll(sources)].flatMap(([, word = ""]) => pathOf(word, home) ?? []);
    named.push(...sourced);
    files.push(...sourced.filter((path) => !files.includes(path)));
  }
  return [...new Set([...named, ...(await personsNames(home))])];
}

const startFiles = ".bashrc .bash_profile .bash_login .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin".split(" ");
const mostFiles = 32;
const most = 1024 * 1024;

/** Where a command begins; the word may be in quotes. */
const sources = /(?:^|[;&|({]|\b(?:then|else|do)\b)[ \t]*(?:source|\.)[ \t]+("[^"\n]+"|'[^'\n]+'|[^\s;&|()]+)/gm;

/** Only where it is in the text itself, or below the home. */
function pathOf(word: string, home: string): string | undefined {
  const path = word.replaceAll(/["']/g, "").replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, home);
  return path.startsWith("/") && !/[$`*?]/.test(path) ? join(path) : undefined;
}
