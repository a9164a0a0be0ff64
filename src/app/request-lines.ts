// Splits a program's output into requests, one a line.

export type RequestLine = { kind: "text"; text: string } | { kind: "too_long"; bytes: number } | { kind: "not_utf8" };

/**
 * Yields the lines of `input` without blank ones. LF and CRLF end a line; the last line needs no end. Of a line longer than `maxBytes` only the
 * length is kept.
 */
export async function* requestLines(input: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<RequestLine> {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  const finish = (): RequestLine[] => {
    const line: RequestLine = length > maxBytes ? { kind: "too_long", bytes: length } : decoded(Buffer.concat(parts));
    parts = [];
    length = 0;
    return line.kind === "text" && line.text.trim() === "" ? [] : [line];
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      add(chunk.subarray(start, end));
      yield* finish();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  yield* finish();
}

/** Invalid UTF-8 is refused: with replacement characters it would be stored as another text. */
function decoded(bytes: Buffer): RequestLine {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { kind: "not_utf8" }; // a fatal decoder throws for no other reason
  }
}
