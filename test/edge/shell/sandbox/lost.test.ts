// What becomes of a command when bubblewrap fails that worked before. A script on PATH stands before it, which a test replaces.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { lacks } from "../../../needs.ts";
import { failingWith, passing, replaceablePrograms } from "../../../replaceable-programs.ts";
import { eventually } from "../../../scratch.ts";
import { escapeWorld, preparedSandbox } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

async function world() {
  const { path, replace } = replaceablePrograms(["bwrap"]);
  vi.stubEnv("PATH", path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const made = await escapeWorld();
  onTestFinished(made.close);
  return { ...made, replace, has: (name: string) => existsSync(join(made.policy.cwd, name)) };
}

const done = (output: string) => ({ end: { kind: "exited", code: 0 }, output });
const why = "bwrap: No permissions to create new namespace";
const lost = `the sandbox cannot be used any more: ${why}. Nothing was run, and whether a command may run without a sandbox is decided for each one from now on`;

/** While it runs, the sandbox for the next command is not made yet. */
const until = (name: string) => `touch up; until [ -e ${name} ]; do sleep 0.02; done`;

inSandbox("a command that it does not start is not run, and says that the sandbox is lost and why", async () => {
  const { run, sandbox, replace, has, tree } = await world();
  const first = run(until("broken"));
  await eventually(() => has("up"));
  replace("bwrap", failingWith(why));
  tree.put("work/broken", "");
  expect(await first).toEqual(done(""));
  expect(await run("touch ran")).toEqual({ end: { kind: "failed", reason: lost }, output: "" });
  expect([has("ran"), sandbox.state()]).toEqual([false, { kind: "lost", why }]);
});

inSandbox("what waits in a sandbox from before runs the next command in it, and the one after that is not run", async () => {
  const made = await world();
  const { run, sandbox, replace } = made;
  await run("true");
  await eventually(() => preparedSandbox(made));
  replace("bwrap", null);
  expect(await run('[ -e "$HOST_TMP" ] || echo inside')).toEqual(done("inside\n"));
  expect(sandbox.state()).toEqual({ kind: "active" });
  expect((await run("touch ran")).end).toMatchObject({
    kind: "failed",
    reason: expect.stringMatching(/any more: \S+\/bwrap is gone\. Noth/),
  });
});

inSandbox("a command that was decided as one in the sandbox does not run outside it", async () => {
  const { run, sandbox, replace, has, tree } = await world();
  const first = run(until("broken"));
  await eventually(() => has("up"));
  replace("bwrap", failingWith(why));
  const second = run("touch ran", { inside: true });
  await eventually(() => sandbox.state().kind === "lost");
  const third = run("touch ran", { inside: true });
  tree.put("work/broken", "");
  const failed = { end: { kind: "failed", reason: lost }, output: "" };
  expect(await Promise.all([second, third])).toEqual([failed, failed]);
  expect(await first).toEqual(done(`\n[the sandbox cannot be used any more: ${why}]\n`));
  expect(has("ran")).toBe(false);
  expect(await run('[ -e "$HOST_TMP" ] && echo outside')).toEqual(done("outside\n"));
});

/** The trial works; `--chdir` is in the arguments of commands alone. */
const failingForCommands = (times: number, count: string) =>
  `#!/bin/sh
case "$*" in *--chdir*) echo >>'${count}'; [ $(wc -l <'${count}') -gt ${times} ] || { echo 'bwrap: setting up uid map' >&2; exit 1; };; esac
exec /usr/bin/bwrap "$@"
`;

inSandbox.each([
  [2, done("")],
  [100, { end: { kind: "failed", reason: "no sandbox could be made for it, so it did not run: bwrap: setting up uid map" }, output: "" }],
])("a failure of %i starts that the trial does not confirm leaves it as it is", async (times, expected) => {
  const { run, sandbox, replace, has, tree } = await world();
  const first = run(until("broken"));
  await eventually(() => has("up"));
  replace("bwrap", failingForCommands(times, tree.at("count")));
  tree.put("work/broken", "");
  await first;
  expect(await run("touch ran")).toEqual(expected);
  replace("bwrap", passing("bwrap"));
  expect([has("ran"), await run("touch again"), has("again"), sandbox.state()]).toEqual([
    expected.output === "" && expected.end.kind === "exited",
    done(""),
    true,
    { kind: "active" },
  ]);
});

inSandbox("a command's own message and exit code are its own, whatever bubblewrap would say", async () => {
  const { run, sandbox } = await world();
  expect(await run(`echo '${why}' >&2; exit 1`)).toEqual({ end: { kind: "exited", code: 1 }, output: `${why}\n` });
  expect((await run("no-such-program")).end).toEqual({ kind: "exited", code: 127 });
  expect((await run("if")).end).toEqual({ kind: "exited", code: 2 });
  expect(sandbox.state()).toEqual({ kind: "active" });
});
