// This program as one text, to be sent to a place: a line with the files, then their contents. Its hash names it there.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ProgramPack } from "../../places/ports.ts";

const folders = ["bin", "dist", "dist/chunks", "dist/hooks"];

export function programPack(packageDir: string): ProgramPack {
  const { list, files } = programFiles(packageDir);
  const all = [list, ...files.map(({ content }) => content)];
  const hash = createHash("sha256");
  for (const part of all) hash.update(part);
  return { hash: hash.digest("hex"), bytes: () => gzipSync(Buffer.concat(all)) };
}

/** What the pack is made of: `list` is its first line. */
export function programFiles(packageDir: string) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(packageDir, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".cache")) // what one machine compiled is of no use to another
      .map(({ name }) => `${folder}/${name}`),
  );
  const files = paths.toSorted().map((path) => ({
    path,
    mode: statSync(join(packageDir, path)).mode & 0o100 ? 0o700 : 0o600,
    content: readFileSync(join(packageDir, path)),
  }));
  return { list: Buffer.from(`${JSON.stringify(files.map(({ path, mode, content }) => [path, mode, content.length]))}\n`), files };
}
