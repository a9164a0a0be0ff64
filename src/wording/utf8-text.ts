// The text of a file that a person has written: UTF-8 or nothing, because a rule that is read as other letters than were written covers something else.

export type Utf8Text = { ok: true; text: string } | { ok: false; line: number; reason: string };

/** `line`: the first that is not UTF-8. The reason continues a sentence that names the file. */
export function utf8Text(bytes: Uint8Array): Utf8Text {
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const lines = linesIn(bytes);
    const line = lines.findIndex((each) => !isUtf8(each)) + 1;
    return { ok: false, line: Math.max(1, line), reason: "it is not UTF-8 text. Save it as UTF-8" };
  }
}

/** A line end is one byte in UTF-8, and part of no other letter. */
function linesIn(bytes: Uint8Array): Uint8Array[] {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 10);
  return [-1, ...ends].map((end, index) => bytes.subarray(end + 1, ends[index] ?? bytes.length));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
