// A settings file in the form in which git itself writes it, read without git: what commands changed in it, and where its remotes are.
import type { Setting } from "../own-settings.ts";

/** git-config(1), "Syntax". Undefined for any other form: a value on several lines, a section with an entry behind it. */
export function plainSettings(text: string): Setting[] | undefined {
  const found: Setting[] = [];
  let section: string | undefined;
  for (const line of text.split("\n")) {
    const [, name, subsection] = /^\[([A-Za-z][\w-]*)(?: "((?:[^"\\\0]|\\["\\])+)")?\][ \t]*$/.exec(line) ?? [];
    const [, key, value = "true"] = /^[ \t]*([A-Za-z][\w-]*)(?:[ \t]*=[ \t]*([^\0]*[^\\\0]|))?$/.exec(line) ?? [];
    if (name !== undefined) section = [name.toLowerCase(), ...(subsection === undefined ? [] : [subsection])].join(".");
    else if (key !== undefined && section !== undefined) found.push([`${section}.${key.toLowerCase()}`, said(value)]);
    else if (!/^[ \t]*(?:[#;].*)?$/.test(line)) return undefined;
  }
  return found;
}

/** As git writes a value with spaces at its ends, or signs of its own. */
const said = (value: string) => value.replace(/^"(.*)"$/, "$1").replaceAll(/\\(["\\])/g, "$1");

/**
 * Whether the settings became what they are now by such changes alone as name no program, or as the command itself says: `words` has the key, and
 * the value.
 */
export function changedAsSaid(before: string, now: string, words: readonly string[]): boolean {
  const [earlier, later] = [plainSettings(before), plainSettings(now)];
  if (!earlier || !later) return false;
  const named = new Set(words.map((word) => word.toLowerCase()));
  const had = new Set(earlier.map((setting) => setting.join("\0")));
  const isFree = (setting: Setting, isNew: boolean) => {
    const [key, value] = setting;
    if (onlyPlaces.test(key) && !value.includes("::")) return true;
    return named.has(key.toLowerCase()) && (!isNew || words.includes(value) || had.has(setting.join("\0")));
  };
  const rest = (settings: Setting[], isNew: boolean) => JSON.stringify(settings.filter((setting) => !isFree(setting, isNew)));
  return rest(earlier, false) === rest(later, true);
}

/** Where history comes from and goes to; not by a helper program (`ext::`), and not what a merge is told. */
const onlyPlaces =
  /^remote\..+\.(?:url|pushurl|fetch)$|^branch\..+\.(?:remote|pushremote|merge|rebase|description)$|^submodule\..+\.(?:url|active)$/s;
