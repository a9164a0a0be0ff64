import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { secretPlaces } from "../../../src/agent/workspace/secret-places.ts";

it("hides this program's own folder and the user's credentials", () => {
  expect(secretPlaces({ home: "/home/me", configDir: "/c" })).toEqual(
    expect.arrayContaining(["/c", "/home/me/.ssh", "/home/me/.aws", "/home/me/.netrc", "/home/me/.bash_history"]),
  );
});

it("hides just those places of the home that docs/permissions.md lists", () => {
  const [, list = ""] = /In your home:\n\n```text\n([^`]+)```/.exec(readFileSync("docs/permissions.md", "utf8")) ?? [];
  const places = secretPlaces({ home: "/home/me", configDir: "/c" }).slice(1);
  expect(list.split(/\s+/).filter(Boolean).toSorted()).toEqual(places.map((path) => path.slice("/home/me/".length)).toSorted());
});
