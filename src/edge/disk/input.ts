// A file that the user named as a command's input, including pipes such as the shell's `<(…)`.
import { open } from "node:fs/promises";
import { codeOf } from "../system-error.ts";

/** Streams its bytes; undefined if there is no such file. */
export async function openInput(path: string): Promise<AsyncIterable<Buffer> | undefined> {
  try {
    const handle = await open(path);
    if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
    await handle.close();
    throw new Error(`Cannot read "${path}": it is a folder`);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
