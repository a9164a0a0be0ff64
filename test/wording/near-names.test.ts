import { describe, expect, it } from "vitest";
import { nearNames } from "../../src/wording/near-names.ts";

describe("nearNames()", () => {
  it.each([
    ["readme.md", ["README.md", "package.json"], ["README.md"]],
    ["server.js", ["server.ts", "client.js"], ["server.ts"]],
    ["confg.json", ["config.json", "conf"], ["config.json"]],
    ["a.ts", ["quite-another-name.ts"], []],
    [".env", [".env", "b"], [".env"]],
  ])("of %o among %o are %o", (wanted, names, near) => {
    expect(nearNames(wanted, names)).toEqual(near);
  });

  it("offers at most three, the nearest first, then by name", () => {
    expect(nearNames("test1.ts", ["test44.ts", "test3.ts", "test2.ts", "Test1.ts"])).toEqual(["Test1.ts", "test2.ts", "test3.ts"]);
  });
});
