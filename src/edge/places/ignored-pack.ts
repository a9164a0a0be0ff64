// Ignored files on their way to a place: a line with the list, then their contents. There they are put where nothing is yet, and git is told to
// ignore them, whatever made it do so at home.
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import type { IgnoredContents, IgnoredFile } from "../git/repository/ignored-contents.ts";
import { madeFolder } from "../git/repository/ignored-files.ts";
import { unless } from "../system-error.ts";

const path = z.string().refine((text) => !text.startsWith("/") && !text.split("/").includes(".."), "not a path in the tree");
const listSchema = z.object({
  named: z.array(path),
  files: z.array(z.union([z.object({ path, mode: z.int(), size: z.int().min(0) }), z.object({ path, link: z.string() })])),
});

/** `brought`: what `exclude` has to name. */
export function packedFiles({ files, brought }: Pick<IgnoredContents, "files" | "brought">): Buffer {
  const listed = files.map((file) => ("link" in file ? file : { path: file.path, mode: file.mode, size: file.content.length }));
  const list = Buffer.from(`${JSON.stringify({ named: brought, files: listed } satisfies z.infer<typeof listSchema>)}\n`);
  return gzipSync(Buffer.concat([list, ...files.map((file) => ("link" in file ? Buffer.alloc(0) : file.content))]));
}

/** `exclude`: the file in which git looks for patterns of what it ignores. */
export function unpackFiles(packed: Buffer, { top, exclude }: { top: string; exclude: string }): void {
  const all = gunzipSync(packed);
  const start = all.indexOf(10) + 1;
  const { named, files } = listSchema.parse(JSON.parse(all.subarray(0, start).toString()));
  ignore(exclude, named);
  let from = start;
  for (const file of files) {
    if ("link" in file) put(top, file);
    else {
      put(top, { path: file.path, mode: file.mode, content: all.subarray(from, from + file.size) });
      from += file.size;
    }
  }
}

/** No link of the commit's own is followed, and nothing is replaced. */
function put(top: string, file: IgnoredFile): void {
  if (madeFolder(top, dirname(file.path)) !== undefined) return;
  const at = join(top, file.path);
  unless(
    "EEXIST",
    () => ("link" in file ? symlinkSync(file.link, at) : writeFileSync(at, file.content, { mode: file.mode, flag: "wx" })),
    undefined,
  );
}

/** Several hands may do so at the same time: a line that is there twice means the same. */
function ignore(exclude: string, named: readonly string[]): void {
  mkdirSync(dirname(exclude), { recursive: true });
  const known = new Set(unless("ENOENT", () => readFileSync(exclude, "utf8"), "").split("\n"));
  const lines = named.map((each) => `/${each.replaceAll(/[\\*?[\]! ]/g, "\\$&")}`).filter((line) => !known.has(line));
  if (lines.length > 0) appendFileSync(exclude, `${lines.join("\n")}\n`);
}
