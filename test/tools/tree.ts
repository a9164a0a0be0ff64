// A temporary folder with files in it, for tests that need a real disk.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FileSource } from "../../src/tools/tool.ts";

export type Tree = {
  /** The real path, without links. */
  path: string;
  at(name: string): string;
  put(name: string, content: string | Buffer): void;
  text(name: string): string;
  /** The file as a source of a result. */
  source(name: string): FileSource;
  remove(): void;
};

/** `folder`: where it is made. */
export function tree(files: Record<string, string | Buffer> = {}, folder = tmpdir()): Tree {
  const path = realpathSync(mkdtempSync(join(folder, "tool-tree-")));
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  return {
    path,
    at: (name) => join(path, name),
    put,
    text: (name) => readFileSync(join(path, name), "utf8"),
    source(name) {
      const bytes = readFileSync(join(path, name));
      return { path: name, sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length };
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
