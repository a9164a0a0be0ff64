import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { loadSettings } from "../../src/settings/files.ts";
import { keptRules } from "../../src/settings/kept-rules.ts";
import { powerFiles, recordTrust } from "../../src/settings/trust.ts";
import { scratchFolder } from "../scratch.ts";

function project() {
  const folder = scratchFolder();
  const [root, configDir] = [join(folder, "repo"), join(folder, "config")];
  mkdirSync(join(root, ".git"), { recursive: true });
  const kept = (cwd = root) => keptRules({ disk, configDir, cwd, settings: { root }, now: () => new Date(0), onFailed: () => {} });
  const allowed = () => {
    const loaded = loadSettings(disk, { cwd: root, home: folder, configDir, managed: [] });
    return loaded.ok ? { rules: loaded.effective.rules.allow.map(({ text }) => text), held: loaded.effective.held.length } : loaded.reason;
  };
  return { root, configDir, kept, allowed };
}

it("writes the rule to the project's local settings, where it applies from the next session on", async () => {
  const { root, kept, allowed } = project();
  mkdirSync(join(root, "src"));
  expect([kept()?.file, kept(join(root, "src"))?.file]).toEqual([".tool/settings.local.json", "../.tool/settings.local.json"]);
  await kept()?.addRule("Bash(npm test)");
  await kept()?.addRule("Edit");
  await kept()?.addRule("Edit");
  expect(allowed()).toEqual({ rules: ["Bash(npm test)", "Edit"], held: 0 });
  expect(JSON.parse(readFileSync(join(root, ".tool/settings.local.json"), "utf8"))).toEqual({
    permissions: { allow: ["Bash(npm test)", "Edit"] },
  });
});

it("stores nothing beside settings that wait for trust, and trusts nothing implicitly", async () => {
  const { root, configDir, kept, allowed } = project();
  const before = kept();
  mkdirSync(join(root, ".tool"));
  writeFileSync(join(root, ".tool/settings.json"), '{"permissions":{"allow":["Bash"]}}');
  expect(kept()).toBeUndefined();
  await expect(before?.addRule("Edit")).rejects.toThrow("the project's settings have changed and wait for trust");
  expect(allowed()).toEqual({ rules: [], held: 1 });

  recordTrust(disk, { configDir, root, hash: powerFiles(disk, { root, configDir }).hash ?? "", at: new Date(0) });
  await kept()?.addRule("Edit");
  expect(allowed()).toEqual({ rules: ["Edit", "Bash"], held: 0 });
});
