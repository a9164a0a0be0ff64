// The disk under the guard for a session in an editor: what the person has typed there and not saved is what the agent reads, and what its change is made to.
// Searches and commands see what is saved.
import { createHash } from "node:crypto";
import type { FileRead, RealDisk } from "../../tools/disk.ts";
import type { OpenTexts } from "../ports/open-texts.ts";

export function editorsDisk(disk: RealDisk, editor: OpenTexts): RealDisk {
  /** What the file will be once it is saved; undefined if it is saved. */
  const unsaved = async (saved: FileRead): Promise<Buffer | undefined> => {
    const before = saved.bytes.toString("utf8");
    if (saved.bytes.length > mostBytes || before.includes("\0") || !Buffer.from(before).equals(saved.bytes)) return undefined; // no text
    const text = await editor.read(saved.path);
    return text === undefined || plain(text) === plain(before) ? undefined : Buffer.from(inFormOf(before, text));
  };
  return {
    ...disk,
    async read(path, how) {
      const saved = await disk.read(path, how);
      const bytes = saved.kind === "file" ? await unsaved(saved) : undefined;
      return saved.kind === "file" && bytes ? { ...saved, bytes, version: versionOf(bytes) } : saved;
    },
    async write(path, content) {
      const saved = content.expected === undefined ? undefined : await disk.read(path);
      const open = saved?.kind === "file" ? await unsaved(saved) : undefined;
      if (!open) return disk.write(path, content);
      if (versionOf(open) !== content.expected) return { kind: "changed", path };
      const isSaved = await editor.write?.(path, content.bytes.toString("utf8"));
      // What the editor does to it on saving, such as formatting, is a change that the agent has not seen.
      if (isSaved) return { kind: "written", path, version: versionOf(content.bytes) };
      return { kind: "refused", reason: "it has changes in the person's editor that are not saved, and that would be lost" };
    },
  };
}

/** Larger texts are not sent to and fro for each call. */
const mostBytes = 2 * 1024 * 1024;

const versionOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Editors keep a text without a mark at its beginning, and many with line feeds alone. */
const plain = (text: string) => text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");

function inFormOf(before: string, text: string): string {
  const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  const isWindows = before.includes("\r\n") && !/(?<!\r)\n/.test(before);
  return `${mark}${isWindows ? plain(text).replaceAll("\n", "\r\n") : text.replace(/^\uFEFF/, "")}`;
}
