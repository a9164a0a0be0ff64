import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { editPermissions, editRules } from "../../../src/app/settings/permissions-edit.ts";
import type { World } from "../../../src/app/world.ts";
import { clock } from "../../../src/edge/clock.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { loadSettings } from "../../../src/settings/files.ts";
import { scratchFolder } from "../../scratch.ts";

/** A repository, a home folder, and the printed text. */
function place(files: Record<string, string> = {}) {
  const root = scratchFolder();
  const cwd = join(root, "repo");
  const configDir = join(root, "home", ".tool");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const at = (name: string) => join(name.startsWith("~/") ? join(root, "home") : cwd, name.replace(/^~\//, ""));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  const printed: string[] = [];
  const world = {
    cwd,
    home: join(root, "home"),
    configDir,
    managedSettings: [],
    stdout: { write: (text: string) => printed.push(text) },
    edges: { disk: async () => disk, clock: async () => clock },
  } as unknown as World;
  const trust = () => {
    const loaded = loadSettings(disk, { cwd, home: world.home, configDir, managed: [] });
    return loaded.ok ? loaded.trust.state : loaded.reason;
  };
  return { world, at, printed, trust, read: (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined) };
}

const json = (text: string | undefined) => JSON.parse(text ?? "null");

describe("editRules() adds", () => {
  it("an allow rule to the person's settings for this project, which it makes, and says whom it concerns", async () => {
    const { world, read, at } = place();
    const done = await editRules(world, { verb: "add", rule: " Bash(npm test) " });
    expect(json(read(".tool/settings.local.json"))).toEqual({ permissions: { allow: ["Bash(npm test)"] } });
    expect(done).toEqual([
      {
        file: at(".tool/settings.local.json"),
        changed: true,
        kinds: ["allow"],
        said: `Added allow Bash(npm test) to ${at(".tool/settings.local.json")}, for you in this project (--scope user: in all your projects)`,
      },
    ]);
    const [user] = await editRules(world, { verb: "add", rule: "Bash(ls)", scope: "user" });
    expect(user?.said).toBe(`Added allow Bash(ls) to ${at("~/.tool/settings.json")}, for all your projects`);
    const [project] = await editRules(world, { verb: "add", rule: "Bash(ls)", scope: "project" });
    expect(project?.said).toMatch(/settings\.json, for everybody who works on this project$/);
  });

  it("and says that a project's rule opens no file that usually holds secrets, and which scope does", async () => {
    const { world, at } = place();
    const [local] = await editRules(world, { verb: "add", rule: "Read(.env)" });
    const why = "where it has no effect on files that usually hold secrets: a project's rules never open them. Add it with --scope user";
    expect(local?.said).toBe(`Added allow Read(.env) to ${at(".tool/settings.local.json")}, ${why}`);
    const [user] = await editRules(world, { verb: "add", rule: "Read(.env)", scope: "user" });
    expect(user?.said).toBe(`Added allow Read(.env) to ${at("~/.tool/settings.json")}, for all your projects`);
    const [denied] = await editRules(world, { verb: "add", rule: "Read(.env)", kind: "deny" });
    expect(denied?.said).toMatch(/, for you in this project /);
  });

  it("to the person's own settings in the home folder itself, whose .tool is the person's and not a project's", async () => {
    const { world, read, at } = place({ "~/.tool/settings.json": "{}", "~/.tool/agents/a.md": "" });
    const home = { ...world, cwd: world.home };
    const [done] = await editRules(home, { verb: "add", rule: "Bash(ls)" });
    expect(done?.said).toBe(`Added allow Bash(ls) to ${at("~/.tool/settings.json")}, for all your projects`);
    expect(read("~/.tool/settings.local.json")).toBeUndefined();
    const loaded = loadSettings(disk, { cwd: world.home, home: world.home, configDir: world.configDir, managed: [] });
    expect(loaded).toMatchObject({ ok: true, effective: { held: [], rules: { allow: [{ text: "Bash(ls)" }] } } });
  });

  it("a rule once", async () => {
    const { world, read } = place({ "~/.tool/settings.json": '{ "permissions": { "deny": ["Read(a)"] } }' });
    const [done] = await editRules(world, { verb: "add", rule: "Read(a)", kind: "deny", scope: "user" });
    expect(done).toMatchObject({ changed: false, said: expect.stringContaining("Read(a) is already in ") });
    expect(read("~/.tool/settings.json")).toBe('{ "permissions": { "deny": ["Read(a)"] } }');
  });

  it("and leaves the rest of the file as it was written", async () => {
    const { world, read } = place({ "~/.tool/settings.json": '{\n  "model": "m",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n' });
    await editRules(world, { verb: "add", rule: "Bash(pwd)", scope: "user" });
    expect(read("~/.tool/settings.json")).toContain('"model": "m",');
    expect(json(read("~/.tool/settings.json")).permissions.allow).toEqual(["Bash(ls)", "Bash(pwd)"]);
  });

  it("to the first settings of a repository, which their author trusts, and keeps local ones out of git", async () => {
    const { world, read, trust } = place();
    await editRules(world, { verb: "add", rule: "Bash(ls)" });
    expect(read(".tool/.gitignore")).toContain("settings.local.json");
    expect(trust()).toBe("trusted");
  });

  it("to a repository that is not trusted, says that it has no effect, and trusts nothing", async () => {
    const { world, trust } = place({ ".tool/settings.json": '{ "permissions": { "allow": ["Bash(x)"] } }' });
    const [allowed] = await editRules(world, { verb: "add", rule: "Bash(ls)", scope: "project" });
    expect(allowed?.said).toMatch(/where it has no effect until you trust this project/);
    const [denied] = await editRules(world, { verb: "add", rule: "Read(a)", kind: "deny", scope: "project" });
    expect(denied?.said).not.toMatch(/no effect/);
    expect(trust()).toBe("untrusted");
  });

  it.each(["Bsh(ls)", "Bash(", ""])("nothing for the rule %j, which is none", async (rule) => {
    const { world, read } = place();
    await expect(editRules(world, { verb: "add", rule })).rejects.toMatchObject({ name: "UsageError" });
    expect(read(".tool/settings.local.json")).toBeUndefined();
  });

  it("nothing to a file that cannot be understood", async () => {
    const { world, read } = place({ "~/.tool/settings.json": "{ broken" });
    await expect(editRules(world, { verb: "add", rule: "Bash(ls)", scope: "user" })).rejects.toThrow(/settings\.json/);
    expect(read("~/.tool/settings.json")).toBe("{ broken");
  });
});

describe("editRules() removes", () => {
  const rules = '{ "permissions": { "allow": ["Bash(ls)", "Bash(pwd)"], "deny": ["Bash(ls)"] } }';

  it("a rule of every kind and scope", async () => {
    const { world, read } = place({
      "~/.tool/settings.json": rules,
      ".tool/settings.local.json": '{ "permissions": { "ask": ["Bash(ls)"] } }',
    });
    const done = await editRules(world, { verb: "remove", rule: "Bash(ls)" });
    expect(done.map(({ kinds, changed }) => [kinds, changed])).toEqual([
      [["allow", "deny"], true],
      [["ask"], true],
    ]);
    expect(json(read("~/.tool/settings.json")).permissions.allow).toEqual(["Bash(pwd)"]);
    expect(read(".tool/settings.local.json")).toBeUndefined();
  });

  it("the settings of a repository with their last rule, and the folder that an added rule made", async () => {
    const { world, read, at, trust } = place();
    for (const verb of ["add", "remove"] as const) await editRules(world, { verb, rule: "Bash(ls)", scope: "local" });
    expect([existsSync(at(".tool")), trust()]).toEqual([false, "trusted"]);
    mkdirSync(at(".tool"));
    writeFileSync(at(".tool/.gitignore"), "*\n");
    for (const verb of ["add", "remove"] as const) await editRules(world, { verb, rule: "Bash(ls)", scope: "project" });
    expect([read(".tool/settings.json"), read(".tool/.gitignore")]).toEqual([undefined, "*\n"]);
    for (const verb of ["add", "remove"] as const) await editRules(world, { verb, rule: "Bash(ls)", scope: "user" });
    expect(json(read("~/.tool/settings.json"))).toEqual({});
  });

  it("only the kind that was named", async () => {
    const { world, read } = place({ "~/.tool/settings.json": rules });
    await editRules(world, { verb: "remove", rule: "Bash(ls)", kind: "deny" });
    expect(json(read("~/.tool/settings.json")).permissions.allow).toEqual(["Bash(ls)", "Bash(pwd)"]);
  });

  it("a rule that no longer parses", async () => {
    const { world } = place({ "~/.tool/settings.json": '{ "permissions": { "allow": ["Bash(ls)"] } }' });
    expect(await editRules(world, { verb: "remove", rule: "Bsh(x)" })).toMatchObject([{ changed: false }]);
  });

  it("and says where there is none", async () => {
    const { world } = place();
    expect(await editRules(world, { verb: "remove", rule: "Bash(ls)" })).toMatchObject([
      { changed: false, said: "There is no rule Bash(ls) in your settings or this project's" },
    ]);
  });
});

describe("editPermissions()", () => {
  it("prints a sentence, or a line of JSON, and fails where nothing was removed", async () => {
    const { world, printed } = place();
    expect(await editPermissions(world, { verb: "add", rule: "Bash(ls)" })).toBe(0);
    expect(await editPermissions(world, { verb: "remove", rule: "Bash(ls)", json: true })).toBe(0);
    expect(await editPermissions(world, { verb: "remove", rule: "Bash(ls)", json: true })).toBe(2);
    expect(JSON.parse(printed[2]!)).toMatchObject({ ok: false, changed: false });
    expect(printed[0]).toMatch(/^Added allow Bash\(ls\) to .*\n$/);
    expect(JSON.parse(printed[1]!)).toMatchObject({ ok: true, changed: true, kinds: ["allow"], rule: "Bash(ls)" });
  });
});
