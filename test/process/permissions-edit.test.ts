import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { command } from "./command.ts";
import { type Home, temporaryHome } from "./tool.ts";

/** Runs in a project of its own, beside the settings. */
function place(home: Home) {
  const project = join(home.config, "project");
  const config = join(home.config, "config");
  mkdirSync(join(project, ".git"), { recursive: true });
  const there = { ...home, cwd: project, env: { ...home.env, TOOL_CONFIG_DIR: config } };
  const permissions = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(there, ["permissions", ...args]);
    return { status: code, said: stdout + stderr };
  };
  return { permissions, user: join(config, "settings.json"), at: (name: string) => join(project, ".tool", name) };
}

it("removes a rule from every file that contains it, and says if none does", async () => {
  using home = temporaryHome();
  const { permissions, user, at } = place(home);
  for (const args of [["--scope", "user"], ["--scope", "user", "--kind", "ask"], []]) await permissions("add", "Bash(ls:*)", ...args);
  expect([await permissions("remove", "Bash(ls:*)"), await permissions("remove", "Bash(ls:*)")]).toEqual([
    {
      status: 0,
      said: `Removed allow and ask Bash(ls:*) from ${user}\nRemoved allow Bash(ls:*) from ${at("settings.local.json")}\n`,
    },
    { status: 2, said: "There is no rule Bash(ls:*) in your settings or this project's\n" },
  ]);
  expect(JSON.parse(readFileSync(user, "utf8"))).toEqual({});
});

it("trusts the first settings that a user writes for a project, and lets a rule wait beside those of others", async () => {
  using home = temporaryHome();
  const { permissions, at } = place(home);
  await permissions("add", "Bash(touch:*)", "--scope", "local");
  const first = await permissions("check", "--json", "Bash(touch a)");
  writeFileSync(at("settings.json"), JSON.stringify({ permissions: { allow: ["Bash(curl:*)"] } }));
  expect([JSON.parse(first.said).decision, await permissions("add", "Bash(cat:*)", "--scope", "local")]).toEqual([
    "allow",
    {
      status: 0,
      said: `Added allow Bash(cat:*) to ${at("settings.local.json")}, where it has no effect until you trust this project (tool asks when a session starts)\n`,
    },
  ]);
});

it("writes through the user's own link to the settings, past a byte order mark, and never through a repository's link", async () => {
  using home = temporaryHome();
  const { permissions, user, at } = place(home);
  const kept = join(home.config, "dotfiles.json");
  writeFileSync(kept, '\uFEFF{"permissions":{"deny":["Read(a)"]}}');
  mkdirSync(dirname(user), { recursive: true });
  symlinkSync(kept, user);
  const victim = join(home.config, "victim");
  writeFileSync(victim, "{}");
  mkdirSync(dirname(at("settings.local.json")), { recursive: true });
  symlinkSync(victim, at("settings.local.json"));
  await permissions("add", "Bash(ls:*)", "--scope", "user");
  await permissions("add", "Bash(ls:*)");
  expect([lstatSync(user).isSymbolicLink(), JSON.parse(readFileSync(kept, "utf8")), readFileSync(victim, "utf8")]).toEqual([
    true,
    { permissions: { deny: ["Read(a)"], allow: ["Bash(ls:*)"] } },
    "{}",
  ]);
});

it("starts nothing if the named managed settings are missing", async () => {
  using home = temporaryHome();
  const { permissions } = place({ ...home, env: { ...home.env, TOOL_MANAGED_SETTINGS: "/nowhere/settings.json" } });
  expect(await permissions()).toEqual({ status: 2, said: "tool: cannot use the settings /nowhere/settings.json: there is no such file\n" });
});

it("uses settings that are named before the command as well as after it", async () => {
  using home = temporaryHome();
  const further = join(home.config, "further.json");
  writeFileSync(further, JSON.stringify({ permissions: { deny: ["Read(plans/**)"] } }));
  const ran = async (...args: string[]) => (await command({ ...home, cwd: home.config }, args)).stdout;
  const ways = [
    ["--settings", further, "permissions"],
    ["permissions", "--settings", further],
  ];
  const listed = await Promise.all(ways.map((args) => ran(...args)));
  expect(listed.map((text) => text.includes("Read(plans/**)"))).toEqual([true, true]);
  const checks = [
    ["--settings", further, "permissions", "check"],
    ["permissions", "--settings", further, "check"],
  ];
  const checked = await Promise.all(checks.map((args) => ran(...args, "Read(plans/a.md)", "--json")));
  expect(checked.map((text) => JSON.parse(text).decision)).toEqual(["deny", "deny"]);
  expect(JSON.parse(await ran("--deny", "Bash(ls)", "permissions", "--allow", "Read", "--json")).rules).toHaveLength(2);
});
