import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { inputOf, textOf } from "../../../src/app/controls/input-of.ts";
import { UsageError } from "../../../src/app/world.ts";
import { openInput } from "../../../src/edge/disk/input.ts";
import { scratchFolder } from "../../scratch.ts";

it("inputOf() reads standard input, and reports a folder or missing file as wrong usage", async () => {
  const cwd = scratchFolder();
  const world = { cwd, stdin: Readable.from([Buffer.from("piped")]), edges: { input: openInput } };
  expect(await textOf(await inputOf(world, "-"))).toBe("piped");
  await expect(inputOf(world, ".")).rejects.toThrow(new UsageError(`Cannot read "${cwd}": it is a folder`));
  await expect(inputOf(world, "gone.json")).rejects.toThrow(new UsageError("Cannot read the input: there is no file gone.json."));
  await expect(inputOf(world, ".")).rejects.toBeInstanceOf(UsageError);
});
