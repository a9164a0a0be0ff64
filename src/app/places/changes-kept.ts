// Keeps what files held before an agent's Write and Edit changed them at a place, so that a rewind can put them back: at home, where the same
// change arrives with the next snapshot.
import type { KeptFiles } from "../../agent/rewind/rewind.ts";

/** Brings home by `arrive`. `touched`: paths at home of files that Write and Edit may have changed; those that arrive are taken out. */
export async function keepingVersions(kept: KeptFiles | undefined, touched: Set<string>, arrive: () => Promise<void>): Promise<void> {
  if (!kept) return arrive();
  const before = await contentsOf(kept, [...touched]);
  await arrive();
  const after = await contentsOf(kept, [...touched]);
  for (const [path, old] of before) {
    const now = after.get(path);
    if (old === now || (old && now && old.equals(now))) continue;
    touched.delete(path);
    try {
      kept.versions.begin({ path, before: old, after: now })(true);
    } catch {
      // the disk is full: a rewind leaves that file alone
    }
  }
}

async function contentsOf({ disk }: KeptFiles, paths: readonly string[]): Promise<Map<string, Buffer | undefined>> {
  const read = async (path: string) => {
    const found = await disk.read(path);
    return [path, found.kind === "file" ? found.bytes : undefined] as const;
  };
  return new Map(await Promise.all(paths.map(read)));
}
