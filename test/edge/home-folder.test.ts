import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { homeFolder } from "../../src/edge/home-folder.ts";

it.each([
  [{ HOME: "/home/ada" }, "/home/ada"],
  [{ HOME: "" }, userInfo().homedir],
  [{}, userInfo().homedir],
])("homeFolder() with %j", (env, folder) => {
  expect(homeFolder(env)).toBe(folder);
});
