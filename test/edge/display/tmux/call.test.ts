import { realpathSync } from "node:fs";
import { expect, it } from "vitest";
import { callTmux } from "../../../../src/edge/display/tmux/call.ts";
import { findHelperPrograms } from "../../../../src/edge/processes/helper-programs.ts";
import { programFolder } from "../../../scratch.ts";

it("callTmux() advises another folder where tmux is inside the working directory, and an installation where there is none", async () => {
  const folder = realpathSync(programFolder({ tmux: "#!/bin/sh\n" }));
  findHelperPrograms([folder]);
  const faults = [folder, "/nowhere"].map((path) =>
    callTmux({ server: ["-S", "/nowhere/s"], commands: [["list-panes"]], env: { PATH: path } }).catch((error: Error) => error.message),
  );
  expect(await Promise.all(faults)).toEqual([
    `Cannot run tmux: tmux was found only in ${folder}, which is passed over: it is inside ${folder}, where commands of an agent may write. Run this in another folder, or use --display in-process.`,
    "Cannot run tmux: tmux was not found on PATH. Install tmux 3.2 or newer, or use --display in-process.",
  ]);
});
