import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { loadSettings } from "../../src/settings/files.ts";
import { recordTrust, trustQuestion } from "../../src/settings/trust.ts";
import { scratchFolder } from "../scratch.ts";

function project(settings: object) {
  const folder = scratchFolder();
  const places = {
    cwd: join(folder, "repo/src"),
    home: join(folder, "home"),
    configDir: join(folder, "home/.tool"),
    managed: [join(folder, "managed.json")],
  };
  const root = join(folder, "repo");
  mkdirSync(places.cwd, { recursive: true });
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, ".tool"));
  const write = (path: string, value: unknown) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), typeof value === "string" ? value : JSON.stringify(value));
  };
  write("repo/.tool/settings.json", settings);
  const load = (flags = {}) => {
    const loaded = loadSettings(disk, places, flags);
    if (!loaded.ok) throw new Error(loaded.reason);
    return loaded;
  };
  const question = () => {
    const { trust, effective } = load();
    return trust.state === "trusted" ? undefined : trustQuestion(effective.held, { root, trust });
  };
  const trust = () =>
    recordTrust(disk, { configDir: places.configDir, root, hash: load().hash!, shown: question()?.shown ?? [], at: new Date(0) });
  const allowed = () => load().effective.rules.allow.map(({ text }) => text);
  return { folder, root, places, write, load, question, trust, allowed };
}

const until = "Until you trust it, none of this counts, and what it forbids counts already.";

describe("trust", () => {
  it("is given to a content, and lost with its first change", () => {
    const { load, trust, allowed, write, places } = project({ permissions: { allow: ["Bash(make)"] } });
    expect([load().trust, allowed()]).toEqual([{ state: "untrusted", changed: false }, []]);
    trust();
    expect([load().trust, allowed()]).toEqual([{ state: "trusted" }, ["Bash(make)"]]);
    expect(statSync(join(places.configDir, "trust.json")).mode & 0o777).toBe(0o600);
    for (const path of [
      ".tool/settings.local.json",
      ".mcp.json",
      ".tool/agents/deep/x.md",
      ".tool/hooks/x.sh",
      ".tool/skills/x/SKILL.md",
    ]) {
      write(`repo/${path}`, {});
      expect([path, load().trust, allowed()]).toMatchObject([path, { state: "untrusted", changed: true }, []]);
      trust();
      expect(load().trust).toEqual({ state: "trusted" });
    }
    write("repo/.tool/settings.json", { permissions: { allow: ["Bash"] } });
    expect(allowed()).toEqual([]);
  });

  it("is for one folder: a copy elsewhere is not trusted", () => {
    const one = project({ permissions: { allow: ["Bash"] } });
    one.trust();
    const other = { ...one.places, cwd: join(one.folder, "other") };
    mkdirSync(join(other.cwd, ".git"), { recursive: true });
    mkdirSync(join(other.cwd, ".tool"));
    writeFileSync(join(other.cwd, ".tool/settings.json"), JSON.stringify({ permissions: { allow: ["Bash"] } }));
    const loaded = loadSettings(disk, other);
    expect(loaded.ok && loaded.trust).toEqual({ state: "untrusted", changed: false });
  });

  it("applies to one run by a flag, and is not remembered", () => {
    const { load } = project({ permissions: { allow: ["Bash"] } });
    expect(load({ trust: true }).effective.rules.allow.length).toBe(1);
    expect(load().trust).toEqual({ state: "untrusted", changed: false });
  });

  it("is impossible if there is too much content", () => {
    const { root, load } = project({ permissions: { allow: ["Bash"] } });
    rmSync(join(root, ".tool/agents"), { force: true });
    symlinkSync("/usr/share", join(root, ".tool/agents"));
    expect(load().hash).toBeUndefined();
  });

  it("is refused to a flag that cannot be bound to the content, with what is too much", () => {
    const { root, write, load } = project({ permissions: { allow: ["Bash"] } });
    const refused = (excess: string) =>
      `Cannot use --trust for ${root}: ${excess}, so it could not be noticed if an agent changed what is trusted. Move away what agents do not need, or leave --trust out`;
    for (let n = 0; n < 2000; n++) write(`repo/.tool/skills/a/${n}`, "x");
    expect(() => load({ trust: true })).toThrow(
      refused("with .tool/skills there are more than 2,000 files, or folders in each other more than 16 deep"),
    );
    expect(load({ trust: true, trusted: "as the lead found it" }).trust).toEqual({ state: "untrusted", changed: false });
    rmSync(join(root, ".tool/skills/a"), { recursive: true });
    write("repo/.tool/skills/a/large", "x".repeat(4 * 1024 * 1024 + 1));
    expect(() => load({ trust: true })).toThrow(refused(".tool/skills/a/large has more than 4 MiB"));
    expect(load().trust).toEqual({ state: "untrusted", changed: false });
  });

  it("covers everything that is loaded from a folder, however deep it lies, and ends with folders that contain themselves", () => {
    const { root, write, load, trust } = project({ permissions: { allow: ["Bash(make:*)"] } });
    const deep = `repo/.claude/agents/${"a/".repeat(12)}reviewer.md`;
    write(deep, "---\nname: reviewer\ndescription: d\n---\nDo it.\n");
    trust();
    expect(load().trust.state).toBe("trusted");
    write(deep, "---\nname: reviewer\ndescription: d\n---\nDo something else.\n");
    expect(load().trust.state).not.toBe("trusted");
    write(`repo/.claude/agents/${"b/".repeat(30)}hidden.md`, "---\nname: hidden\ndescription: d\n---\nDo it.\n");
    expect(load().hash).toBe(undefined);
    rmSync(join(root, ".claude/agents/b"), { recursive: true });
    for (const name of "cdefghi") symlinkSync("..", join(root, `.claude/agents/a/${name}`));
    expect(load().hash).toBe(undefined);
  });

  it("is asked with what waits for it, the most important first, and with how much is never granted", () => {
    const value = `a\u001b[31m${"x".repeat(200)}`;
    const { root, write, question } = project({
      apiKeyHelper: "k",
      env: { A: value, NODE_OPTIONS: "--require x" },
      permissions: { allow: ["Bash"], deny: ["Read(a)"], additionalDirectories: ["/etc"], defaultMode: "acceptEdits" },
    });
    write("repo/.tool/agents/x.md", "");
    const file = "  (.tool/settings.json)";
    const lines = ["mode: acceptEdits", "allow rule: Bash", "directory: /etc"].map((line) => `${line}${file}`);
    expect(question()).toEqual({
      title: `The repository ${root} brings 1 permission mode, 1 rule that allows calls, 1 further folder, 1 environment variable, and 1 agent or skill. ${until}`,
      lines: [...lines, `variable: A=${value.slice(0, 100)}…${file}`, "agents and skills: .tool/agents/x.md"].map((text) => ({
        text,
        isNew: false,
      })),
      never: 2,
      shown: [...lines, `variable: A=${value}${file}`, "agents and skills: .tool/agents/x.md"],
    });
    expect(project({}).question()).toBeUndefined();
  });

  it("is asked again with what is new since it was given", () => {
    const { root, write, question, trust } = project({ permissions: { allow: ["Bash(make)"] } });
    trust();
    write("repo/.tool/settings.json", { permissions: { allow: ["Bash(make)", "Bash(curl:*)"] } });
    const common = `The repository ${root} has changed since you trusted it, and brings`;
    expect(question()).toMatchObject({
      title: `${common} 2 rules that allow calls: what is new is marked. ${until}`,
      lines: [
        { text: "allow rule: Bash(make)  (.tool/settings.json)", isNew: false },
        { text: "allow rule: Bash(curl:*)  (.tool/settings.json)", isNew: true },
      ],
    });
    trust();
    write("repo/.tool/settings.json", { permissions: { allow: ["Bash(make)"] } });
    expect(question()?.title).toBe(
      `${common} 1 rule that allows calls: nothing more than before, but files that it names have changed. ${until}`,
    );
  });

  it("does not say that it was given where the person has only added rules", () => {
    const { root, places, write, load, question } = project({ permissions: { allow: ["Bash(make)"] } });
    recordTrust(disk, { configDir: places.configDir, root, hash: load().hash!, at: new Date(0) });
    write("repo/.tool/settings.json", { permissions: { allow: ["Bash(curl:*)"] } });
    expect(question()?.title).toBe(
      `The repository ${root} has changed since you added rules to it, and brings 1 rule that allows calls. ${until}`,
    );
  });
});

describe("loadSettings()", () => {
  it("joins all scopes, each rule with its file and its folder", () => {
    const { folder, root, places, write, load } = project({ permissions: { deny: ["Read(/p)"] } });
    write("managed.json", { permissions: { deny: ["Read(/m)"] } });
    write("home/.tool/settings.json", { permissions: { deny: ["Read(/u)"] } });
    write("repo/src/more.json", { permissions: { deny: ["Read(/s)"] } });
    write("repo/.toolignore", "x\n");
    const loaded = load({ deny: ["Read(/c)"], settings: ["more.json"] });
    expect(loaded.effective.rules.deny).toEqual([
      { text: "Read(/m)", scope: "managed", file: join(folder, "managed.json"), folder },
      { text: "Read(/c)", scope: "command line", folder: places.cwd },
      { text: "Read(/s)", scope: "command line", file: join(places.cwd, "more.json"), folder: places.cwd },
      { text: "Read(/p)", scope: "project", file: join(root, ".tool/settings.json"), folder: root },
      { text: "Read(/u)", scope: "user", file: join(places.configDir, "settings.json"), folder: places.home },
    ]);
    expect([loaded.root, loaded.toolignore]).toEqual([root, { text: "x\n", folder: root }]);
  });

  it("refuses to start with a file that is wrong or missing", () => {
    const { places, write } = project({});
    const reason = (flags = {}) => {
      const loaded = loadSettings(disk, places, flags);
      return loaded.ok ? "loaded" : loaded.reason.replace(/ \/.*\//, " …/");
    };
    expect(reason({ settings: ["none.json"] })).toBe("Cannot use the settings …/none.json: there is no such file");
    write("home/.tool/settings.json", "{");
    expect(reason()).toBe(
      "Cannot use the settings …/settings.json:1: it is not JSON: expected a key in double quotes but found the end of the file",
    );
  });

  it("refuses every flag that is no rule", () => {
    const loaded = loadSettings(disk, project({}).places, { allow: ["Bash", "Bsh(x)"], deny: ["Raed"] });
    expect(!loaded.ok && loaded.reason.split("\n")).toEqual([
      'Cannot use the permission rule "Raed": no tool is called "Raed". Did you mean Read?',
      'Cannot use the permission rule "Bsh(x)": no tool is called "Bsh". Did you mean Bash?',
    ]);
  });

  it("treats the settings in the user's home as the user's own", () => {
    const { places, write } = project({});
    write("home/.tool/settings.json", { permissions: { allow: ["Bash"] } });
    const loaded = loadSettings(disk, { ...places, cwd: places.home });
    expect(loaded.ok && loaded.effective.rules.allow.map(({ scope }) => scope)).toEqual(["user"]);
  });
});

it("covers skills and commands of other products too, and names a skill with many files once", () => {
  const { write, load, trust, question } = project({});
  write("repo/.claude/skills/pdf/SKILL.md", "---\ndescription: PDF\n---\nDo it.\n");
  write("repo/.claude/skills/pdf/scripts/fill.py", "print(1)\n");
  write("repo/.claude/commands/git/commit.md", "Commit it.\n");
  expect(question()?.lines.map(({ text }) => text)).toEqual([
    "agents and skills: .claude/skills/pdf",
    "agents and skills: .claude/commands/git/commit.md",
  ]);
  trust();
  expect(load().trust.state).toBe("trusted");
  write("repo/.claude/skills/pdf/scripts/fill.py", "print(2)\n");
  expect(load().trust).toMatchObject({ state: "untrusted", changed: true });
});

describe("--trust of somebody who has looked before", () => {
  const hook = { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "./mine.sh" }] }] } };

  it("covers the content that was there then, and nothing that came since", () => {
    const { folder, write, load } = project({ permissions: { allow: ["Bash(ls:*)"] } });
    const flags = { trust: true, trusted: load().hash };
    expect(load(flags).trust).toEqual({ state: "trusted" });
    write("repo/.tool/settings.local.json", hook);
    expect(load(flags).trust).toEqual({ state: "untrusted", changed: false });
    expect(
      load(flags)
        .effective.held.map(({ kind }) => kind)
        .sort(),
    ).toEqual(["allow rule", "hook"]);
    expect(load({ trust: true }).trust).toEqual({ state: "trusted" });
    rmSync(folder, { recursive: true });
  });

  it("uses the content that it has compared, however often that changes meanwhile", () => {
    const { folder, root, places, load } = project({});
    const flags = { trust: true, trusted: load().hash };
    const file = join(root, ".tool/settings.json");
    const texts = [JSON.stringify(hook), "{}"];
    for (const first of [0, 1]) {
      let reads = first;
      const flickering = { ...disk, read: (path: string) => (path === file ? Buffer.from(texts[reads++ % 2]!) : disk.read(path)) };
      const loaded = loadSettings(flickering, places, flags);
      if (!loaded.ok) throw new Error(loaded.reason);
      const isUsed = loaded.effective.hooks !== undefined && JSON.stringify(loaded.effective.hooks).includes("mine.sh");
      expect({ isUsed, trust: loaded.trust.state }).toEqual({ isUsed: false, trust: first === 0 ? "untrusted" : "trusted" });
    }
    rmSync(folder, { recursive: true });
  });
});
