// Nothing in a sandbox outlives its command, whatever the command does to the first process there.
import { existsSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { escapeWorld, survivors } from "../../escape-world.ts";

const inSandbox = it.skipIf((await lacks("sandbox")) || process.arch !== "x64");
const script = readFileSync(new URL("./outliving.py", import.meta.url), "utf8");

async function world() {
  const made = await escapeWorld();
  onTestFinished(made.close);
  made.tree.put("work/outliving.py", script);
  return made;
}

inSandbox("a command that has ended leaves no process, even if it may trace others", async () => {
  const made = await world();
  const { end, output } = await made.run("python3 outliving.py </dev/null 2>&1");
  // a machine may forbid it (yama)
  expect([end, output]).toEqual(
    /may not trace/.test(output)
      ? [{ kind: "exited", code: 3 }, expect.stringContaining("may not trace")]
      : [{ kind: "exited", code: 0 }, "traced\n"],
  );
  expect(survivors(made)).toEqual([]);
});

inSandbox("neither does one that is interrupted", async () => {
  const made = await world();
  const interruption = new AbortController();
  const running = made.run("python3 outliving.py </dev/null 2>&1; touch up; sleep 60", { signal: interruption.signal });
  await eventually(() => existsSync(made.tree.at("work/up")));
  interruption.abort();
  expect((await running).end).toEqual({ kind: "aborted" });
  expect(survivors(made)).toEqual([]);
});
