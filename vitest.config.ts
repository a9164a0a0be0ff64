// All files run in forks, none in threads: a program that one thread writes is busy (ETXTBSY) for another that starts it while a third
// starts something. Each end-to-end test has a home, a configuration and a tmux server of its own, so that files run side by side: more than
// there are cores, since most of them wait.
// No module has state, so the files that one worker runs share their modules; a file of its own each time is half a second of imports. For
// the same reason they are one project: each worker of each project imports everything once.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What waits for processes runs first, so that the end of a run does not wait for one long file; the rest as vitest sorts it. */
const slowRooms = ["/test/e2e/", "/test/process/", "/test/edge/"];

class SlowRoomsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => [...slowRooms, ""].findIndex((room) => moduleId.includes(room));
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/git-files.ts",
    setupFiles: "test/use-git-files.ts",
    maxWorkers: 6,
    pool: "forks",
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // Seven thousand tests share two cores with whatever else a runner has: one that fails there is tried once more, and marked in the output.
    retry: process.env.CI ? 1 : 0,
    // Between the two runs of .ci/run too: what is transformed once stays in node_modules.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: SlowRoomsFirst },
    // As in build.js: the scanner's own profiler would keep a process that has scanned much from ending.
    alias: { "@secretlint/profiler": fileURLToPath(new URL("src/edge/no-profiler.ts", import.meta.url)) },
    server: { deps: { inline: [/@secretlint\//] } },
  },
});
