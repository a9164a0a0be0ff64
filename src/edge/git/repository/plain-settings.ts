// A settings file in the form in which git itself writes it, read without git.
import type { Setting } from "../own-settings.ts";

/**
 * git-config(1), "Syntax". Undefined for any other form, so that git never reads it otherwise: a value on several lines or with a comment behind
 * it, a quote or a tab within a value, spaces at its end, a section with an entry behind it, a control character, bytes that are not UTF-8.
 */
export function plainSettings(text: string): Setting[] | undefined {
  if (text.includes("\uFFFD")) return undefined;
  const found: Setting[] = [];
  let section: string | undefined;
  for (const line of text.split("\n")) {
    const [, name, subsection] = /^\[([A-Za-z][\w-]*)(?: "((?:[^"\\\p{Cc}]|\\["\\])+)")?\] *$/u.exec(line) ?? [];
    const [, key, value = "true"] = /^[ \t]*([A-Za-z][\w-]*)(?:[ \t]*=[ \t]*(.*))?$/.exec(line) ?? [];
    if (name !== undefined)
      section = [name.toLowerCase(), ...(subsection === undefined ? [] : [subsection.replaceAll(escaped, "$1")])].join(".");
    else if (key !== undefined && section !== undefined && plainValue.test(value))
      found.push([`${section}.${key.toLowerCase()}`, value.replace(/^"(.*)"$/, "$1").replaceAll(escaped, "$1")]);
    else if (!/^[ \t]*(?:[#;].*)?$/.test(line)) return undefined;
  }
  return found;
}

/** Without quotes, or with those around the whole that git sets where spaces are at its ends, or `#` and `;` in it. */
const plainValue = /^(?:(?:(?! $)[^"\\#;\p{Cc}]|\\["\\])*|"(?:[^"\\\p{Cc}]|\\["\\])*")$/u;
const escaped = /\\(["\\])/g;
