// A bare repository among a project's own files, whose config makes git start programs as soon as a git command reads it.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandEnvironment } from "../../src/secrets/environment.ts";
import { quoted, scratchFolder } from "../scratch.ts";

it("git in a command takes no settings from a bare repository among the files", () => {
  const folder = scratchFolder();
  const planted = join(folder, "docs");
  const canary = join(folder, "canary");
  const own = { PATH: process.env["PATH"] ?? "", HOME: scratchFolder() };
  execFileSync("git", ["init", "--quiet", "--bare", planted], { env: own });
  execFileSync("git", ["--git-dir", planted, "config", "core.fsmonitor", `touch ${quoted(canary)}; false`], { env: own });
  execFileSync("git", ["--git-dir", planted, "config", "core.bare", "false"], { env: own });
  execFileSync("git", ["--git-dir", planted, "config", "core.worktree", folder], { env: own });
  writeFileSync(join(folder, "a.txt"), "a");
  const status = (env: Record<string, string>) => spawnSync("git", ["status"], { cwd: planted, env, encoding: "utf8" });
  const commands = status(commandEnvironment(own, "s1:ada"));
  const ran = existsSync(canary);
  status(own);
  expect({ code: commands.status, ran, runsWithout: existsSync(canary) }).toEqual({ code: 128, ran: false, runsWithout: true });
});
