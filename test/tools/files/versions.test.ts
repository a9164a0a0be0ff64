import { expect, it } from "vitest";
import { unseen } from "../../../src/tools/files/versions.ts";

it("lets an agent overwrite only the version of a file that it has read", () => {
  const seen = new Map([["a.ts", "v1"]]);
  expect(unseen(seen, "a.ts", "v1")).toBeUndefined();
  expect(unseen(seen, "a.ts", "v2")).toMatch(/^"a\.ts" has changed since you read it: .* Read it again/);
  expect(unseen(seen, "b.ts", "v1")).toMatch(/^"b\.ts" exists and you have not read it\. Read it first/);
});
