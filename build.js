// Builds what ships, one bundle with lazy chunks, and beside it the programs that tests and benchmarks start as processes of their own.
import { readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { build } from "rolldown";

const common = { platform: "node", external: [/^node:/, ...builtinModules, "node-pty", "@lydell/node-pty"], logLevel: "warn" };
const output = { format: "esm", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" };
const programs = Object.fromEntries(
  readdirSync("test/programs")
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [name.replace(/\.ts$/, ""), `test/programs/${name}`]),
);

await build({ ...common, input: { main: "src/main.ts" }, output: { ...output, dir: "dist", cleanDir: true } });
await build({ ...common, input: programs, output: { ...output, dir: "dist/test" } });
