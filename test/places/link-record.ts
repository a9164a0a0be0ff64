// Everything that goes over the links of a place in both directions, and what is on its disk, so that it can be searched: with what is packed and
// encoded in it taken apart.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ifPossible } from "../../src/edge/system-error.ts";
import { filesBelow } from "./place-world.ts";

/** A command of a place that keeps what goes there in `sent`, and what comes from there in `received`. */
export function recordingCommand(folder: string): string[] {
  const [sent, received] = [join(folder, "sent"), join(folder, "received")];
  const script = join(folder, "record.sh");
  const elsewhere = `env -i PATH="$PATH" HOME=${folder}/far-home`; // another machine has nothing of home's environment
  writeFileSync(script, `tee -a ${sent} | ${elsewhere} "$@" | tee -a ${received}\n`);
  return ["/bin/sh", script];
}

export type Record = { sent: Buffer[]; received: Buffer[] };

/** What has gone over the links, as it was and taken apart. */
export function recordedIn(folder: string): Record {
  const objects = gitObjects(join(folder, "scratch.git"));
  const of = (name: string) => {
    const raw = readFileSync(join(folder, name));
    const encoded = [...raw.toString("latin1").matchAll(/[A-Za-z0-9+/]{60,}={0,2}/g)].map(([text]) => Buffer.from(text, "base64"));
    const bundles = encoded.filter((bytes) => bytes.subarray(0, 15).toString() === "# v2 git bundle");
    return [raw, ...encoded, ...[raw, ...encoded].flatMap(unzipped), ...objects.added(bundles)];
  };
  return { sent: of("sent"), received: of("received") };
}

/** The contents of every file of a place's folder, and of every object of its repositories. */
export function onDisk(folder: string): Buffer[] {
  const repositories = join(folder, "repositories");
  const kept = existsSync(repositories) ? readdirSync(repositories).map((name) => join(repositories, name)) : [];
  return [...filesBelow(folder).flatMap((path) => ifPossible(() => readFileSync(path)) ?? []), ...kept.map(allObjects)];
}

export const has = (parts: Buffer[], text: string) => parts.some((part) => part.includes(text));

/** A text of many members of gzip, or with other bytes around them. */
function unzipped(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(gzip); at >= 0; at = bytes.indexOf(gzip, at + 1)) {
    const content = ifPossible(() => gunzipSync(bytes.subarray(at)));
    if (content) found.push(content);
  }
  return found;
}

const gzip = Buffer.from([0x1f, 0x8b, 0x08]);

/** Bundles are understood in the order in which they came, since each builds on those before. */
function gitObjects(repository: string): { added(bundles: Buffer[]): Buffer[] } {
  mkdirSync(repository);
  execFileSync("git", ["init", "--quiet", "--bare", repository]);
  const known = new Set<string>();
  return {
    added(bundles) {
      for (const bundle of bundles) {
        const pack = bundle.subarray(bundle.indexOf("\n\nPACK") + 2);
        execFileSync("git", ["index-pack", "--stdin", "--fix-thin"], { cwd: repository, input: pack, stdio: ["pipe", "ignore", "pipe"] });
      }
      const list = execFileSync("git", ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], {
        cwd: repository,
        encoding: "utf8",
      });
      const fresh = list.split("\n").filter((id) => id !== "" && !known.has(id));
      for (const id of fresh) known.add(id);
      return fresh.length === 0 ? [] : [contents(repository, fresh)];
    },
  };
}

const contents = (repository: string, ids: string[]) =>
  execFileSync("git", ["cat-file", "--batch"], { cwd: repository, input: `${ids.join("\n")}\n`, maxBuffer: 256 * 1024 * 1024 });

const allObjects = (repository: string) =>
  execFileSync("git", ["cat-file", "--batch-all-objects", "--batch"], { cwd: repository, maxBuffer: 256 * 1024 * 1024 });
