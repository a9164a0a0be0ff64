// What ships is one bundle with lazy chunks; the programs that tests and benchmarks start as processes of their own are built beside it.
import { readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { defineConfig } from "rolldown";

const external = [/^node:/, ...builtinModules, "node-pty", "@lydell/node-pty"];
const programs = Object.fromEntries(
  readdirSync("test/programs")
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [name.replace(/\.ts$/, ""), `test/programs/${name}`]),
);

export default defineConfig([
  {
    input: { main: "src/main.ts" },
    platform: "node",
    external,
    // proper-lockfile works on a file system of ours; what graceful-fs would do to Node's own on loading is not wanted.
    resolve: { alias: { "graceful-fs": "node:fs" } },
    // pi-tui brings a Markdown parser along, whether its component for that is used or not.
    treeshake: { moduleSideEffects: [{ test: /node_modules\/(@earendil-works\/pi-tui|marked)\//, sideEffects: false }] },
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      // Half of the bytes are half of the time that V8 reads before anything runs, and several MiB less in each process.
      minify: true,
      cleanDir: true,
    },
  },
  {
    input: programs,
    platform: "node",
    external,
    output: { dir: "dist/test", format: "esm", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
  },
]);
