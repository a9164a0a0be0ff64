// The front matter of a Markdown file: its keys, each with its line. edge/front-matter.ts reads it.

/** A key of the front matter. `repaired`: the value was not valid YAML and was read as plain text. */
export type Entry = { key: string; value: unknown; line: number; repaired?: true };

export type Fault = { line: number; found: string; action: string };

export type FrontMatter = { ok: true; entries: Entry[]; body: string; faults: Fault[] } | { ok: false; fault: Fault };

/** Never throws. `textKeys`: keys with a text as value, which people leave unquoted even where YAML needs quotes. */
export type ReadFrontMatter = (text: string, textKeys: readonly string[]) => FrontMatter;
