import { expect, it } from "vitest";
import { broughtHow } from "../../../src/app/batch/open-repository.ts";

it("broughtHow() copies ignored files where a link would lead into the /tmp that the sandbox hides", () => {
  expect([broughtHow("/tmp/app", "link"), broughtHow("/tmp/app"), broughtHow("/repo/app")]).toEqual(["copy", "copy", "copy"]);
  expect([broughtHow("/repo/app", "link"), broughtHow("/tmpdata/app", "link")]).toEqual(["link", "link"]);
});
