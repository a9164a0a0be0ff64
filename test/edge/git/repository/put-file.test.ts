import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { putFile } from "../../../../src/edge/git/repository/put-file.ts";
import { scratchFolder } from "../../../scratch.ts";

it("replaces a link itself, keeps the time that it is told, and leaves nothing beside the file", () => {
  const top = realpathSync(scratchFolder());
  writeFileSync(join(top, "outside"), "mine");
  mkdirSync(join(top, "git"));
  symlinkSync("../outside", join(top, "git/index"));
  putFile(join(top, "git/index"), Buffer.from("new"), 1_000_000_000);
  expect([readFileSync(join(top, "outside"), "utf8"), readFileSync(join(top, "git/index"), "utf8")]).toEqual(["mine", "new"]);
  expect([lstatSync(join(top, "git/index")).isFile(), statSync(join(top, "git/index")).mtimeMs]).toEqual([true, 1_000_000_000_000]);
  expect(readdirSync(join(top, "git"))).toEqual(["index"]);
});

it("writes nothing where a link stands for the folder", () => {
  const top = realpathSync(scratchFolder());
  mkdirSync(join(top, "elsewhere"));
  mkdirSync(join(top, "git"));
  renameSync(join(top, "git"), join(top, "was"));
  symlinkSync("elsewhere", join(top, "git"));
  expect(() => putFile(join(top, "git/index"), Buffer.from("new"))).toThrow();
  expect(readdirSync(join(top, "elsewhere"))).toEqual([]);
});
