// What Markdown is made of for a screen. A list comes item by item, so that each can be shown as soon as it is finished.

/** All texts are safe already. `indent`: columns it stands in from the left, for what belongs to a list item. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; indent: number; lines: string[] }
  | { kind: "item"; indent: number; marker: string; lines: string[] }
  | { kind: "quote"; indent: number; lines: string[] }
  /** `before`: lines of the same code that are shown already; how it is coloured depends on them. */
  | { kind: "code"; indent: number; language: string; before: string[]; lines: string[] }
  /** `head` is empty in what continues with a very long table. */
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "rule" }
  /** One empty line, however many there were. */
  | { kind: "gap" };
