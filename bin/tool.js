#!/usr/bin/env node
try {
  require("../dist/main.cjs");
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND" || require("node:fs").existsSync(`${__dirname}/../dist/main.cjs`)) throw error;
  console.error("tool is not built yet. To build it: npm ci && npm run build");
  process.exitCode = 1;
}
