import { expect, it } from "vitest";
import { isHeldForGood } from "../../src/settings/repository-environment.ts";

it.each([
  "NODE_OPTIONS",
  "node_options",
  "PATH",
  "GIT_SSH_COMMAND",
  "LD_PRELOAD",
  "npm_config_registry",
  "HTTPS_PROXY",
  "MY_EDITOR",
  "OPENAI_BASE_URL",
  "TOOL_CONFIG_DIR",
])("isHeldForGood(): a repository never sets %s", (name) => expect(isHeldForGood(name)).toBe(true));

it.each(["PORT", "DATABASE_NAME", "NODE_ENV", "EDITORIAL", "PATHS", "CI"])("isHeldForGood(): a trusted one may set %s", (name) =>
  expect(isHeldForGood(name)).toBe(false),
);
