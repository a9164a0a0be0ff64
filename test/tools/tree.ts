// A temporary folder with files in it, for tests that need a real disk.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Tree = {
  /** Free of links. */
  path: string;
  at(name: string): string;
  put(name: string, content: string | Buffer): void;
  text(name: string): string;
  remove(): void;
};

export function tree(files: Record<string, string | Buffer> = {}): Tree {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "tool-tree-")));
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
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
