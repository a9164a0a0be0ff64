// What git says about folders that it may not read.
import { expect, it } from "vitest";
import { unopened } from "../../../../src/edge/git/repository/repository-files.ts";

it("unopened() names the folders that git passed over, and takes nothing else for one", () => {
  const said = [
    "warning: could not open directory 'noread/': Permission denied",
    "warning: could not open directory 'gone/': No such file or directory",
    "warning: could not open directory 'it's/closed/': Permission denied",
    "warning: something else",
    "",
  ].join("\n");
  expect(unopened(said)).toEqual(["noread/", "it's/closed/"]);
  expect(unopened("")).toEqual([]);
});
