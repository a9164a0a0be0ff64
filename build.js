// Builds what ships, one bundle with lazy chunks, and beside it the programs that tests and benchmarks start as processes of their own.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, resolve } from "node:path";
import { build } from "rolldown";
import { lazily } from "./scripts/lazy-widths.js";
import { loadedTogether } from "./scripts/loaded-together.js";
import { writeBundled } from "./scripts/release/bundled.js";

/** The scanner's own profiler keeps two entries for each rule and text, forever. */
const noProfiler = { "@secretlint/profiler": resolve("src/edge/no-profiler.ts") };
/** The form that Node would take loads its parts by names that a bundle does not have. */
const wholeModules = { "jsonc-parser": resolve("node_modules/jsonc-parser/lib/esm/main.js") };
const aliases = { ...noProfiler, ...wholeModules };
const common = {
  platform: "node",
  external: [/^node:/, ...builtinModules, "@lydell/node-pty"],
  resolve: { alias: aliases },
  logLevel: "warn",
  /** A build says nothing, or it fails. The one eval belongs to an engine of gray-matter that ours take the place of. */
  onLog(level, log) {
    const isReplaced = log.code === "EVAL" && /gray-matter.lib.engines\.js/.test(`${log.id} ${log.message}`);
    if (level === "warn" && !isReplaced) throw new Error(`${log.code}: ${log.message}`);
  },
};
const esm = { format: "esm", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" };
/** Node 20 takes a fifth longer to start a program of ECMAScript modules than the same one of CommonJS: what ships is the latter. */
const cjs = { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "chunks/[name]-[hash].cjs", dynamicImportInCjs: false };
const programs = Object.fromEntries(
  readdirSync("test/programs")
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [name.replace(/\.ts$/, ""), `test/programs/${name}`]),
);

/** pi-tui as it is makes the first prompt take 1.3 times as long (329 beside 243 ms, median of 20 pairs on two loaded cores). */
const lazyWidths = {
  name: "lazy-widths",
  transform: (code, id) => (id.endsWith("/@earendil-works/pi-tui/dist/utils.js") ? lazily(code) : undefined),
};

/** The clouds' clients import all resources of the SDK, which would be loaded for every provider then: a quarter of a megabyte. */
const noResources = {
  name: "no-resources",
  resolveId(source, importer) {
    const isCloud = /@anthropic-ai\/(bedrock|vertex)-sdk\//.test(importer ?? "");
    return isCloud && source === "@anthropic-ai/sdk/resources/index" ? resolve("src/edge/model/cloud/no-resources.ts") : undefined;
  },
};

/**
 * A text of ASCII is read in a tenth of the time and takes half of the memory in V8. A tagged template whose tag looks at the raw text would see
 * the escape: ours with `String.raw` are parts of regular expressions, to which both are the same.
 */
const inAscii = {
  name: "in-ascii",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk")
        chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  },
};

/** On a terminal, what is being done now, on one line that is gone at the end. */
const say = (text) => process.stdout.isTTY && process.stdout.write(`\r\x1b[K${text}`);
say("Building tool: the program …");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const together = loadedTogether("src/main.ts");
const shipped = await build({
  ...common,
  onLog: (level, log) => together.isLoadedAnyway(log) || common.onLog(level, log),
  input: { main: "src/main.ts" },
  preserveEntrySignatures: "allow-extension",
  transform: {
    // zod's compiled parsers take half a millisecond for each schema to be made, and are faster only after thousands of values.
    define: { TOOL_VERSION: JSON.stringify(version), "globalThis.__zod_globalConfig": "({ jitless: true })" },
    // Node's own class loads its whole fetch: a session of one reply takes 0.96 of the processor time with ours (299 beside 310 ms, median of
    // 20 pairs), and 2.8 MiB less.
    inject: { Headers: [resolve("src/edge/model/headers.ts"), "Headers"] },
  },
  // proper-lockfile works on a file system of ours; what graceful-fs would do to Node's own on loading is not wanted.
  resolve: { alias: { "graceful-fs": "node:fs", ...aliases } },
  // pi-tui brings a Markdown parser along, whether its component for that is used or not.
  treeshake: { moduleSideEffects: [{ test: /node_modules\/(@earendil-works\/pi-tui|marked)\//, sideEffects: false }] },
  plugins: [lazyWidths, noResources, inAscii],
  // Half of the bytes are half of what V8 has to read before anything runs, and several MiB less in each process.
  output: { ...cjs, dir: "dist", cleanDir: true, minify: true, codeSplitting: together.codeSplitting },
});
writeBundled("dist", { modules: shipped.output.flatMap(({ moduleIds = [] }) => moduleIds), root: import.meta.dirname });
say("Building tool: the programs of its tests …");
const codeCache = { "record-code-cache": "scripts/code-cache/record.ts", "play-sessions": "scripts/code-cache/sessions.ts" };
await build({ ...common, input: { ...programs, ...codeCache }, output: { ...esm, dir: "dist/test" } });

// A worker starts from a file, and a place is sent one: beside the chunk that reads it.
for (const chunks of ["dist/chunks", "dist/test/chunks"])
  for (const path of ["src/edge/disk/search-worker.js", "src/edge/places/second-step.js"])
    copyFileSync(path, `${chunks}/${basename(path)}`);

// One text for all names, since a package holds no links. Without those two that replace what git does by itself: push-to-checkout and
// proc-receive.
const hooks =
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update post-receive post-update reference-transaction pre-auto-gc post-rewrite sendemail-validate post-index-change";
mkdirSync("dist/hooks", { recursive: true });
copyFileSync("src/edge/git/commit-gate.sh", "dist/hooks/of-tool");
for (const name of hooks.split(" ")) {
  writeFileSync(`dist/hooks/${name}`, `#!/bin/sh\n. "\${0%/*}/of-tool"\n`);
  chmodSync(`dist/hooks/${name}`, 0o755);
}

say("Building tool: sessions that record what a start compiles …");
const { status, stderr } = spawnSync(process.execPath, ["dist/test/play-sessions.js"], { encoding: "utf8" });
if (status !== 0)
  console.error(`The code cache is incomplete, so the program starts more slowly: a session could not be recorded.\n${stderr}`);
say("");
