// Whether commands can be sandboxed, on each kind of machine. Here a program that accepts the same arguments replaces sandbox-exec.
import { realpathSync } from "node:fs";
import { expect, it } from "vitest";
import type { SandboxView } from "../../../../src/agent/ports/mounts.ts";
import { trySandbox } from "../../../../src/edge/shell/sandbox/trial.ts";
import { programFolder } from "../../../scratch.ts";

const folderWith = (script: string) => realpathSync(programFolder({ "sandbox-exec": `#!/bin/sh\n${script}\n` }));

it("on macOS it is sandbox-exec, if that runs", async () => {
  const path = folderWith('[ "$1" = -p ] || exit 64; shift 2; exec "$@"');
  const trial = await trySandbox("/", { platform: "darwin", path });
  const view: SandboxView = { cwd: "/", mounts: [], network: false };
  expect(trial.kind === "works" ? trial.argv(view).slice(0, 2) : trial).toEqual([`${path}/sandbox-exec`, "-p"]);
});

it("on macOS it is missing, with the reason, if sandbox-exec refuses or is missing", async () => {
  const path = folderWith('echo "sandbox_apply: Operation not permitted" >&2; exit 71');
  expect([await trySandbox("/", { platform: "darwin", path }), await trySandbox("/", { platform: "darwin", path: "/nowhere" })]).toEqual([
    { kind: "missing", why: "sandbox_apply: Operation not permitted" },
    { kind: "missing", why: "sandbox-exec was not found on PATH" },
  ]);
});

it("on systems other than Linux and macOS there is none", async () => {
  expect(await trySandbox("/", { platform: "freebsd" })).toEqual({ kind: "missing", why: "there is none for freebsd" });
});
