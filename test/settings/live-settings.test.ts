import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { loadSettings } from "../../src/settings/files.ts";
import { liveSettings } from "../../src/settings/live-settings.ts";
import { tree } from "../tools/tree.ts";

/** A project whose settings ask for additional permissions, opened with and without --trust. */
function opened(trust: boolean) {
  const folder = tree({ "repo/.git/HEAD": "", "repo/.tool/settings.json": JSON.stringify({ permissions: { allow: ["Bash(ls:*)"] } }) });
  const places = { cwd: folder.at("repo"), home: folder.at("home"), configDir: folder.at("home/.tool"), managed: [] };
  const first = loadSettings(disk, places, { trust });
  if (!first.ok) throw new Error(first.reason);
  const look = liveSettings(disk, first);
  const allowed = () => {
    const seen = look();
    return seen.kind === "changed" ? { allow: seen.settings.effective.rules.allow.map(({ text }) => text), waits: seen.waits } : seen.kind;
  };
  return { folder, allowed, close: () => rmSync(folder.path, { recursive: true }) };
}

const rules = (...allow: string[]) => JSON.stringify({ permissions: { allow } });

it("reports each change once, and applies the user's own rules at once", () => {
  const { folder, allowed, close } = opened(false);
  const seen = [allowed()];
  folder.put("home/.tool/settings.json", rules("Bash(cat:*)"));
  seen.push(allowed(), allowed());
  folder.put("repo/.tool/settings.json", rules("Bash(ls:*)", "Bash(rm:*)"));
  seen.push(allowed());
  folder.put("home/.tool/settings.json", "{");
  seen.push(allowed(), allowed());
  close();
  expect(seen).toEqual([
    "same",
    { allow: ["Bash(cat:*)"], waits: false },
    "same",
    { allow: ["Bash(cat:*)"], waits: true },
    "broken",
    "same",
  ]);
});

it("with --trust trusts what was there at the start, and not what came later", () => {
  const { folder, allowed, close } = opened(true);
  folder.put("repo/.toolignore", "a\n");
  const before = allowed();
  folder.put("repo/.tool/settings.json", rules("Bash(ls:*)", "Bash(rm:*)"));
  const after = allowed();
  close();
  expect([before, after]).toEqual([
    { allow: ["Bash(ls:*)"], waits: false },
    { allow: [], waits: true },
  ]);
});
