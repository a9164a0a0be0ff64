// The front matter of a Markdown file, as edge/front-matter.ts reads it: key by key with the line of each.

/** A key of the front matter. `repaired`: its text was no YAML, and is read as plain text. */
export type Entry = { key: string; value: unknown; line: number; repaired?: true };

export type Fault = { line: number; found: string; action: string };

export type FrontMatter = { ok: true; entries: Entry[]; body: string; faults: Fault[] } | { ok: false; fault: Fault };

/** Never throws. `textKeys`: keys whose value is a text, which people write without quotes even where YAML needs them. */
export type ReadFrontMatter = (text: string, textKeys: readonly string[]) => FrontMatter;
