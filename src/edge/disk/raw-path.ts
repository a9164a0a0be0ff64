// Names that are not UTF-8, in strings: each of their bytes from 0x80 on is a surrogate without its partner, which no text has. Node itself
// would read other names, and so other files, into such strings.
import { isUtf8 } from "node:buffer";

/** The name or path as text. */
export function textOf(name: Buffer): string {
  const text = name.toString("utf8");
  if (!text.includes("\uFFFD") || isUtf8(name)) return text;
  return name.toString("latin1").replaceAll(/[\x80-\xFF]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}

/** What to give to the system for a path of `textOf()`, or one below it. */
export function rawPath(path: string): string | Buffer {
  if (!isRaw(path)) return path;
  const parts = path.split(/([\uDC80-\uDCFF]+)/u);
  return Buffer.concat(parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.from(part, "latin1"))));
}

/** Whether it is not UTF-8, so that no other program can be told of it. */
export const isRaw = (path: string): boolean => /[\uDC80-\uDCFF]/u.test(path);
