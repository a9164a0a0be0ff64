// Writes files under a given umask, or replaces one forever until it is killed.
import { join } from "node:path";
import { disk } from "../../src/edge/disk/disk.ts";

export type DiskWork = { kind: "umask"; folder: string; umask: number } | { kind: "replace"; folder: string; after: number };

const work: DiskWork = JSON.parse(process.argv[2] ?? "");
const at = (...names: string[]) => join(work.folder, ...names);

if (work.kind === "umask") {
  process.umask(work.umask);
  disk.makeFolder(at("deep", "folder"));
  disk.replace(at("list"), "one");
  disk.replace(at("list"), "two", { keep: at("prev") });
  disk.append(at("log"), "line\n");
  disk.publish(at("draft"), at("message"), "text");
} else {
  for (let number = work.after + 1; ; number++) {
    disk.replace(at("list"), `${number} ${"x".repeat(50_000)} ${number}`, { keep: at("prev") });
  }
}
