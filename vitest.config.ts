// Three projects, by what a test may touch: pure code, real processes, the built program. All run in forks, none in threads: a program that
// one thread writes is busy (ETXTBSY) for another that starts it while a third starts something. Each e2e test has a home, a configuration
// and a tmux server of its own, so that files run side by side: more than there are cores, since most of them wait.
// No module has state, so the files that one worker runs share their modules; a file of its own each time is half a second of imports.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    maxWorkers: 6,
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/process/**", "test/e2e/**"],
          pool: "forks",
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // As in build.js: the scanner's own profiler would keep a process that has scanned much from ending.
          alias: { "@secretlint/profiler": fileURLToPath(new URL("src/edge/no-profiler.ts", import.meta.url)) },
          server: { deps: { inline: [/@secretlint\//] } },
        },
      },
      {
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts"],
          pool: "forks",
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
