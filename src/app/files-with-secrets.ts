// Which of the files that git would commit hold secrets: judged as `tool secrets scan --staged` judges them, by their contents.
import { scanFiles } from "../secrets/scan-files.ts";
import type { GitFiles } from "./machine.ts";
import type { World } from "./world.ts";

/** Leaves out what was read and has none. A file that cannot be read here counts by its name. */
export async function withSecrets({ cwd, edges }: Pick<World, "cwd" | "edges">, { tracked, uncovered }: GitFiles): Promise<GitFiles> {
  const { scanner, files } = await edges.secrets();
  const clean = new Set<string>();
  for (const path of new Set([...tracked, ...uncovered])) {
    try {
      const { findings, unread } = await scanFiles(files(cwd, [path]), { scanner, names: "commit" });
      if (findings.length === 0 && unread.length === 0) clean.add(path);
    } catch {
      // It is not in the working tree, where its contents could be looked at.
    }
  }
  const holds = (path: string) => !clean.has(path);
  return { tracked: tracked.filter(holds), uncovered: uncovered.filter(holds) };
}
