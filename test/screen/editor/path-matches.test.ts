import { expect, it } from "vitest";
import { pathMatches } from "../../../src/screen/editor/path-matches.ts";

const paths = [".env", "config/.env.local", "id.pem", "src/env.ts", "README.md"];

it("offers a file that usually holds secrets only after the beginning of its name", () => {
  expect(pathMatches(paths, "")).toEqual(["src/", "config/", "README.md", "src/env.ts"]);
  expect(pathMatches(paths, ".")).not.toContain(".env");
  expect(pathMatches(paths, "env")).toEqual(["src/env.ts"]);
  expect(pathMatches(paths, ".e")).toContain(".env");
  expect(pathMatches(paths, "config/.e")).toEqual(["config/.env.local"]);
});
