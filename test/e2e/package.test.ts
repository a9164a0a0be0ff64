// What the package ships: the built program, the demos, and what a person reads first.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("ships what runs and nothing else, in less than 5.2 MB", () => {
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
    "dist/licences.txt",
    "dist/main.cjs",
    "dist/sbom.cdx.json",
    "fixtures/README.md",
    "fixtures/repos/*",
    "fixtures/scripts/*",
    "package.json",
  ]);
  expect(unpackedSize).toBeLessThan(5_200_000);
});

it("says in a bill of materials and in licence texts what it contains, and installs nothing that runs a script", () => {
  const own = JSON.parse(readFileSync("package.json", "utf8"));
  const sbom: Sbom = JSON.parse(readFileSync("dist/sbom.cdx.json", "utf8"));
  const named = sbom.components.map(({ name, version }) => `${name} ${version}`);
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { name: own.name, version: own.version } },
  });
  expect(named).toContain(`zod ${own.devDependencies.zod}`);
  expect(named.filter((name) => /vitest|typescript|rolldown|server-everything/.test(name))).toEqual([]);
  expect(sbom.components.filter(({ scope }) => scope === "optional").map(({ name }) => name)).toEqual(
    Object.keys(own.optionalDependencies),
  );
  const texts = readFileSync("dist/licences.txt", "utf8");
  for (const { name, version, scope } of sbom.components)
    expect(scope === "optional" || texts.includes(`\n${name} ${version} (`), name).toBe(true);
  const lock: Lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const installed = Object.entries(lock.packages).filter(([path, one]) => path !== "" && !one.dev && !one.devOptional);
  expect(
    installed
      .map(([path]) => path.replace("node_modules/", "").replace(/-(darwin|linux|win32)-.*/, ""))
      .every((name) => name === "@lydell/node-pty"),
  ).toBe(true);
  expect([own.dependencies, own.private, installed.filter(([, one]) => one.hasInstallScript)]).toEqual([undefined, undefined, []]);
});

type Sbom = { components: { name: string; version: string; scope?: string }[] };
type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean; hasInstallScript?: boolean }> };

/** Names of chunks change with their content, and every demo has a script and a repository. */
function kindOf(path: string): string {
  return path
    .replace(/^(dist\/chunks)\/[^/]+\.cjs$/, "$1/*.cjs")
    .replace(/^(dist\/hooks)\/.+/, "$1/*")
    .replace(/^(fixtures\/(?:repos|scripts))\/.+/, "$1/*");
}
