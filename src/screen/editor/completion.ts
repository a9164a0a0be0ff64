// The editor's completions: slash commands at the beginning of a line, and files and agents after an @.
import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import { visible } from "../../wording/visible.ts";

export type CompletionPorts = {
  commands?: () => { name: string; argument?: string; summary: string }[];
  /** Paths that begin with the prefix, folders with a slash at their end. */
  files?: (prefix: string) => Promise<string[]>;
  agents?: () => string[];
};

const mostItems = 50;

export function createCompletion({ commands, files, agents }: CompletionPorts): AutocompleteProvider {
  const commandItems = (typed: string): AutocompleteItem[] =>
    (commands?.() ?? [])
      .map(({ name, argument, summary }) => {
        return { value: `/${name}`, label: visible(argument ? `/${name} ${argument}` : `/${name}`), description: visible(summary) };
      })
      .filter(({ value }) => value.startsWith(typed));
  const fileItems = async (prefix: string, mark: string): Promise<AutocompleteItem[]> =>
    ((await files?.(prefix)) ?? []).filter(isPlain).map((path) => ({ value: `${mark}${path}`, label: path }));
  const agentItems = (prefix: string): AutocompleteItem[] =>
    (agents?.() ?? [])
      .filter((name) => name.startsWith(prefix) && isPlain(name))
      .map((name) => ({ value: `@${name}`, label: name, description: "agent" }));
  return {
    async getSuggestions(lines, row, column, { force }) {
      const typed = (lines[row] ?? "").slice(0, column);
      const word = /\S*$/.exec(typed)?.[0] ?? "";
      const found = async () => {
        if (row === 0 && /^\/[^\s/]*$/.test(typed)) return commandItems(typed);
        if (word.startsWith("@")) return [...agentItems(word.slice(1)), ...(await fileItems(word.slice(1), "@"))];
        return force && word !== "" ? fileItems(word, "") : [];
      };
      const items = (await found()).slice(0, mostItems);
      return items.length > 0 ? { items, prefix: word } : null;
    },
    applyCompletion(lines, row, column, { value }, prefix) {
      const line = lines[row] ?? "";
      // The list may be older than the line. A person who types fast means what they typed.
      if (!line.slice(0, column).endsWith(prefix)) return { lines, cursorLine: row, cursorCol: column };
      const before = line.slice(0, column - prefix.length);
      const inserted = value.endsWith("/") ? value : `${value} `;
      return {
        lines: lines.with(row, `${before}${inserted}${line.slice(column).replace(/^ /, "")}`),
        cursorLine: row,
        cursorCol: before.length + inserted.length,
      };
    },
  };
}

/** A name with invisible characters is not offered, because the editor must show what is sent. */
function isPlain(name: string): boolean {
  return visible(name) === name && !/\s/.test(name);
}
