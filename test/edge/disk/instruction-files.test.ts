import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadInstructions, skippedInstructions } from "../../../src/agent/instructions.ts";
import { instructionFiles } from "../../../src/edge/disk/instruction-files.ts";
import { whyNotInstructed } from "../../../src/permissions/paths/hidden.ts";
import { makePolicy } from "../../../src/permissions/policy.ts";
import { scratchFolder } from "../../scratch.ts";

it("reports which instruction files exist but instruct nobody, and why", async () => {
  const cwd = join(scratchFolder(), "repo");
  const folders = ["a", "a/b", "a/b/c", "a/b/c/d"].map((name) => join(cwd, name));
  mkdirSync(folders.at(-1)!, { recursive: true });
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, "AGENTS.md"), "read");
  symlinkSync("AGENTS.md", join(cwd, "TOOL.md"));
  symlinkSync("/etc/passwd", join(folders[0]!, "AGENTS.md"));
  execFileSync("mkfifo", [join(folders[1]!, "AGENTS.md")]);
  mkdirSync(join(folders[2]!, "TOOL.md"));
  symlinkSync("missing", join(folders[3]!, "TOOL.md"));
  writeFileSync(join(folders[3]!, "AGENTS.md"), "denied");
  const at = folders[3]!;
  const deny = [{ text: "Read(AGENTS.md)", scope: "user", folder: at } as const];
  const made = await makePolicy({ cwd: at, home: "/home/me", configDir: "/home/me/.tool", deny }, async (path) => path);
  if (!made.ok) throw new Error(made.reason);
  const files = instructionFiles((file) => whyNotInstructed(file, made.policy));
  const { found, skipped } = await loadInstructions(files, { cwd: at, configDir: "/home/me/.tool" });
  expect(found.map(({ text }) => text)).toEqual(["read", "read"]);
  expect(skippedInstructions(skipped, at)).toEqual([
    `${folders[0]}/AGENTS.md instructs no agent: it is a link that leads out of its folder, to /etc/passwd.`,
    "../../AGENTS.md instructs no agent: it is not a regular file.",
    "../TOOL.md instructs no agent: it is a folder.",
    expect.stringMatching(/^AGENTS\.md instructs no agent: .*denie.*\.$/),
    "TOOL.md instructs no agent: it is a link that leads nowhere.",
  ]);
});

it("reads CLAUDE.md only in a folder that has neither AGENTS.md nor TOOL.md", async () => {
  const cwd = join(scratchFolder(), "repo");
  const folders = ["a", "a/b"].map((name) => join(cwd, name));
  mkdirSync(folders.at(-1)!, { recursive: true });
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, "CLAUDE.md"), "top");
  writeFileSync(join(folders[0]!, "CLAUDE.md"), "beside");
  writeFileSync(join(folders[0]!, "AGENTS.md"), "own");
  writeFileSync(join(folders[1]!, "CLAUDE.md"), "deep");
  symlinkSync("missing", join(folders[1]!, "TOOL.md"));
  const { found, skipped } = await loadInstructions(
    instructionFiles(() => undefined),
    { cwd: folders[1]!, configDir: "/home/me/.tool" },
  );
  expect([found.map(({ text }) => text), skipped.map(({ path }) => path)]).toEqual([["top", "own"], [join(folders[1]!, "TOOL.md")]]);
});
