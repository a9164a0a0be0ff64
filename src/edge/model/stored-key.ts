// The provider's key that a person has given to the program: in a file of their own folder, which only they can read, for one address.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { codeOf } from "../system-error.ts";

/** A key for one server is not sent to another one. */
export type StoredKey = { address: string; key: string };

const shape = z.object({ version: z.literal(1), address: z.string(), key: z.string() });

/** Undefined if there is none. Throws if the file cannot be read, without any of its text. */
export function readStoredKey(file: string): StoredKey | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `Cannot use the key in ${file}: it is damaged. Remove the file, and start a session on a terminal to be asked for the key.`,
    );
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = codeOf(error) ?? "unknown error";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined; // whoever needs the folder says what is wrong with it
    throw new Error(`Cannot read the key in ${file} (${code}). Make it readable for you, or remove it to be asked for the key.`);
  }
}

/** The text of the file. */
export const storedKeyText = (stored: StoredKey) => `${JSON.stringify({ version: 1, ...stored }, null, 2)}\n`;
