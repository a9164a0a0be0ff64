// Words of another agent or of a program in a text for a model. The model tells its person's words from them by two things alone: a message is
// enclosed in a tag, and what stands in a sentence of ours stands in one line.

/** Within a sentence of ours: no line of it begins a paragraph, which would read like the person's or the harness's own. */
export function inLine(text: string): string {
  return withoutTag(text)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Within the tag of a message: nothing in it ends that message or begins another, however it is spelled. */
export function withoutTag(text: string): string {
  return text.replaceAll(tag, "<\\");
}

const ignored = "[\\s\\p{Cc}\\p{Cf}]*";
const tag = new RegExp(`<(?=[\\s\\p{Cc}\\p{Cf}/]*${Array.from("message").join(ignored)})`, "giu");
