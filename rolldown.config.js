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
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      minify: false,
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
