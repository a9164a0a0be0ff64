// Prepares the text of a skill for a model: fills in the arguments and finds embedded commands. Pure.

export type Piece = { kind: "text"; text: string } | { kind: "command"; command: string };

/**
 * Splits the body into text and commands. `` !`command` `` is a command unless it is in a code block or comes from an argument. If the body has no
 * placeholder, the arguments are appended.
 */
export function skillPieces(body: string, given: string): Piece[] {
  const fill = filler(given.trim());
  const pieces = withCommands(body).map((piece): Piece => {
    return piece.kind === "text" ? { kind: "text", text: fill(piece.text) } : { kind: "command", command: fill(piece.command) };
  });
  const isPlaced = given.trim() === "" || takesArguments(body);
  return isPlaced ? pieces : [...pieces, { kind: "text", text: `\n\nArguments: ${given.trim()}` }];
}

/** `$ARGUMENTS` and `$1` to `$9`; a backslash before one keeps it as plain text. */
const place = /\\?\$(ARGUMENTS|[1-9])(?![\p{L}\p{N}_])/gu;

function takesArguments(body: string): boolean {
  return [...body.matchAll(place)].some(([whole]) => !whole.startsWith("\\"));
}

function filler(given: string): (text: string) => string {
  const words = wordsOf(given);
  return (text) =>
    text.replaceAll(place, (whole: string, name: string) => {
      if (whole.startsWith("\\")) return whole.slice(1);
      return name === "ARGUMENTS" ? given : (words[Number(name) - 1] ?? "");
    });
}

/** Blanks separate words; quotes keep them together. */
function wordsOf(given: string): string[] {
  return [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}

/** After a letter or another mark, `!` ends a sentence and the backticks are ordinary code. */
const command = /(?<![\p{L}\p{N}_!`])!`([^`\n]+)`/gu;

function withCommands(body: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: Piece) => {
    const last = pieces.at(-1);
    if (piece.kind === "text" && last?.kind === "text") last.text += piece.text;
    else if (piece.kind === "command" || piece.text !== "") pieces.push(piece);
  };
  let fence: string | undefined;
  for (const line of body.split(/(?<=\n)/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    for (const piece of isCode ? [{ kind: "text" as const, text: line }] : inLine(line)) add(piece);
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
  }
  return pieces;
}

function inLine(line: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of line.matchAll(command)) {
    pieces.push({ kind: "text", text: line.slice(from, match.index) }, { kind: "command", command: match[1]!.trim() });
    from = match.index + match[0].length;
  }
  return [...pieces, { kind: "text", text: line.slice(from) }];
}
