// A folder for the files that our git is given in tests that call it in their own process: removed after the last test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "tool-git-files-"));
  project.provide("gitFiles", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

declare module "vitest" {
  export interface ProvidedContext {
    gitFiles: string;
  }
}
