import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { loadSettings } from "../../src/settings/files.ts";
import { liveSettings } from "../../src/settings/live-settings.ts";
import { settingsInWorktree } from "../../src/settings/worktree-settings.ts";
import { tree } from "../tools/tree.ts";

it("gives a worktree the rights of the user's tree, for the worktree's own files", () => {
  const settings = (deny: string) => JSON.stringify({ permissions: { deny: [deny], allow: ["Edit(/src/**)"] } });
  const world = tree({
    "repo/.git/HEAD": "",
    "repo/.tool/settings.json": settings("Read(/secret/**)"),
    "repo/.toolignore": "*.hidden\n",
    "repo/packages/a.ts": "",
    "repo-agents-1/a-1/.git": "gitdir: nowhere\n",
    "repo-agents-1/a-1/.tool/settings.json": JSON.stringify({ permissions: { allow: ["Bash(*)"] } }),
    "repo-agents-1/a-1/packages/a.ts": "",
    "home/.tool/settings.json": JSON.stringify({ permissions: { allow: ["Edit(/notes/**)"] } }),
    "repo/packages/more.json": JSON.stringify({ permissions: { ask: ["Bash(make)"] } }),
  });
  try {
    const { at } = world;
    const places = { cwd: at("repo/packages"), home: at("home"), configDir: at("home/.tool"), managed: [] };
    const session = loadSettings(disk, places, { trust: true, allow: ["Write(x.ts)"], settings: ["more.json"] });
    if (!session.ok) throw new Error(session.reason);
    const top = at("repo-agents-1/a-1");
    const child = settingsInWorktree(session, { top, cwd: `${top}/packages` });
    const rules = ({ effective }: typeof child) => {
      const { allow, ask, deny } = effective.rules;
      return [...allow, ...ask, ...deny].map(({ text, folder }) => `${text} in ${folder?.replace(world.path, "")}`);
    };
    const moved = [
      "Write(x.ts) in /repo-agents-1/a-1/packages",
      "Edit(/src/**) in /repo-agents-1/a-1",
      "Edit(/notes/**) in /home",
      "Bash(make) in /repo-agents-1/a-1/packages",
    ];
    expect(rules(child)).toEqual([...moved, "Read(/secret/**) in /repo-agents-1/a-1"]);
    expect(child.toolignore).toEqual({ text: "*.hidden\n", folder: top });
    const look = liveSettings(disk, child);
    world.put("repo/.tool/settings.json", settings("Read(/keys/**)"));
    const seen = look();
    if (seen.kind !== "changed") throw new Error(seen.kind);
    expect(seen.settings.effective.rules.deny.map(({ text, folder }) => [text, folder])).toEqual([["Read(/keys/**)", top]]);
    expect(seen.settings.toolignore?.folder).toBe(top);
  } finally {
    rmSync(world.path, { recursive: true });
  }
});
