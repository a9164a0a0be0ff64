// The blocks of Markdown for a screen. A list is split into items, so that each can be shown as soon as it is finished.

/** All texts are safe already. `indent`: columns from the left, for the content of a list item. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; indent: number; lines: string[] }
  | { kind: "item"; indent: number; marker: string; lines: string[] }
  | { kind: "quote"; indent: number; lines: string[] }
  /** `before`: preceding lines of the same code that are shown already; highlighting depends on them. */
  | { kind: "code"; indent: number; language: string; before: string[]; lines: string[] }
  /** `right`: the columns whose cells end below each other. `head` is empty in the continuation of a very long table. */
  | { kind: "table"; head: string[]; right: boolean[]; rows: string[][] }
  | { kind: "rule" }
  /** One empty line for any number of them. */
  | { kind: "gap" };
