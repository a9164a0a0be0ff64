// What the package ships: the built program, the demos, and what a person reads first.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("ships what runs and nothing else, in less than 4 MB", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8", stdio: "pipe" });
  const [{ files, unpackedSize }]: [{ files: { path: string }[]; unpackedSize: number }] = JSON.parse(packed);
  expect([...new Set(files.map(({ path }) => kindOf(path)))].sort()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "bin/package.json",
    "bin/tool.js",
    "dist/chunks/*.cjs",
    "dist/chunks/search-worker.js",
    "dist/chunks/second-step.js",
    "dist/hooks/*",
    "dist/main.cjs",
    "fixtures/README.md",
    "fixtures/repos/*",
    "fixtures/scripts/*",
    "package.json",
  ]);
  expect(unpackedSize).toBeLessThan(4_000_000);
});

/** Names of chunks change with their content, and every demo has a script and a repository. */
function kindOf(path: string): string {
  return path
    .replace(/^(dist\/chunks)\/[^/]+\.cjs$/, "$1/*.cjs")
    .replace(/^(dist\/hooks)\/.+/, "$1/*")
    .replace(/^(fixtures\/(?:repos|scripts))\/.+/, "$1/*");
}
