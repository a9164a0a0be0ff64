// The environment that a display keeps.
import { expect, it } from "vitest";
import { keptEnvironment } from "../../../src/edge/display/kept-environment.ts";

it("keptEnvironment() keeps what programs need to find themselves, and no key", () => {
  const env = { PATH: "/bin", HOME: "/home/bob", LC_ALL: "C", TERM: "xterm", ANTHROPIC_API_KEY: "x", TOOL_OWNER: "a:b", SHELL: undefined };
  expect(keptEnvironment(env)).toEqual({ PATH: "/bin", HOME: "/home/bob", LC_ALL: "C", TERM: "xterm" });
});
