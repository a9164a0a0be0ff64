import { expect, it } from "vitest";
import { ignoredFilesMode } from "../../../src/app/batch/open-repository.ts";

it("broughtHow() copies ignored files where a link would lead into the /tmp that the sandbox hides", () => {
  expect([ignoredFilesMode("/tmp/app", "link"), ignoredFilesMode("/tmp/app"), ignoredFilesMode("/repo/app")]).toEqual([
    "copy",
    "copy",
    "copy",
  ]);
  expect([ignoredFilesMode("/repo/app", "link"), ignoredFilesMode("/tmpdata/app", "link")]).toEqual(["link", "link"]);
});
