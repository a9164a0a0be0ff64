// A session whose hands are at a place: a command that joins its arguments as ssh does, behind a shell that prints, and sshd on loopback.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { joining, personWithPlace } from "../places/person.ts";
import { filesWith, sshdOnLoopback } from "../places/place-world.ts";
import { eventually } from "../scratch.ts";
import { processesOf, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

it("a session at a place reads, writes and runs there, under the person's rules, and its work comes home to be taken", async () => {
  const { warm, repository, far, configDir, git } = personWithPlace(joining, { program: "missing" });
  const api = await provider({
    tool: [
      call("Bash", { command: "pwd; cat ignored.txt; cat secret.txt" }),
      call("Read", { path: "hidden.txt" }),
      call("Read", { path: "a.txt" }),
      call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }),
      call("Write", { path: "made/new.txt", content: "new\n" }),
      call("Grep", { pattern: "two" }),
      text("Done."),
    ],
  });
  const args = ["--print", "--place", "far", "--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash", "go on now"];
  const session = warm(args, { env: api.env });
  const { code } = await session.ended;
  expect({ code, said: session.stderr() }).toEqual({
    code: 3,
    said: expect.stringContaining("denied Read hidden.txt: The rule Read(hidden.txt) denies it"),
  });
  const results = api
    .requests("tool")
    .slice(1)
    .map((request) => toolResults(request).at(-1));
  expect(results[0]).toContain(join(far, "work"));
  expect(results[0]).toContain("ignored.txt: No such file or directory");
  expect(results[0]).toMatch(/github_token = "\[secret:[a-z-]+:\d+\]"/);
  expect(results[1]).toContain("Permission denied");
  expect(results[5]).toContain("a.txt");
  expect(readFileSync(join(repository, "a.txt"), "utf8")).toBe("one\n");

  const changes = warm(["changes", "--json"]);
  await changes.ended;
  const [{ files }] = JSON.parse(changes.stdout()).changes;
  expect(files.map(({ path }: { path: string }) => path)).toEqual(["a.txt", "made/new.txt"]);
  expect(git("show", "refs/tool/places/there:a.txt")).toBe("two");
  // Nothing of home went along: not the key, not the settings, not the path of the repository.
  expect(filesWith(far, [api.env["ANTHROPIC_API_KEY"]!, configDir, "home's own"])).toEqual([]);
  expect(JSON.stringify(api.requests("tool")[0])).toContain('the place \\"far\\"');
  expect(existsSync(join(far, "program"))).toBe(true);
  expect(readdirSync(join(far, "repositories")).length).toBe(1);
});

it("ignored files that .worktreeinclude names go along as far as they fit and are open, and the person hears of the others", async () => {
  const { warm, write, far, git } = personWithPlace(joining);
  write("repo/.gitignore", "vendor/\nbig.bin\n.env\n");
  write("repo/.worktreeinclude", "vendor/\nbig.bin\n.env\n");
  write("repo/assets/.gitattributes", "*.psd filter=lfs diff=lfs merge=lfs -text\n");
  write("repo/.gitmodules", '[submodule "module"]\n\tpath = module\n\turl = ./module\n');
  git("add", ".");
  git("update-index", "--add", "--cacheinfo", `160000,${git("rev-parse", "HEAD")},module`);
  git("commit", "--quiet", "--message", "What a build needs");
  write("repo/vendor/lib.js", "the library\n");
  write("repo/vendor/hidden.txt", "kept at home\n");
  write("repo/.env", "kept at home\n");
  write("repo/big.bin", "0123456789".repeat(2_200_000));
  const api = await provider({ tool: [call("Bash", { command: "cat vendor/lib.js; ls -A . vendor" }), text("Done.")] });
  const args = ["--print", "--place", "far", "--worktree", "there", "--allow", "Bash", "--deny", "Read(vendor/hidden.txt)", "go on now"];
  const session = warm(args, { env: api.env });
  expect((await session.ended).code, session.stderr()).toBe(0);
  const [result = ""] = toolResults(api.requests("tool")[1]);
  expect(result).toContain("the library");
  expect(result).not.toMatch(/hidden\.txt|big\.bin|\.env/);
  expect(session.stderr()).toMatch(
    /Not sent to the place, .*\.env \(rules hide it .*\), big\.bin \(it does not fit\)\. Ignored files go along up to 20 MiB/,
  );
  expect(session.stderr()).toContain("Submodules are empty in a worktree: module.");
  expect(session.stderr()).toContain("Files of git-lfs are pointers in a worktree");
  expect(JSON.stringify(api.requests("tool")[0])).toContain("only these are there: vendor.");
  expect(filesWith(far, ["kept at home"])).toEqual([]);
  expect(git("for-each-ref", "refs/tool/places/")).toBe(""); // nothing of it came back as a change
});

it("where hands are killed, the model hears it, new ones go on from the end of its last turn, and what is dead can be removed", async () => {
  const { warm, folder, far, git } = personWithPlace(joining);
  const cut = async () => {
    await eventually(() => git("for-each-ref", "refs/tool/places/there") !== ""); // the turn before is at home
    process.kill(-Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
    return call("Bash", { command: "echo never" });
  };
  const api = await provider({
    tool: [
      call("Write", { path: "new.txt", content: "new\n" }),
      cut,
      call("Bash", { command: "cat new.txt; pwd; echo later >later.txt" }),
      call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }),
      call("Read", { path: "a.txt" }),
      text("It is here again."),
    ],
  });
  const args = ["--print", "--place", "far", "--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash"];
  const session = warm([...args, "--output-format", "json", "go on now"], { env: api.env });
  await session.ended;
  expect(JSON.parse(session.stdout()).hands).toMatchObject({ place: "far", restarts: 1 });
  const requests = api.requests("tool").slice(1);
  const results = requests.map((request) => toolResults(request).at(-1));
  expect(results[0]).toContain("Created new.txt");
  expect(results[1]).toContain('The hands at the place "far" are gone: ended by SIGKILL.');
  expect(results[2]).toMatch(/^new\n.*\/far\/work\//s);
  expect(JSON.stringify(requests[2])).toContain("New hands work for you now");
  expect(session.stderr()).toContain('The hands at the place "far" are gone: ended by SIGKILL. What is home stays;');
  expect(git("show", "refs/tool/places/there:later.txt")).toBe("later");
  expect(git("status", "--porcelain", "--ignored")).toBe("!! ignored.txt");

  // What the dead hands left is removed when somebody says so; what is not theirs stays.
  const dead = join(far, "work", "0123456789abcdef-dead");
  mkdirSync(dead, { recursive: true });
  utimesSync(dead, 1, 1);
  mkdirSync(join(far, "work", "somebody's"));
  mkdirSync(join(far, "program", "of-another-version"));
  const cleared = warm(["place", "gc", "far", "--json"]);
  expect((await cleared.ended).code).toBe(0);
  expect(JSON.parse(cleared.stdout())).toEqual({ ok: true, place: "far", works: 1, programs: 0, alive: 1 });
  expect(readdirSync(join(far, "work"))).toEqual(["somebody's"]);
  rmSync(join(far, "work"), { recursive: true });
  const again = warm(["place", "gc", "far"]);
  await again.ended;
  expect(again.stdout()).toBe("Removed at far: 1 program of other versions.\n");
});

/** What a link with 300 ms each way and 1 % loss does to a stream: all arrives in order, and each hundredth packet a second later. */
const slow = `
import { spawn } from "node:child_process";
const [program, ...words] = process.argv.slice(2);
const there = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
const packet = 1_400;
function delay(from, to) {
  const waiting = [];
  let [due, packets] = [0, 0];
  const pass = () => {
    while (waiting.length > 0 && waiting[0].due <= performance.now()) waiting.shift().act();
    if (waiting.length > 0) setTimeout(pass, waiting[0].due - performance.now());
  };
  const later = (act) => {
    due = Math.max(due, performance.now() + 300);
    if (waiting.push({ due, act }) === 1) setTimeout(pass, 300);
  };
  from.on("data", (bytes) => {
    for (let at = 0; at < bytes.length; at += packet) {
      if (++packets % 100 === 0) due = Math.max(due, performance.now() + 300) + 1_000;
      later(() => to.write(bytes.subarray(at, at + packet)));
    }
  });
  from.on("end", () => later(() => to.end()));
}
delay(process.stdin, there.stdin);
delay(there.stdout, process.stdout);
there.stdin.on("error", () => {});
there.on("exit", (code) => setTimeout(() => process.exit(code ?? 1), 2_000));
`;

it("over a link with 300 ms each way and 1 % loss everything is as it is here", async () => {
  const { warm, git } = personWithPlace(
    (folder) => {
      writeFileSync(join(folder, "slow.mjs"), slow);
      return { command: [process.execPath, join(folder, "slow.mjs")] };
    },
    { program: "missing" },
  );
  const api = await provider({
    tool: [
      call("Bash", { command: "seq 1 60000" }),
      call("Write", { path: "new.txt", content: "new\n" }),
      call("Grep", { pattern: "new" }),
      text("Done."),
    ],
  });
  const flags = ["--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash", "--output-format", "json"];
  const session = warm(["--print", "--place", "far", ...flags, "go on now"], { env: api.env });
  const { code } = await session.ended;
  expect({ code, said: session.stderr() }).toMatchObject({ code: 0, said: expect.not.stringContaining("is there again") });
  const results = api
    .requests("tool")
    .slice(1)
    .map((request) => toolResults(request).at(-1));
  expect(results).toEqual([
    expect.stringContaining("\n60000"),
    expect.stringContaining("Created new.txt"),
    expect.stringContaining("new.txt"),
  ]);
  expect(git("show", "refs/tool/places/there:new.txt")).toBe("new");
  const { hands } = JSON.parse(session.stdout());
  expect(hands).toMatchObject({ place: "far", restarts: 0 });
  expect(hands.round_trip_ms).toBeGreaterThanOrEqual(600);
});

it.each([
  ["they start", "program"],
  ["its workspace is opened", "work"],
])("a session whose hands die while %s begins with new ones", async (_moment, made) => {
  const { warm, folder, far } = personWithPlace(joining, { program: "missing" });
  const dies = `( until [ -d ${far}/${made} ]; do sleep 0.01; done; kill -9 -$$ ) &\n`;
  writeFileSync(join(folder, "join.sh"), `[ -e ${folder}/died ] || { touch ${folder}/died; ${dies} }\nexec sh -c "$*"\n`);
  const api = await provider({ tool: [text("Done.")] });
  const session = warm(["--print", "--place", "far", "--output-format", "json", "go on now"], { env: api.env });
  expect(await session.ended, session.stderr()).toMatchObject({ code: 0 });
  expect(JSON.parse(session.stdout())).toMatchObject({ ending: "done", hands: { place: "far", state: "working" } });
  expect(existsSync(join(folder, "died"))).toBe(true);
});

it("settings that change while the session runs count at the place from the next call on", async () => {
  const { warm, configDir } = personWithPlace(joining);
  const settings = join(configDir, "settings.json");
  const denied = () => {
    const { permissions, ...rest } = JSON.parse(readFileSync(settings, "utf8"));
    writeFileSync(settings, JSON.stringify({ ...rest, permissions: { deny: [...permissions.deny, "Read(a.txt)"] } }));
    return call("Read", { path: "a.txt" });
  };
  const api = await provider({ tool: [call("Read", { path: "a.txt" }), denied, call("Read", { path: "secret.txt" }), text("Done.")] });
  const session = warm(["--print", "--place", "far", "go on now"], { env: api.env });
  await session.ended;
  const results = api
    .requests("tool")
    .slice(1)
    .map((request) => toolResults(request).at(-1));
  expect(results).toEqual([
    expect.stringContaining("one"),
    expect.stringContaining("Permission denied"),
    expect.stringContaining("secret:"),
  ]);
  expect(session.stderr()).toContain("denied Read a.txt: The rule Read(a.txt) denies it");
});

it("a session that continues has its hands at its place again, and says where it goes on once that is gone", async () => {
  const { warm, configDir, far, repository, git } = personWithPlace(joining);
  const where = [call("Bash", { command: "pwd" }), text("Done.")];
  const api = await provider({ tool: [text("Done."), ...where, ...where] });
  const run = async (...args: string[]) => {
    const session = warm(["--print", "--allow", "Bash", ...args, "go on now"], { env: api.env });
    expect((await session.ended).code).toBe(0);
    return { said: session.stderr(), result: toolResults(api.requests("tool").at(-1))[0] };
  };
  expect((await run("--place", "far", "--worktree", "there")).said).toContain("It made nothing: its worktree there is removed.");
  expect(existsSync(join(dirname(repository), "repo-agents-sessions"))).toBe(false);
  expect(git("branch", "--list", "tool/*")).toBe("");
  git("commit", "--quiet", "--allow-empty", "--message", "Meanwhile");
  expect((await run("--continue")).result).toContain(join(far, "work"));
  writeFileSync(join(configDir, "settings.json"), "{}");
  expect(await run("--continue")).toEqual({
    said: expect.stringContaining('This session had its hands at the place "far", which your settings no longer have. It goes on here;'),
    result: expect.stringContaining(join(dirname(repository), "repo-agents-sessions", "there")),
  });
});

it("an agent has its hands at a place, with no more rights there than its definition gives, and leaves its work at home", async () => {
  const { warm, far, git, write } = personWithPlace(joining);
  write("config/agents/away.md", "---\nname: away\ndescription: away\ntools: Write, Bash(pwd), Agent\nisolation: place:far\n---\nDo it.\n");
  const start = (name: string, more = {}) =>
    call("Agent", { description: "Work there", prompt: "Go.", subagent_type: name, name: `${name}-1`, ...more });
  const api = await provider({
    tool: [start("away"), start("general", { name: "there", isolation: "place:far" }), text("Done.")],
    "away-1": [
      call("Bash", { command: "pwd" }),
      call("Bash", { command: "id" }),
      start("general", { name: "below" }),
      call("Write", { path: "made.txt", content: "there\n" }),
      text("I am done."),
    ],
    below: [
      call("Bash", { command: "pwd" }),
      call("Bash", { command: "id" }),
      call("Write", { path: "below.txt", content: "there too\n" }),
      text("I was below."),
    ],
    there: [call("Bash", { command: "pwd" }), text("I was there.")],
  });
  const session = warm(["--print", "--allow", "Bash", "--allow", "Write", "go on now"], { env: api.env });
  await session.ended;
  const results = (agent: string) =>
    api
      .requests(agent)
      .slice(1)
      .map((request) => toolResults(request)[0] ?? "");
  const [where, id, agent, wrote] = results("away-1");
  expect(where).toContain(join(far, "work"));
  expect(id).toContain("definition does not give it Bash here");
  expect(agent).toContain("I was below.");
  const [belowWhere, belowId] = results("below");
  expect(belowWhere).toBe(where);
  expect(belowId).toContain("which is above this agent, does not allow Bash here");
  expect(wrote).toContain("Created made.txt");
  expect(results("there")[0]).toContain(join(far, "work"));
  expect(results("tool")[0]).toMatch(/I am done\..*Its worktree .* is kept/s);
  const changes = warm(["changes", "--json"]);
  await changes.ended;
  expect(JSON.parse(changes.stdout()).changes.map(({ files }: { files: { path: string }[] }) => files.map(({ path }) => path))).toEqual([
    ["below.txt", "made.txt"],
  ]);
  expect(git("status", "--porcelain")).toBe("");
});

it("agents of a session at a place work there with its hands, within the same rules, and go on with new ones", async () => {
  const { warm, folder, far, git } = personWithPlace(joining);
  const start = (name: string, more = {}) => call("Agent", { description: "Work", prompt: "Go.", subagent_type: "general", name, ...more });
  const cut = async () => {
    await eventually(() => git("for-each-ref", "refs/tool/places/there") !== ""); // what it wrote is at home
    process.kill(-Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
    return call("Bash", { command: "echo never" });
  };
  const api = await provider({
    tool: [
      start("apart", { isolation: "worktree" }),
      start("first"),
      call("Bash", { command: "pwd; cat first.txt second.txt" }),
      text("Done."),
    ],
    first: [
      call("Bash", { command: "pwd; cat secret.txt" }),
      call("Read", { path: "hidden.txt" }),
      call("Write", { path: "first.txt", content: "first\n" }),
      start("second"),
      cut,
      call("Bash", { command: "cat first.txt second.txt" }),
      text("I was first."),
    ],
    second: [call("Bash", { command: "pwd; echo second >second.txt" }), text("I was second.")],
  });
  const args = ["--print", "--place", "far", "--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash", "go on now"];
  const session = warm(args, { env: api.env });
  await session.ended;
  const results = (agent: string) =>
    api
      .requests(agent)
      .slice(1)
      .map((request) => toolResults(request).at(-1) ?? "");
  const [apart, report, last] = results("tool");
  expect(apart).toContain('none with a tree of its own. Leave "isolation" out.');
  expect(report).toContain("I was first.");
  const [where, hidden, , second, gone, again] = results("first");
  expect(where).toMatch(/\/far\/work\/.*github_token = "\[secret:[a-z-]+:\d+\]"/s);
  expect(hidden).toContain("Permission denied");
  expect(second).toContain("I was second.");
  expect(results("second")[0]).toBe(where?.split("\n")[0]);
  expect(gone).toContain('The hands at the place "far" are gone: ended by SIGKILL.');
  expect(again).toMatch(/^first\nsecond/);
  expect(last).toMatch(/\/far\/work\/.*\nfirst\nsecond/);
  expect(JSON.stringify(api.requests("first")[0]?.body.system)).toContain(join(far, "work"));
  const changes = warm(["changes", "--json"]);
  await changes.ended;
  const [{ files }] = JSON.parse(changes.stdout()).changes;
  expect(files.map(({ path }: { path: string }) => path)).toEqual(["first.txt", "second.txt"]);
});

it.each([
  ["a place that the settings do not name", ["--place", "fra"], 'your settings have no place "fra". Did you mean "far"?'],
  ["a session that is not there", ["--place", "far", "--resume", "x"], "no session of this folder has it"],
])("refuses %s, and sends nothing", async (_what, flags, why) => {
  const { warm } = personWithPlace(joining);
  const api = await provider({ tool: [text("Done.")] });
  const session = warm(["--print", ...flags, "go on now"], { env: api.env });
  expect([(await session.ended).code, session.stderr()]).toEqual([2, expect.stringContaining(why)]);
  expect(api.requests("tool")).toEqual([]);
});

/** A place whose command writes down each message, and which way it went; what comes back takes its time. */
const tapped = `
const { spawn } = require("node:child_process");
const { appendFileSync } = require("node:fs");
const [log, program, ...words] = process.argv.slice(2);
const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
const tap = (mark, from, to, ms) => {
  let rest = "";
  const pass = (bytes) => {
    const lines = (rest + bytes.toString("latin1")).split("\\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('{"n"')) appendFileSync(log, mark + line + "\\n");
    to.write(bytes);
  };
  from.on("data", (bytes) => setTimeout(pass, ms, bytes)).on("end", () => setTimeout(() => to.end(), ms));
};
tap(">", process.stdin, child.stdin, 0);
tap("<", child.stdout, process.stdout, 150);
`;

it("the result of a call that only looks comes with the answer whether it may, another one is made after that; none runs that may not", async () => {
  const { warm, folder } = personWithPlace((at) => ({ command: [process.execPath, join(at, "tap.cjs"), join(at, "log")] }));
  writeFileSync(join(folder, "tap.cjs"), tapped);
  const calls = [call("Read", { path: "a.txt" }), call("Read", { path: "hidden.txt" }), call("Bash", { command: "echo run" })];
  const api = await provider({ tool: [...calls, text("Done.")] });
  const args = ["--print", "--place", "far", "--allow", "Bash(echo:*)", "go on now"];
  expect((await warm(args, { env: api.env }).ended).code).toBe(3);
  const messages = readFileSync(join(folder, "log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => ({ way: line[0], ...JSON.parse(line.slice(1)).message }));
  const asked = messages.filter(({ member }) => member === "permit" || member === "run");
  expect(asked.map(({ member, args: { tool: name } }) => `${member} ${name}`)).toEqual([
    "permit Read",
    "permit Read",
    "permit Bash",
    "run Bash",
  ]);
  const answers = asked.map(({ id }) => messages.find(({ way, id: to, kind }) => way === "<" && to === id && kind !== "output"));
  expect(messages.indexOf(answers[2])).toBeLessThan(messages.indexOf(asked[3]));
  expect(answers.map(({ value }) => value.permission?.allowed)).toEqual([true, false, true, undefined]);
  expect(answers.map(({ value }) => value.ran?.result.text)).toEqual([expect.stringContaining("one"), undefined, undefined, undefined]);
  const results = api
    .requests("tool")
    .slice(1)
    .map((request) => toolResults(request).at(-1));
  expect(results).toEqual([expect.stringContaining("one"), expect.stringContaining("denied"), expect.stringContaining("run")]);
});

it.each([
  ["a place that is not reached", (folder: string) => ({ command: [join(folder, "none")] }), "could not be run"],
  ["no repository with a commit", joining, "the repository has no commit yet"],
])("with %s, nothing is made at home", async (what, command, why) => {
  const { warm, repository, git } = personWithPlace(command);
  if (what.startsWith("no repository")) {
    rmSync(join(repository, ".git"), { recursive: true });
    git("init", "--quiet");
  }
  const api = await provider({ tool: [text("Done.")] });
  const session = warm(["--print", "--place", "far", "go on now"], { env: api.env });
  expect([(await session.ended).code, session.stderr()]).toEqual([2, expect.stringContaining(why)]);
  expect(readdirSync(dirname(repository)).filter((name) => name.includes("-agents-"))).toEqual([]);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
});

it.skipIf(await lacks("pty"))("a rewind puts files back at the place, and @ names the files there", async () => {
  const { env, repository } = personWithPlace(joining);
  const api = await provider({
    tool: [
      text("Hi."),
      call("Read", { path: "a.txt" }),
      call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }),
      call("Write", { path: "made-there.txt", content: "new\n" }),
      text("Written."),
      call("Bash", { command: "cat a.txt; ls made-there.txt" }),
      text("As before."),
    ],
  });
  const args = ["--place", "far", "--worktree", "there", "--allow", "Bash", "--permission-mode", "acceptEdits"];
  const seat = personsTerminal([...tool, ...args], { env: { ...env, ...api.env }, cwd: repository, columns: 110, rows: 40 });
  await seat.shows("at far");
  seat.type("hello\r");
  await seat.shows("Hi.");
  seat.type("write them\r");
  await seat.shows("Written.");
  await seat.shows("ready");
  seat.type("@made-t");
  await seat.shows("made-there.txt");
  seat.type("\u0015");
  seat.type("\u001b\u001b");
  await seat.shows("❯ 1  write them");
  seat.type("\r");
  await seat.shows("made-there.txt  would be removed: it did not exist then");
  await choose(seat, "y");
  await seat.shows("What was undone");
  seat.type(" again\r");
  await seat.shows("As before.");
  const [result = ""] = toolResults(api.requests("tool").at(-1));
  expect(result).toMatch(/^one\n.*made-there\.txt.*No such file/s);
  expect(readFileSync(join(dirname(repository), "repo-agents-sessions", "there", "a.txt"), "utf8")).toBe("one\n");
  await seat.leave();
});

it.skipIf(await lacks("sshd", "pty"))("a session in a terminal works over ssh, and asks its person here", async () => {
  const there = personWithPlace(joining, { program: "missing" });
  const { folder, repository, configDir, env, far, git } = there;
  mkdirSync(join(folder, "ssh"), { mode: 0o700 });
  const sshd = await sshdOnLoopback(join(folder, "ssh"));
  onTestFinished(sshd.stop);
  writeFileSync(
    join(configDir, "settings.json"),
    JSON.stringify({ places: { far: { command: sshd.command, folder: far } }, sandbox: { autoAllow: false } }),
  );
  const api = await provider({
    tool: [
      call("Read", { path: "a.txt" }),
      call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }),
      call("Bash", { command: "for n in 1 2 3; do echo line $n of $SSH_CONNECTION; done; echo made >made.txt; touch x" }),
      call("Bash", { command: "touch y; sleep 60", background: true }),
      text("Done over there."),
    ],
  });
  const args = ["--place", "far", "--worktree", "there", "--allow", "Edit(a.txt)"];
  const seat = personsTerminal([...tool, ...args], { env: { ...env, ...api.env }, cwd: repository, columns: 120, rows: 40 });
  await seat.shows("ready");
  seat.type("go on\r");
  await seat.shows("asks to run");
  seat.type("1");
  await seat.shows("line 3 of");
  await seat.shows("touch y");
  await seat.shows("asks to run");
  seat.type("1");
  await seat.shows("Done over there.");
  const results = api
    .requests("tool")
    .slice(1)
    .map((request) => toolResults(request).at(-1));
  expect(results[0]).toContain("one");
  // The hands have the variables of sshd's session; commands have what the person named.
  expect(results[2]).toMatch(/line 1 of.*line 3 of/s);
  expect(readFileSync(join(repository, "a.txt"), "utf8")).toBe("one\n");
  await eventually(() => git("for-each-ref", "refs/tool/places/there") !== "");
  await eventually(() => git("ls-tree", "refs/tool/places/there", "made.txt") !== "");
  expect(git("show", "refs/tool/places/there:a.txt")).toBe("two");
  expect(filesWith(far, [api.env["ANTHROPIC_API_KEY"]!, configDir, "home's own"])).toEqual([]);
  await seat.leave();
  await eventually(() => processesOf(far).every(({ command: words }) => !words.includes("sleep 60")));
});

it.skipIf(await lacks("sshd"))(
  "a command runs once and to its end though ssh is killed twice meanwhile, and its output is whole",
  async () => {
    const there = personWithPlace(joining);
    const { folder, configDir, far, git, warm } = there;
    mkdirSync(join(folder, "ssh"), { mode: 0o700 });
    const sshd = await sshdOnLoopback(join(folder, "ssh"));
    onTestFinished(sshd.stop);
    writeFileSync(join(configDir, "settings.json"), JSON.stringify({ places: { far: { command: sshd.command, folder: far } } }));
    const command = "echo begun >>runs.txt; for n in $(seq 1 60); do echo line $n; sleep 0.1; done; echo ended >>runs.txt";
    const api = await provider({ tool: [call("Bash", { command }), text("Done.")] });
    const args = ["--print", "--place", "far", "--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash", "go on now"];
    const session = warm(args, { env: api.env });
    const linkOf = () => processesOf(folder).find(({ command: words }) => words.startsWith("ssh "))?.pid;
    const runs = () => readdirSync(join(far, "work"), { recursive: true, encoding: "utf8" }).some((name) => name.endsWith("runs.txt"));
    await eventually(() => existsSync(join(far, "work")) && runs());
    const first = await eventually(linkOf);
    process.kill(first, "SIGKILL");
    const second = await eventually(() => {
      const found = linkOf();
      return found !== first && session.stderr().includes("there again") ? found : undefined;
    });
    process.kill(second, "SIGKILL");
    expect((await session.ended).code).toBe(0);
    const [result = ""] = toolResults(api.requests("tool")[1]!);
    expect(result).toContain("line 60");
    expect(result.match(/line \d+/g)).toEqual(Array.from({ length: 60 }, (_, n) => `line ${n + 1}`));
    expect(git("show", "refs/tool/places/there:runs.txt")).toBe("begun\nended");
    expect(session.stderr().match(/is there again; nothing is lost/g)?.length).toBe(2);
    // What it worked in is gone with it; the program and the repository stay for the next time.
    expect(readdirSync(far).toSorted()).toEqual(["links", "program", "repositories", "state"]);
    expect(readdirSync(join(far, "links"))).toEqual([]);
  },
);
