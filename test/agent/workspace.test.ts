// What an agent can do in a folder, on the real ports: real files, no sandbox.
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../src/agent/ports/sandbox-port.ts";
import type { WorkspacePorts } from "../../src/agent/ports/workspace-ports.ts";
import type { WorkspaceRequest } from "../../src/agent/workspace/workspace-request.ts";
import { openWorkspace } from "../../src/agent/workspace.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { openSandbox } from "../../src/edge/shell/sandbox/sandbox.ts";
import { trySandbox } from "../../src/edge/shell/sandbox/trial.ts";
import { loadSettings, type SettingsFlags } from "../../src/settings/files.ts";
import { workspacePorts } from "../../src/world/workspace-ports.ts";
import { lacks } from "../needs.ts";
import { tree } from "../tools/tree.ts";

const signal = new AbortController().signal;
const noSandboxHere = await lacks("sandbox");
const noSandbox = { sandbox: { enabled: false } };

type Order = {
  where?: "repo" | "repo/sub" | "home";
  flags?: SettingsFlags;
  files?: Record<string, string>;
  links?: Record<string, string>;
  ports?: Partial<WorkspacePorts>;
} & Partial<WorkspaceRequest>;

/** `home` holds the user's settings. */
async function open({ where = "repo", flags = {}, files = {}, links = {}, ports = {}, ...more }: Order = {}) {
  const place = tree({ "home/.tool/settings.json": JSON.stringify(noSandbox), "repo/a.txt": "one\n", ...files });
  onTestFinished(() => place.remove());
  for (const [link, target] of Object.entries(links)) {
    rmSync(place.at(link), { force: true });
    symlinkSync(place.at(target), place.at(link));
  }
  const [cwd, home, configDir] = [place.at(where), place.at("home"), place.at("home/.tool")];
  const loaded = loadSettings(disk, { cwd, home, configDir, managed: [] }, flags);
  if (!loaded.ok) throw new Error(loaded.reason);
  const env = { HOME: home, PATH: process.env["PATH"] };
  const trial = async () => ({ kind: "missing", why: "not tried" }) as const;
  const opened = await openWorkspace(
    { cwd, configDir, env, owner: "s-1:tool", readOnly: false, sandboxFound: undefined, settings: loaded, ...more },
    { ...workspacePorts({ env, packageDir: place.path, trial }), ...ports },
  );
  if (opened.ok) onTestFinished(() => opened.work.endAll());
  return { place, opened };
}

async function work(order: Order = {}) {
  const { place, opened } = await open(order);
  if (!opened.ok) throw new Error(opened.reason);
  return { place, work: opened.work, names: opened.work.tools.map(({ name }) => name) };
}

describe("the tools of a workspace", () => {
  it("are those that change something, and a list of its own for a solo session", async () => {
    const [solo, member] = [await work(), await work({ teamGrants: () => [] })];
    expect(solo.names).toEqual(expect.arrayContaining(["Read", "Write", "Edit", "Bash", "TodoWrite", "AskUser", "SubmitPlan"]));
    expect(solo.names.filter((name) => !member.names.includes(name))).toEqual(["TodoWrite"]);
  });

  it("only look and ask where nothing may be changed", async () => {
    const { names } = await work({ readOnly: true });
    expect(names.filter((name) => ["Write", "Edit", "Bash", "SubmitPlan"].includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["Read", "AskUser"]));
  });
});

describe("openWorkspace()", () => {
  it("names the first invalid rule instead of applying the others", async () => {
    const settings = loadSettings(disk, { cwd: "/", home: "/home", configDir: "/home/.tool", managed: [] }, { allow: ["Bash(make)"] });
    if (!settings.ok) throw new Error(settings.reason);
    settings.effective.rules.allow.push({ text: "Bash((", scope: "command line" });
    const { opened } = await open({ settings });
    expect(opened).toEqual({ ok: false, reason: expect.stringContaining("Bash((") });
  });
});

describe("the permit of a workspace", () => {
  it("refuses what needs an answer where nobody can be asked, and goes by the mode", async () => {
    const { work: opened } = await work();
    const write = { id: "1", tool: "Write", input: { path: "b.txt", content: "two\n" } };
    const permit = opened.permit(undefined);
    expect(await permit(write, signal)).toMatchObject({ allowed: false, missing: ["Edit(./b.txt)"] });
    expect(opened.changeMode("acceptEdits")).toMatchObject({ ok: true });
    expect([opened.mode(), await permit(write, signal)]).toMatchObject(["acceptEdits", { allowed: true }]);
  });

  it("goes by settings that have changed since", async () => {
    const { work: opened, place } = await work();
    const read = { id: "1", tool: "Read", input: { path: "a.txt" } };
    const permit = opened.permit(undefined);
    expect(await permit(read, signal)).toMatchObject({ allowed: true });
    place.put("home/.tool/settings.json", JSON.stringify({ ...noSandbox, permissions: { deny: ["Read(a.txt)"] } }));
    expect(await permit(read, signal)).toMatchObject({ allowed: false });
    expect(await opened.whyHidden(place.at("repo/a.txt"))).toContain("Read(a.txt)");
  });

  it("asks before settings that a link keeps in the tree are written, and programs that hooks run", async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "node ./tools/guard.js --strict" }] }] };
    const files = {
      "repo/dotfiles/tool.json": JSON.stringify({ ...noSandbox, hooks }),
      "repo/shared/settings.json": "{}",
      "repo/tools/guard.js": "",
      "repo/tools/other.js": "",
    };
    const links = { "home/.tool/settings.json": "repo/dotfiles/tool.json", "repo/.tool": "repo/shared" };
    const { work: opened } = await work({ files, links, flags: { permissionMode: "acceptEdits" } });
    const permit = opened.permit(undefined);
    const writes = (path: string) => permit({ id: "1", tool: "Write", input: { path, content: "{}" } }, signal);
    for (const path of ["dotfiles/tool.json", "shared/settings.json", "shared/settings.local.json", "tools/guard.js"])
      expect([path, await writes(path)]).toMatchObject([
        path,
        { allowed: false, reason: expect.stringContaining("sets what agents may do") },
      ]);
    expect(await permit({ id: "2", tool: "Bash", input: { command: "echo {} > shared/settings.json" } }, signal)).toMatchObject({
      allowed: false,
    });
    expect(await writes("tools/other.js")).toMatchObject({ allowed: true });
  });

  it.skipIf(noSandboxHere)("opens a folder that the person adds to files and to the next command, and none that holds more", async () => {
    const { work: opened, place } = await work({
      files: { "home/.tool/settings.json": "{}", "other/a.txt": "one", "home/notes/a.txt": "two" },
      ports: { sandbox: (options) => openSandbox({ ...options, trial: () => trySandbox(options.cwd) }) },
    });
    opened.changeMode("acceptEdits");
    const permit = opened.permit(undefined);
    const use = async (tool: string, input: Record<string, unknown>) => {
      const permission = await permit({ id: "1", tool, input }, signal);
      if (!permission.allowed) return "refused";
      const { run, input: schema } = opened.tools.find(({ name }) => name === tool)!;
      const { text, isError } = await run(schema.parse(input), { signal });
      return isError ? "failed" : text.trim();
    };
    const there = () => ["b.txt", "c.txt", ".envrc"].filter((name) => existsSync(place.at(`other/${name}`)));
    const write = () => use("Write", { path: "../other/b.txt", content: "x" });
    const run = (name: string) => use("Bash", { command: `mkdir -p ../other; sh -c 'echo $0 > ../other/${name}' three` });
    await write();
    await run("c.txt");
    expect(there()).toEqual([]); // this tree is in /tmp, of which the session has its own
    expect(await opened.addFolder("../other")).toBe(place.at("other"));
    expect(opened.settings().effective.directories.map(({ path }) => path)).toEqual([place.at("other")]);
    await write();
    await run("c.txt");
    expect([await run(".envrc"), there()]).toEqual(["refused", ["b.txt", "c.txt"]]);
    await opened.refresh();
    expect(await use("Bash", { command: "cat ../other/a.txt" })).toBe("one");
    const refused = async (folder: string) => opened.addFolder(folder).then(String, (error: Error) => error.message.replace(/^.*?: /, ""));
    expect(await Promise.all(["/", place.at("home"), "~", "a.txt", ".", "../other", "~/.tool", "../none"].map(refused))).toEqual([
      "it is your home, or contains it. Add a folder below it",
      "it is your home, or contains it. Add a folder below it",
      "it is your home, or contains it. Add a folder below it",
      "it is not a folder. Add the folder that it is in",
      `it is in ${place.at("repo")}, which is open already`,
      `it is in ${place.at("other")}, which is open already`,
      "it holds this program's own settings and state",
      "it is not there",
    ]);
  });

  it.skipIf(noSandboxHere)("has in the mode plan a /tmp that commands and files of another mode do not share", async () => {
    const { work: opened } = await work({
      files: { "home/.tool/settings.json": "{}" },
      ports: { sandbox: (options) => openSandbox({ ...options, trial: () => trySandbox(options.cwd) }) },
    });
    const permit = opened.permit(undefined);
    const use = async (tool: string, input: Record<string, unknown>) => {
      const permission = await permit({ id: "1", tool, input }, signal);
      if (!permission.allowed) return permission.reason;
      const { run, input: schema } = opened.tools.find(({ name }) => name === tool)!;
      return (await run(schema.parse(input), { signal })).text.trim();
    };
    const said: string[] = [];
    const list = async () => said.push(await use("Bash", { command: "ls /tmp | grep -v ^tool-tree" }));
    await use("Bash", { command: "echo other > /tmp/of-default" });
    await list();
    opened.changeMode("plan");
    await use("Bash", { command: "echo plan > /tmp/of-plan" });
    await use("Write", { path: "/tmp/written", content: "x" });
    await list();
    said.push(await use("Read", { path: "/tmp/of-plan" }));
    opened.changeMode("default");
    await list();
    expect(said).toEqual(["of-default", "of-plan\nwritten", expect.stringContaining("plan"), "of-default"]);
  });

  const setsRights = { allowed: false, reason: expect.stringContaining("sets what agents may do") };

  /** Whether each of these files is written in the mode acceptEdits: what is refused sets what agents may do. */
  async function written(paths: string[], order: Order) {
    const permit = (await work({ ...order, flags: { permissionMode: "acceptEdits" } })).work.permit(undefined);
    const writes = (path: string) => permit({ id: "1", tool: "Write", input: { path, content: "{}" } }, signal);
    const answers = [];
    for (const path of paths) answers.push([path, await writes(path)]);
    return answers;
  }

  it("asks before files that commands of hooks, MCP servers and the status line name are written", async () => {
    const hook = (command: string) => ({ hooks: [{ type: "command", command }] });
    const settings = {
      ...noSandbox,
      hooks: { Stop: [hook('"$CLAUDE_PROJECT_DIR"/scripts/stop.sh && npm test'), hook("~/../repo/scripts/mine.sh")] },
      mcpServers: {
        plain: { command: "node", args: ["tools/server.js", "data/all.json"] },
        folder: { command: "node", args: ["--no-warnings", "tools/folder"] },
        spaced: { command: "./my tools/run", env: { NODE_OPTIONS: "--require=./tools/first.js" } },
        elsewhere: { command: "uv", args: ["--directory", "tools/uv", "run", "server.py"] },
      },
      statusCommand: "bash scripts/status.sh",
    };
    const guarded = [
      "scripts/stop.sh",
      "scripts/mine.sh",
      "scripts/status.sh",
      "tools/server.js",
      "data/all.json",
      "tools/first.js",
      "tools/folder/index.js",
      "tools/folder/new.js",
      "tools/uv/server.py",
      "my tools/run",
    ];
    const free = ["test/a.test.js", "data/other.json", "tools/other.js", "scripts/other.sh"];
    const files = Object.fromEntries([...guarded, ...free].filter((path) => !path.endsWith("new.js")).map((path) => [`repo/${path}`, ""]));
    const answers = await written([...guarded, ...free], {
      files: { ...files, "home/.tool/settings.json": JSON.stringify(settings) },
    });
    expect(answers).toMatchObject([...guarded.map((path) => [path, setsRights]), ...free.map((path) => [path, { allowed: true }])]);
  });

  it("asks before a script is made that a command runs, and a file that it names in another folder in which it may run", async () => {
    const hook = (command: string) => ({ hooks: [{ type: "command", command }] });
    const settings = {
      ...noSandbox,
      hooks: {
        Stop: [hook("test -x a.txt && scripts/stop.sh; CI=1 ./own/run --log logs/all"), hook("bash -e check.sh; cat lists/names")],
      },
      mcpServers: { built: { command: "node", args: ["dist/server.js", "data.json"] } },
    };
    const guarded = ["scripts/stop.sh", "own/run", "check.sh", "dist/server.js", "lists/names"];
    const free = ["logs/all", "data.json", "scripts/other.sh", "bash"];
    const answers = await written([...guarded, ...free], {
      where: "repo/sub",
      files: {
        "repo/.git": "",
        "repo/lists/names": "",
        "repo/sub/b.txt": "",
        "home/.tool/settings.json": JSON.stringify(settings),
      },
    });
    expect(answers).toMatchObject([...guarded.map((path) => [path, setsRights]), ...free.map((path) => [path, { allowed: true }])]);
  });

  it("asks before files are written that the repository's git settings name", async () => {
    const config = `[core]
	hooksPath = tools/hooks
	fsmonitor = python3 tools/watch.py
	pager = less
[include]
	path = ../dev/shared.gitconfig
[includeIf "gitdir:x"]
	path = ../dev/missing.gitconfig
[alias]
	st = status -- src/status.js
	do = !sh tools/do.sh
[filter "x"]
	clean = "tools/clean -v %f"
[credential]
	helper = store
[remote "origin"]
	url = src/a.js
`;
    const shared = '[diff "x"]\n\ttextconv = node ./tools/text.js\n[include]\n\tpath = more.gitconfig\n';
    const files = {
      "repo/.git/HEAD": "ref: refs/heads/main\n",
      "repo/.git/objects/info/x": "",
      "repo/.git/refs/heads/x": "",
      "repo/.git/config": config,
      "repo/dev/shared.gitconfig": shared,
      "repo/dev/more.gitconfig": "[gpg]\n\tprogram = ./tools/sign\n",
      "repo/store": "",
      ...Object.fromEntries(["watch.py", "do.sh", "clean", "text.js", "sign"].map((name) => [`repo/tools/${name}`, ""])),
      "repo/src/a.js": "",
      "repo/src/status.js": "",
    };
    const guarded = [
      "tools/hooks/pre-commit",
      "tools/watch.py",
      "tools/do.sh",
      "tools/clean",
      "tools/text.js",
      "tools/sign",
      "dev/shared.gitconfig",
      "dev/missing.gitconfig",
      "dev/more.gitconfig",
    ];
    const free = ["src/a.js", "src/status.js", "store", "tools/other.js", "dev/other.gitconfig"];
    const expected = [...guarded.map((path) => [path, setsRights]), ...free.map((path) => [path, { allowed: true }])];
    expect(await written([...guarded, ...free], { files })).toMatchObject(expected);
  });

  it("opens the sandbox again when the disk refused it: at once if this can be waited for, or at the next call", async () => {
    let refusals = 0;
    const sandbox = async () => {
      if (refusals-- > 0) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      return { state: () => ({ kind: "active" }), proxied: () => false, onNewRules() {}, close() {} } as unknown as Sandbox;
    };
    const untilDone: WorkspaceRequest["untilDone"] = async (attempt) => {
      for (;;) {
        try {
          return await attempt();
        } catch {
          // refused: once more
        }
      }
    };
    const bash = { id: "1", tool: "Bash", input: { command: "ls" } };
    const [patient, hasty] = [await work({ untilDone, ports: { sandbox } }), await work({ ports: { sandbox } })];
    refusals = 3;
    expect([await patient.work.permit(undefined)(bash, signal), refusals]).toMatchObject([{ allowed: true }, -1]);
    refusals = 1;
    await expect(hasty.work.permit(undefined)(bash, signal)).rejects.toThrow("ENOSPC");
    expect(await hasty.work.permit(undefined)(bash, signal)).toMatchObject({ allowed: true });
  });

  it("says once that the working directory is the home folder", async () => {
    const { work: opened } = await work({ where: "home" });
    const told: string[] = [];
    for (const _ of [1, 2]) opened.permit(undefined, (text) => told.push(text));
    expect(told).toEqual([expect.stringContaining("home")]);
  });
});

describe("what a workspace tells the model", () => {
  it("is the place, described once", async () => {
    const { work: opened, place } = await work();
    const first = await opened.environmentInput();
    place.put("repo/later.txt", "");
    expect(first).toMatchObject({ source: { kind: "environment" }, shown: "" });
    expect(first.text).toContain(`Working directory: ${place.at("repo")}`);
    expect(first.text).toContain("Top level: a.txt\n");
    expect((await opened.environmentInput()).text).toBe(first.text);
  });

  it("has the instruction files without their secrets, and names those that rules hide", async () => {
    const files = { "repo/AGENTS.md": "Use tabs.\nAPI_KEY=sk-ant-api03-Zq8vR2mX5tB7nL4kW9pC\n", "repo/TOOL.md": "hidden\n" };
    const { work: opened, place } = await work({ files, flags: { deny: ["Read(TOOL.md)"] } });
    const { found, skipped } = await opened.instructions();
    expect(found.map(({ path, text }) => [path, text.split("\n", 1)[0]])).toEqual([[place.at("repo/AGENTS.md"), "Use tabs."]]);
    expect(found[0]?.text).not.toContain("Zq8vR2mX5tB7nL4kW9pC");
    expect(skipped.map(({ path }) => path)).toEqual([place.at("repo/TOOL.md")]);
  });
});

describe("the shells of a workspace", () => {
  it("run the person's commands with the person's environment, and the agent's without provider keys", async () => {
    const { work: opened } = await work({ env: { PATH: process.env["PATH"], ANTHROPIC_API_KEY: "k-1" } });
    const output = async (shell: typeof opened.personsShell) => {
      const pieces: Buffer[] = [];
      await shell.run({ command: 'echo "key=$ANTHROPIC_API_KEY"', timeoutMs: 60_000, signal, onOutput: (bytes) => pieces.push(bytes) });
      return Buffer.concat(pieces).toString("utf8");
    };
    expect([await output(opened.personsShell), await output(opened.harnessShell)]).toEqual(["key=k-1\n", "key=\n"]);
  });
});
