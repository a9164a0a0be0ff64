// Pictures made byte by byte, for tests of what a model is shown.

/** The header of a PNG of this size, followed by `more` bytes. */
export function png(width: number, height: number, more = 0): Buffer {
  const bytes = Buffer.alloc(33 + more);
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
