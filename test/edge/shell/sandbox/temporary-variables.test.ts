// Which caches commands in the sandbox get for themselves.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryVariables } from "../../../../src/edge/shell/sandbox/temporary-variables.ts";
import { scratchFolder } from "../../../scratch.ts";

it("are in their own folder for temporary files, but for those that the person has or has put where commands write", () => {
  const home = scratchFolder();
  const variables = (env: Record<string, string> = {}) => temporaryVariables("/tmp", { env: { HOME: home, ...env }, writable: ["/tree"] });
  expect(variables()).toMatchObject({
    npm_config_cache: "/tmp/.cache/npm",
    npm_config_update_notifier: "false",
    GOCACHE: "/tmp/.cache/go-build",
    GOMODCACHE: "/tmp/.cache/go-mod",
    CARGO_HOME: "/tmp/.cache/cargo",
  });
  mkdirSync(join(home, "go/pkg/mod"), { recursive: true });
  mkdirSync(join(home, ".cargo/registry"), { recursive: true });
  const again = variables({ GOCACHE: "/tree/cache/go", NPM_CONFIG_CACHE: "/var/npm", COREPACK_HOME: "/opt/corepack" });
  for (const kept of ["GOMODCACHE", "CARGO_HOME", "GOCACHE", "COREPACK_HOME"]) expect(again).not.toHaveProperty(kept);
  expect(again).toMatchObject({ NPM_CONFIG_CACHE: "/tmp/.cache/npm", npm_config_cache: "/tmp/.cache/npm" });
});
