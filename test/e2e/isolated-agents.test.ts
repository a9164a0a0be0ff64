// Agents with a worktree of their own, as the built program runs them: what they change, what they may not change, and what remains.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, type Part, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually, quoted } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");

/** A repository with a commit and an uncommitted file. */
async function place(cast: (repository: string) => Record<string, Part>) {
  const there = teamPlace();
  const { repository, configDir } = there;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trimEnd();
  const define = (name: string, keys: string) =>
    writeFileSync(join(repository, `.tool/agents/${name}.md`), `---\nname: ${name}\ndescription: ${name}\n${keys}\n---\nDo it.\n`);
  mkdirSync(join(repository, ".tool/agents"), { recursive: true });
  define("apart", "isolation: worktree");
  writeFileSync(join(repository, "a.txt"), "committed\n");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  git("add", ".");
  git("commit", "--quiet", "--message", "The first one");
  writeFileSync(join(repository, "a.txt"), "changed since\n");
  const api = await provider(cast(repository));
  const all = (args: string[]) => ["--print", "--trust", "--permission-mode", "acceptEdits", ...args];
  const start = (...args: string[]) => there.warm(all(args), { env: api.env });
  const killable = (...args: string[]) => there.piped(all(args), { env: api.env, input: "" });
  const records = () => {
    const projects = join(configDir, "projects");
    const file = readdirSync(projects, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("/agents.json")) ?? "";
    return (JSON.parse(readFileSync(join(projects, file), "utf8")) as { agents: Kept[] }).agents;
  };
  return { there, repository, git, api, start, killable, records, define };
}

type Kept = { id: string; name: string; state: string; report?: string; worktree?: { folder: string; branch: string; state: string } };

const apart = (name: string, more: Record<string, unknown> = {}) =>
  call("Agent", { description: "look", prompt: "Look.", subagent_type: "apart", name, ...more });

it.skipIf(noSandbox)("has git in its worktree also where a command of the session runs while it is made", async () => {
  const { api, start } = await place(() => ({
    tool: [call("Bash", { command: "sleep 6", run_in_background: true }), apart("ada"), text("Done.")],
    ada: [
      call("Bash", { command: "git status --short; git log --oneline" }),
      call("Bash", { command: "sleep 1; git log --oneline" }),
      text("ada is done."),
    ],
  }));
  expect(await start("go on now").ended).toEqual({ code: 0 });
  for (const at of [1, 2]) expect(toolResults(api.requests("ada")[at])).toEqual([expect.stringMatching(/^\w+ The first one$/)]);
});

it("works on the last commit beside the unchanged tree of the person, and is kept only if something would be lost", async () => {
  const { repository, git, api, start, records } = await place((tree) => ({
    tool: [[apart("ada"), apart("bo"), apart("cy")], text("Done.")],
    ada: [
      call("Read", { path: "a.txt" }),
      call("Write", { path: "new.txt", content: "ada's\n" }),
      call("Write", { path: `${tree}/planted.txt`, content: "x" }),
      call("Bash", { command: `echo x > ${quoted(tree)}/planted.txt` }),
      call("Agent", { description: "below", prompt: "Look.", name: "dee" }),
      text("ada is done."),
    ],
    bo: [call("Read", { path: "a.txt" }), text("bo is done.")],
    cy: [call("Bash", { command: "git commit --quiet --allow-empty --message=of-cy" }), text("cy is done.")],
    dee: [call("Write", { path: "below.txt", content: "dee's\n" }), text("dee is done.")],
  }));
  const before = git("status", "--porcelain");
  const program = start("--allow", "Bash(git commit:*)", "--allow", "Bash(echo:*)", "go on now");
  // Without a sandbox, the command that writes into the person's tree is denied.
  expect(await program.ended).toEqual({ code: noSandbox ? 3 : 0 });

  const [ada, bo, cy] = records();
  const home = `${repository}-agents-`;
  expect(ada?.worktree).toMatchObject({ state: "kept", branch: expect.stringMatching(/^tool\/agents-\w{8}\/a-\w{4}$/) });
  expect(ada?.worktree?.folder).toMatch(new RegExp(`^${home}\\w{8}/${ada?.id}$`));
  const kept = `[Its worktree ${ada?.worktree?.folder}, branch ${ada?.worktree?.branch}, is kept: it has 2 files not committed. Nothing of it is in your working tree. The person looks at it and takes it with: tool changes ${ada?.id}, tool take ${ada?.id}]`;
  const [ofAda, ...others] = toolResults(api.requests("tool")[1]);
  // With a sandbox that has its own /tmp, what it writes beside its worktree lands there; elsewhere the write is denied with its path.
  expect(ofAda).toMatch(/^ada is done\.\n/);
  expect(ofAda).toContain(`\n${kept}\n\n[agent ${ada?.id}, completed, no test was run]`);
  expect(others).toEqual([
    `bo is done.\n\n[It changed nothing in its worktree, which is removed.]\n\n[agent ${bo?.id}, completed]`,
    expect.stringMatching(/^cy is done\.\n\n\[Its worktree .+, branch \S+, is kept: it has 1 commit of its own\. Nothing/),
  ]);
  const [first, read] = api.requests("ada");
  expect(JSON.stringify(first?.body.system)).toContain(`Working directory: ${ada?.worktree?.folder}`);
  expect(newest(first)).toContain("You work in a git worktree of your own");
  expect(toolResults(read)[0]).toContain("committed");
  expect([git("status", "--porcelain"), existsSync(join(repository, "planted.txt"))]).toEqual([before, false]);
  expect(readdirSync(ada?.worktree?.folder ?? "").filter((name) => name.endsWith(".txt"))).toEqual(["a.txt", "below.txt", "new.txt"]);
  expect(existsSync(bo?.worktree?.folder ?? "")).toBe(false);
  expect(new Set(git("branch", "--list", "tool/*", "--format=%(refname:short)").split("\n"))).toEqual(
    new Set([ada?.worktree?.branch, cy?.worktree?.branch]),
  );
});

it("cannot make a script in its worktree that the person's hook would run there", async () => {
  const { there, repository, git, start } = await place(() => ({
    tool: [apart("ada"), text("Done.")],
    ada: [call("Bash", { command: "sh plant.sh" }), call("Read", { path: "a.txt" }), text("ada is done.")],
  }));
  const log = join(dirname(repository), "hooks.log");
  writeFileSync(join(repository, "plant.sh"), `mkdir scripts; echo 'echo planted >> ${log}' > scripts/check.sh\n`);
  git("add", "plant.sh");
  git("commit", "--quiet", "--message", "The second one");
  mkdirSync(join(repository, "scripts"));
  writeFileSync(join(repository, "scripts/check.sh"), `echo checked >> ${log}\n`); // not in git
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "sh scripts/check.sh" }] }] };
  mkdirSync(there.configDir, { recursive: true });
  writeFileSync(
    join(there.configDir, "settings.json"),
    JSON.stringify({ hooks: { ...hooks, PostToolUse: hooks.Stop, SubagentStop: hooks.Stop } }),
  );
  await start("go on now").ended;
  expect(new Set(readFileSync(log, "utf8").split("\n"))).toEqual(new Set(["checked", ""]));
});

it("continues in its worktree after a kill, and is cleaned up if it was complete", async () => {
  const slow = gate(text("Never read."));
  const { repository, git, api, start, killable, records } = await place(() => ({
    tool: [[apart("ada", { background: true }), apart("bo", { background: true })], text("Started."), text("Noted."), text("Noted.")],
    ada: [call("Write", { path: "new.txt", content: "ada's\n" }), slow.answer, call("Read", { path: "new.txt" }), text("ada is done.")],
    bo: [slow.answer, text("bo is done.")],
  }));
  const killed = killable("go on now");
  await eventually(() => api.requests("ada").length === 2 && api.requests("bo").length === 1);
  process.kill(killed.pid, "SIGKILL");
  await killed.ended;
  slow.open();
  rmSync(join(repository, ".tool/agents/apart.md")); // it continues with the definition that it started with
  const folders = records().map(({ worktree }) => worktree?.folder ?? "");
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
  expect(await start("--continue", "and what now?").ended).toEqual({ code: 0 });
  expect(records().map(({ name, state, worktree }) => [name, state, worktree?.state])).toEqual([
    ["ada", "completed", "kept"],
    ["bo", "completed", "removed"],
  ]);
  expect(toolResults(api.requests("ada").at(-1)).at(-1)).toContain("ada's");
  expect(readFileSync(join(folders[0] ?? "", "new.txt"), "utf8")).toBe("ada's\n");
  expect(git("worktree", "list").split("\n")).toHaveLength(2);
});

it("finds nothing in its worktree that rules hide, whatever names it", async () => {
  const { repository, git, api, start } = await place(() => ({
    tool: [apart("ada"), text("Done.")],
    ada: [
      ["secrets/k.txt", "tracked.txt", "cfg.local"].map((path) => call("Read", { path })),
      call("Grep", { pattern: "hidden-word" }),
      text("ada is done."),
    ],
  }));
  for (const [path, content] of Object.entries({
    ".gitignore": "secrets/\n*.local\n",
    ".worktreeinclude": "secrets/\n*.local\n",
    "secrets/k.txt": "hidden-word\n",
    "tracked.txt": "hidden-word\n",
    "cfg.local": "shown\n",
  })) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  }
  git("add", ".");
  git("commit", "--quiet", "--message", "more");
  const denied = ["secrets/**", "tracked.txt"].flatMap((path) => ["--deny", `Read(/${repository}/${path})`]);
  await start(...denied, "go on now").ended;
  const [secret, tracked, shown] = toolResults(api.requests("ada")[1]);
  expect([secret, tracked, shown]).toEqual([
    expect.stringMatching(/denied|no such file/i),
    expect.stringContaining("denied"),
    expect.stringContaining("shown"),
  ]);
  expect(JSON.stringify(toolResults(api.requests("ada")[2]))).not.toContain("hidden-word");
});

it("is not started if there is no commit to start at", async () => {
  const { git, api, start, repository } = await place(() => ({ tool: [apart("ada"), text("It failed.")] }));
  git("update-ref", "-d", "HEAD");
  await start("go on now").ended;
  expect(toolResults(api.requests("tool")[1])[0]).toContain(
    'It could not be started: "isolation: worktree" needs a git repository with a commit, and the repository has no commit yet',
  );
  expect(readdirSync(join(repository, "..")).filter((name) => name.includes("-agents-"))).toEqual([]);
});

it("puts back the person's commits and stash that a command of an isolated agent has removed from the repository", async () => {
  const there = teamPlace();
  const author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  const git = (...args: string[]) =>
    execFileSync("git", [...author, ...args], { cwd: there.repository, encoding: "utf8", stdio: "pipe" }).trim();
  there.write("repo/.tool/agents/apart.md", "---\nname: apart\ndescription: apart\nisolation: worktree\n---\nWork.\n");
  there.write("repo/clear.sh", 'cd "$(git rev-parse --git-common-dir)/objects" && find . -type f | xargs rm -f\n');
  git("add", "-A");
  git("commit", "--quiet", "--message", "one");
  there.write("repo/clear.sh", "changed\n");
  git("stash", "--quiet");
  const before = [git("log", "--format=%H"), git("stash", "list", "--format=%H")];
  const api = await provider({
    tool: [call("Agent", { description: "clear", prompt: "Go on.", subagent_type: "apart", name: "ada" }), text("Done.")],
    ada: [call("Bash", { command: "sh clear.sh" }), text("Cleared.")],
  });
  const allowed = ["--trust", "--allow", "Bash(sh clear.sh)"];
  await there.warm(["--print", ...allowed, "Go on."], { env: api.env }).ended;
  expect(toolResults(api.requests("ada")[1])[0]).not.toContain("denied");
  expect([git("log", "--format=%H"), git("stash", "list", "--format=%H")]).toEqual(before);
});
