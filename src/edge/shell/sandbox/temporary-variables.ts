// Package managers and builds that fail without a cache that they can write. Theirs is in the home, where commands in the sandbox write nothing, so
// each gets one in the commands' own folder for temporary files. Not here: caches that what is installed in the tree leads to, as pnpm's.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isBelow } from "./closed-folders.ts";

/** By the variable that the program reads: the name of the folder. */
const caches = {
  npm_config_cache: "npm",
  GOCACHE: "go-build",
  GOLANGCI_LINT_CACHE: "golangci-lint",
  PIP_CACHE_DIR: "pip",
  POETRY_CACHE_DIR: "poetry",
  UV_CACHE_DIR: "uv",
  BUN_INSTALL_CACHE_DIR: "bun",
  CCACHE_DIR: "ccache",
  GRADLE_USER_HOME: "gradle", // it locks files in it also where it only reads
  CHROME_CONFIG_HOME: "chrome",
  PYLINTHOME: "pylint",
  WRANGLER_LOG_PATH: "wrangler",
};

/** Those with what an offline build needs: only where the home has none of these, which can be read. */
const stores = {
  GOMODCACHE: { folder: "go-mod", home: ["go/pkg/mod"] },
  CARGO_HOME: { folder: "cargo", home: [".cargo/registry", ".cargo/config.toml"] },
  npm_package_config_node_gyp_devdir: { folder: "node-gyp", home: [".cache/node-gyp"] },
  COREPACK_HOME: { folder: "corepack", home: [".cache/node/corepack"] },
  PRE_COMMIT_HOME: { folder: "pre-commit", home: [".cache/pre-commit"] },
  WORKON_HOME: { folder: "virtualenvs", home: [".local/share/virtualenvs"] },
  YARN_GLOBAL_FOLDER: { folder: "yarn", home: [".yarn/berry"] },
  PLAYWRIGHT_BROWSERS_PATH: { folder: "playwright", home: [".cache/ms-playwright"] },
  PUPPETEER_CACHE_DIR: { folder: "puppeteer", home: [".cache/puppeteer"] },
  CYPRESS_CACHE_FOLDER: { folder: "cypress", home: [".cache/Cypress"] },
  DENO_DIR: { folder: "deno", home: [".cache/deno"] },
};

/** npm notes in its cache when it has last looked for a newer npm; without that it would look at each run. */
const quiet = { npm_config_update_notifier: "false" };

type Place = { env: Record<string, string>; writable: string[] };

/** TMPDIR, and what is below it. `env`: a cache that it puts where commands write stays there, and a store stays where it says. */
export function temporaryVariables(temporary: string, { env, writable }: Place): Record<string, string> {
  const home = env["HOME"] ?? homedir();
  const spelled = (name: string) => [...new Set([name, ...Object.keys(env).filter((each) => each.toLowerCase() === name.toLowerCase())])];
  const own = Object.entries(caches).filter(([name]) => !spelled(name).some((each) => isBelow(env[each] ?? "", writable)));
  const missing = Object.entries(stores).filter(
    ([name, store]) => env[name] === undefined && !store.home.some((path) => existsSync(join(home, path))),
  );
  const folders = [...own, ...missing.map(([name, { folder }]) => [name, folder] as const)];
  const placed = folders.flatMap(([name, folder]) => spelled(name).map((each) => [each, join(temporary, ".cache", folder)] as const));
  const known = join(home, ".gradle/caches");
  const gradle: Record<string, string> = existsSync(known) ? { GRADLE_RO_DEP_CACHE: known } : {};
  // else .pnp.cjs would lead to our folder
  const yarn: Record<string, string> = missing.some(([name]) => name === "YARN_GLOBAL_FOLDER") ? { YARN_ENABLE_GLOBAL_CACHE: "false" } : {};
  return { TMPDIR: temporary, ...quiet, ...gradle, ...yarn, ...Object.fromEntries(placed) };
}
