import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxRun } from "../../../../src/agent/ports/sandbox-port.ts";
import { gitFolders } from "../../../../src/edge/git/places.ts";
import { classifiedTree } from "../../../../src/edge/shell/sandbox/tree.ts";
import { insidePlace, waitingShell } from "../../../../src/edge/shell/waiting-shell.ts";
import type { Entry } from "../../../../src/permissions/sandbox/sandbox-view.ts";
import { failing } from "../../../failing-calls.ts";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { tree } from "../../../tools/tree.ts";
import { type EscapeWorld, escapeWorld, openAt, preparedSandbox, survivors, waitingProcesses } from "../../escape-world.ts";
import { escapes } from "../../escapes.ts";

const noNetwork =
  '[in the sandbox there is no network: a person can allow it once when a command asks for it, or set "sandbox": {"network": true} in their own settings]';

const noSandbox = await lacks("sandbox");
const has = Object.fromEntries(["python3", "perl", "node"].map((name) => [name, spawnSync(name, ["--version"]).status === 0]));

/**
 * The processes of the sandbox prepared after a command. It is prepared in an immediate after the result: until then one may be waiting that
 * is replaced when sockets on this machine have changed. It is not prepared if one vanishes that it is to cover.
 */
async function nextPrepared(world: EscapeWorld): Promise<number[]> {
  for (;;) {
    await world.run("true");
    await new Promise(setImmediate);
    const pids = await eventually(() => preparedSandbox(world) ?? (waitingProcesses(world).length === 0 && "none"));
    if (pids !== "none") return pids;
  }
}

describe.skipIf(noSandbox)("an escaping program that is allowed to run", () => {
  let world: EscapeWorld;
  beforeAll(async () => {
    world = await escapeWorld();
  });
  afterAll(() => world.close());

  const runnable = escapes.filter(([, , needs]) => needs === undefined || has[needs]);

  it("is one of at least 100", () => {
    expect(runnable.length).toBeGreaterThanOrEqual(100);
  });

  it.each(runnable)("finds no way out: %s", async (_, program) => {
    const before = world.snapshot();
    // Otherwise a program that finds itself outside could damage this machine.
    const { output, end } = await world.run(`[ -e "$HOST_TMP" ] && exit 99\n${program}`);
    expect(end).not.toEqual({ kind: "exited", code: 99 });
    expect(output.replaceAll(program, "")).not.toContain(world.canary);
    expect(output).not.toContain("REACHED\n");
    expect(world.snapshot()).toEqual(before);
    expect(await eventually(() => survivors(world).length === 0)).toBe(true);
    expect([world.connections(), world.sandbox.state()]).toEqual([0, { kind: "active" }]);
  });
});

describe.skipIf(noSandbox)("a command in the sandbox", () => {
  let world: EscapeWorld;
  const asked: string[] = [];
  let answer = false;
  let content: string[] = [];
  beforeAll(async () => {
    world = await escapeWorld({
      mayStay: async (path, { lines }) => {
        asked.push(path.replace(`${world.tree.path}/`, ""));
        content = lines;
        return answer;
      },
    });
  });
  afterAll(() => world.close());

  it("works as outside: files, git, exit codes, a private /tmp that stays, and servers on its own loopback", async () => {
    const ran = await world.run(
      [
        "mkdir -p build && echo made > build/out && cat build/out",
        "git -c user.name=a -c user.email=a@b.c commit -qm first --allow-empty -n && git log --format=%s",
        "git switch -qc topic && git stash list && git worktree list | wc -l",
        "echo kept > /tmp/note",
        `node -e 's=require("http").createServer((q,r)=>r.end("served")).listen(0,"127.0.0.1",async()=>{console.log(await (await fetch("http://127.0.0.1:"+s.address().port)).text());s.close()})'`,
        "exit 7",
      ].join("\n"),
    );
    expect(ran).toEqual({ end: { kind: "exited", code: 7 }, output: "made\nfirst\n1\nserved\n" });
    expect(await world.run('cat /tmp/note; echo "$TMPDIR"; pwd')).toEqual({
      end: { kind: "exited", code: 0 },
      output: `kept\n/tmp\n${world.policy.cwd}\n`,
    });
  });

  it("is told that the sandbox caused its error", async () => {
    const failed = await Promise.all(
      ["touch /etc/x", "getent hosts example.com || curl -sS http://example.com", "mv .git g"].map((command) => world.run(command)),
    );
    expect(failed.map(({ output }) => output.trim().split("\n").at(-1))).toEqual([
      "[in the sandbox only the working directory and /tmp can be written, without protected files. The person can open another folder, such as a package manager's: /add-dir in a session, or --add-dir]",
      noNetwork,
      "[in the sandbox folders around protected or denied files cannot be moved]",
    ]);
    expect((await world.run("echo Read-only file system")).output).toBe("Read-only file system\n");
  });

  it("is told about the missing network also if it succeeds, and not if a file only mentions such errors", async () => {
    const outputs = await Promise.all(
      [
        "getent hosts example.com; curl -sS http://example.com; true",
        `node -e 'require("net").connect(1, "127.0.0.1").on("error", (error) => console.log(error))'`,
        'echo \'if (error.code === "ENOTFOUND" || error.code === "ECONNREFUSED") retry();\'',
      ].map(async (command) => (await world.run(command)).output.includes(noNetwork)),
    );
    expect(outputs).toEqual([true, true, false]);
  });

  it("has the network once if a user allowed just that, and the rest of the sandbox unchanged", async () => {
    const reach = `node -e 'require("net").connect(+process.env.LOOPBACK_PORT, "127.0.0.1").on("data", () => console.log("reached")).on("error", () => console.log("no"))'; touch "$OUTSIDE/x" 2>/dev/null || echo shut`;
    const outputs: string[] = [];
    for (const pass of [{}, { network: true as const }, {}])
      outputs.push(
        (await world.run(reach, pass)).output
          .split("\n")
          .filter((line) => /^(reached|no|shut)$/.test(line))
          .join(" "),
      );
    expect(outputs).toEqual(["no shut", "reached shut", "no shut"]);
  });

  it("sees a masked file once if a user allowed just that", async () => {
    const path = world.tree.at("work/secret/denied.txt");
    const outputs: boolean[] = [];
    for (const pass of [{}, { shown: [path] }, {}])
      outputs.push((await world.run("cat secret/denied.txt", pass)).output.includes(world.canary));
    expect(outputs).toEqual([false, true, false]);
  });

  it("has no open descriptors but its output", async () => {
    const { output } = await world.run("ls -l /proc/self/fd | grep -c -- '->'");
    expect(output).toBe("4\n"); // three programs and the folder that ls lists
  });

  it("uses a prepared sandbox only if that covers what exists now", async () => {
    const work = world.policy.cwd;
    const shells = waitingShell();
    const place = () => insidePlace(world.sandbox.begin() as SandboxRun, { cwd: work, env: { PATH: process.env["PATH"] ?? "" } });
    const take = () => shells.take(place());
    const prepare = () => shells.prepare(place());
    /** A socket of another program that appears or vanishes between the two is covered too, or no longer: then it is prepared again. */
    const run = async (script: string) => {
      const shell = await eventually(() => {
        prepare();
        return take();
      });
      const [output] = await once(shell.run(script)!.child.stdout, "data");
      return String(output);
    };
    expect(await run("echo first")).toBe("first\n");
    prepare();
    // as an editor writes: the covered file is no longer the one at this path
    writeFileSync(`${work}/new`, "{}");
    renameSync(`${work}/new`, `${work}/.tool/settings.json`);
    const other = take();
    prepare();
    // in one step: the sandbox being prepared meanwhile may put an empty file in the place of a missing one
    renameSync(`${work}/secret`, world.tree.at("secret-before"));
    world.tree.put("work/secret/denied.txt", world.canary);
    expect([other, take()]).toEqual([undefined, undefined]);
    expect(await run("echo given; cat secret/denied.txt 2>/dev/null")).toBe("given\n");
    shells.close();
  });

  it.each(["of the wall", "inside it"])("is not affected if its prepared sandbox was killed (the process %s)", async (which) => {
    const [wall, ...inside] = await nextPrepared(world);
    process.kill(which === "of the wall" ? wall! : inside.at(-1)!, "SIGKILL");
    await eventually(() => waitingProcesses(world).length === 0).catch(() => {
      const left = waitingProcesses(world).map((pid) => readFileSync(`/proc/${pid}/status`, "utf8").split("\n", 7).join(" "));
      throw new Error(`Of the processes ${[wall, ...inside].join(", ")} these are left: ${left.join("; ")}`);
    });
    expect(await world.run("echo run >> /tmp/killed; cat /tmp/killed; rm /tmp/killed", { timeoutMs: 20_000 })).toEqual({
      end: { kind: "exited", code: 0 },
      output: "run\n",
    });
  });

  it("also runs if no waiting shell can be used", async () => {
    await world.run("true");
    expect((await world.run(`: ${"x".repeat(127_000)}; echo ${"y".repeat(10)}`)).output).toBe(`${"y".repeat(10)}\n`);
    expect((await world.run(`: ${"x".repeat(200_000)}`)).end).toEqual({
      kind: "failed",
      reason: "it is too long. Write it to a file and run that",
    });
    expect((await world.run("printf 'a\\n\\n\\tb\\\\ \\n\\n'; cat <<'E'\n x\nE\n\n")).output).toBe("a\n\n\tb\\ \n\n x\n");
  });

  it("may clean up at the time limit, and is ended with everything it started", async () => {
    const { end, output } = await world.run(
      "trap 'echo cleaning; exit 0' TERM; (trap '' TERM; sleep 600) & echo on; while :; do sleep 0.05; done",
      { timeoutMs: 3000 },
    );
    expect({ end, output: output.replaceAll(/^.*Terminated.*\n/gm, "") }).toEqual({ end: { kind: "timed_out" }, output: "on\ncleaning\n" });
    expect(await eventually(() => survivors(world).length === 0)).toBe(true);
  });

  it.skipIf(!has["python3"])("is ended at the time limit when it has stopped the first process inside", async () => {
    const attach = "import ctypes, time; ctypes.CDLL(None).ptrace(16, 1, 0, 0); time.sleep(600)";
    const { end } = await world.run(`python3 -c "${attach}"`, { timeoutMs: 1500 });
    expect(end).toEqual({ kind: "timed_out" });
    expect(await eventually(() => survivors(world).length === 0)).toBe(true);
  });

  // A checkout in /tmp or /var/tmp has no place for it: a command in the sandbox has its own.
  it.skipIf(/^\/(?:var\/)?tmp\//.test(process.cwd()))(
    "does not see what rules deny outside, nor what a link with a denied name leads to",
    async () => {
      const deny = ["Read(~/private/**)", "Read(~/one.txt)", "Read(~/mixed/*.key)", "Read(linked)"];
      const inOpen = mkdtempSync(join(process.cwd(), "node_modules", ".scratch-"));
      const there = await escapeWorld({ deny, folder: inOpen });
      try {
        for (const path of ["home/private/x", "home/one.txt", "home/mixed/a.key", "outside/linked-to"]) there.tree.put(path, there.canary);
        for (const path of ["home/mixed/open", "outside/open"]) there.tree.put(path, "open");
        symlinkSync("../outside/linked-to", there.tree.at("work/linked"));
        const { output } = await there.run("cd ~ && cat private/* one.txt mixed/* $OUTSIDE/* $OLDPWD/linked");
        expect([output.includes(there.canary), output.match(/open(?!ed)/g)?.length]).toEqual([false, 2]);
        // Where a program's settings cannot be read it may give up; without any it goes on.
        expect((await there.run("wc -c < ~/.netrc; ls -A ~/.aws")).output).toBe("0\n");
      } finally {
        await there.close();
        rmSync(inOpen, { recursive: true });
      }
    },
  );

  it.each([
    [".git/rebase-merge/git-rebase-todo", "mkfifo"],
    [".git/rebase-merge/git-rebase-todo", "ln -s ../../list"],
    [".git/worktrees/x/commondir", "mkfifo"],
  ])("does not stop us with %s, whatever it is: %s", async (path, make) => {
    answer = false;
    const { denied } = await world.run(`mkdir -p "$(dirname ${path})" && ${make} ${path}`);
    expect(denied?.map(({ subject }) => subject)).toEqual([world.tree.at(`work/${path}`)]);
    await world.run("rm -rf .git/rebase-merge .git/worktrees");
    asked.splice(0);
  });

  it("has files that run later put aside at once, and back if a user allows it", async () => {
    answer = false;
    const refused = await world.run("echo x > .envrc; git init -q inner");
    expect(refused.output).toContain(
      `[${world.tree.at("work/.envrc")} was moved to ${world.tree.at("home/.tool/sandbox/world/put-aside")}/`,
    );
    const denied = ["work/.envrc", "work/inner/.git"].map((path) => ({
      tool: "Write",
      subject: world.tree.at(path),
      reason: "Nobody is here.",
    }));
    expect([refused.denied, content[0], content.includes("+ [core]")]).toEqual([denied, "HEAD:", true]);
    expect((await world.run("ls -a .envrc inner/.git 2>&1")).output).toContain("No such file");
    answer = true;
    expect((await world.run("echo y > .envrc; git init -q inner")).output).toBe("");
    expect((await world.run("cat .envrc; git -C inner status --short; echo z > .envrc")).output).toContain("Read-only file system");
    expect([asked, world.tree.text("work/.envrc")]).toEqual([["work/.envrc", "work/inner/.git", "work/.envrc", "work/inner/.git"], "y\n"]);
  });
});

describe.skipIf(noSandbox)("a linked worktree", () => {
  it("can commit into its repository, whose hooks and settings stay protected", async () => {
    const world = await escapeWorld();
    try {
      const git = (...args: string[]) =>
        spawnSync("git", ["-C", world.tree.at("work"), "-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
      git("commit", "-qm", "first", "--allow-empty", "-n");
      git("worktree", "add", "-q", world.tree.at("linked"));
      const linked = await openAt(world.tree.at("linked"), world);
      const { output } = await linked.run(
        `git -c user.name=a -c user.email=a@b.c commit -qm second --allow-empty -n; git log --format=%s; git config x.y z; echo x > ${world.tree.at("work/.git/hooks/new")}; echo x > ${world.tree.at("work/src/a.ts")}`,
      );
      await linked.close();
      expect(output.split("\n").slice(0, 2)).toEqual(["second", "first"]);
      expect([world.tree.text("work/src/a.ts"), readdirSync(world.tree.at("work/.git/hooks")).includes("new")]).toEqual(["a", false]);
      expect(world.tree.text("work/.git/config")).not.toContain("z");
    } finally {
      await world.close();
    }
  });

  it("is not trusted if its .git file names a folder that does not name it", async () => {
    const world = await escapeWorld();
    world.tree.put("fake/.git", `gitdir: ${world.tree.at("work/.git")}`);
    expect(gitFolders(world.tree.at("fake"))).toEqual([]);
    world.tree.put("fake/evil/worktrees/x/gitdir", world.tree.at("fake/.git"));
    world.tree.put("fake/evil/worktrees/x/commondir", world.tree.at("work/.git"));
    world.tree.put("fake/.git", `gitdir: ${world.tree.at("fake/evil/worktrees/x")}`);
    expect(gitFolders(world.tree.at("fake"))).toEqual([]);
    await world.close();
  });
});

describe.skipIf(noSandbox)("what settings and sizes change", () => {
  it("has the network if settings allow it, and still no other right", async () => {
    const world = await escapeWorld({ network: true });
    const { output } = await world.run(
      "exec 5<>/dev/tcp/127.0.0.1/$LOOPBACK_PORT && cat <&5; cat ~/.ssh/id_ed25519; echo x > $OUTSIDE/file",
    );
    const seen = [output.includes(world.canary), world.connections(), world.tree.text("outside/file")];
    await world.close();
    expect(seen).toEqual([true, 1, "outside"]);
  });

  it("is off if a user turns it off, and commands run as without it", async () => {
    const world = await escapeWorld({ enabled: false });
    const { output } = await world.run("cat $HOST_TMP");
    const seen = [output === world.canary, world.sandbox.state()];
    await world.close();
    expect(seen).toEqual([true, { kind: "off" }]);
  });

  it("refuses commands while there are too many files to cover, and is there again when they are gone", async () => {
    const world = await escapeWorld();
    const first = await world.run("cat secret/denied.txt; echo on");
    const { cwd } = world.policy;
    for (let n = 0; n < 1001; n++) world.tree.put(`work/big/p${n}/.envrc`, "");
    const refused = [await world.run("echo on"), await world.run("echo on")];
    const state = world.sandbox.state();
    const later = await openAt(cwd, world); // there such a tree is what it begins with
    rmSync(`${cwd}/big`, { recursive: true });
    const after = await world.run("cat secret/denied.txt; echo on");
    await Promise.all([later.close(), world.close()]);
    const why = expect.stringMatching(/^there are \d+ protected or denied files below the working directory, most.*for each command$/);
    expect(later.sandbox.state()).toEqual({ kind: "lost", why });
    const reason = refused.map(({ end }) => (end.kind === "failed" ? end.reason : end));
    expect(reason).toEqual([
      expect.stringMatching(
        /^A person must remove files or turn the sandbox off\. There are \d+ protected or denied files below the working directory, most/,
      ),
      reason[0],
    ]);
    expect(reason[0]).toContain(`most of them in ${cwd}/big, too many to cover for each command. No command runs until there are fewer`);
    expect([after, state]).toEqual([first, { kind: "active" }]);
  });

  it("refuses commands while an index of git is too large to read, and is there again when it is not", async () => {
    const world = await escapeWorld();
    const index = `${world.policy.cwd}/.git/index`;
    writeFileSync(index, "");
    truncateSync(index, 257 * 1024 * 1024);
    const refused = await world.run("echo on");
    rmSync(index);
    const after = await world.run("echo on");
    const state = world.sandbox.state();
    await world.close();
    expect(refused.end).toEqual({
      kind: "failed",
      reason: expect.stringMatching(/index is larger than 256 MB, more than a session reads, so what/),
    });
    expect([after.output, state]).toEqual(["on\n", { kind: "active" }]);
  });

  it("moves away any number of files that would run later, and says when a command leaves more hidden ones than can be covered", async () => {
    const world = await escapeWorld({ deny: ["Read(*.log)"] });
    const many = await world.run("mkdir $(seq -f p%.0f 1100); for n in $(seq 1100); do : > p$n/.envrc; done; echo done");
    const between = lstatSync(`${world.policy.cwd}/p7/.envrc`, { throwIfNoEntry: false });
    const { output } = await world.run("for n in $(seq 1001); do : > $n.log; done; echo done");
    const next = await world.run("echo on");
    const state = world.sandbox.state();
    await world.close();
    expect([many.output.includes("done\n"), between]).toEqual([true, undefined]); // where it takes long, it is said before where they are
    expect(output).toMatch(
      /^done\n\n\[A person must remove files or turn the sandbox off\. There are \d+ protected or denied files below .* No command runs until there are fewer/,
    );
    expect([next.end.kind, state]).toEqual(["failed", { kind: "active" }]);
  });

  it("covers a hidden folder as one, however much a build puts into it", async () => {
    const world = await escapeWorld({ deny: ["Read(dist/**)"] });
    world.tree.put("work/dist/first.js", world.canary);
    mkdirSync(`${world.policy.cwd}/out`);
    for (let n = 0; n < 1500; n++) world.tree.put(`work/dist/${n % 40}/${n}.js`, world.canary);
    const { output } = await world.run(
      "ls -A dist; cat dist/first.js dist/1/1.js; for n in $(seq 1500); do : > out/$n.js; done; mv out dist/later; echo done",
    );
    const state = world.sandbox.state();
    await world.close();
    expect([state, output.includes(world.canary), output.endsWith("done\n")]).toEqual([{ kind: "active" }, false, true]);
  });

  it("moves away files that would run later from any place, and under any name", async () => {
    const world = await escapeWorld({ deny: ["Read(.env*)", "Read(build/**)"] });
    const { cwd } = world.policy;
    const there = (path: string) => lstatSync(`${cwd}/${path}`, { throwIfNoEntry: false }) !== undefined;
    mkdirSync(`${cwd}/.git/modules/logs`, { recursive: true });
    writeFileSync(`${cwd}/.git/modules/logs/HEAD`, "ref: refs/heads/main\n");
    symlinkSync("good", `${cwd}/.vscode`);
    const invisible = `.envr${"\u200b".repeat(83)}c`;
    const planted = [".envrc", "build/.git", ".git/modules/logs/config", ".husky/pre-commit", "shut/.envrc", invisible];
    const { output } = await world.run(
      [
        "echo x > .envrc; git init -q build; echo x > .git/modules/logs/config; mkdir .husky shut; echo x > .husky/pre-commit",
        `echo x > shut/.envrc; echo x > '${invisible}'; chmod 555 shut; rm .vscode; ln -s evil .vscode; echo done`,
      ].join("; "),
    );
    const left = [...planted.filter(there), readlinkSync(`${cwd}/.vscode`)];
    const state = world.sandbox.state();
    await world.close();
    // some of it is moved while the command runs, and the command then finds it missing
    expect({ left, state, ran: output.includes("done\n") }).toEqual({ left: ["good"], state: { kind: "active" }, ran: true });
  });

  it("moves away a pipe in the place of a file that git and ripgrep open in each folder, where they would wait for ever", async () => {
    const world = await escapeWorld();
    const { cwd } = world.policy;
    writeFileSync(`${cwd}/.gitignore`, "dist\n");
    mkdirSync(`${cwd}/deep/er`, { recursive: true });
    writeFileSync(`${cwd}/deep/.ignore`, "dist\n");
    const pipes = [".gitignore", "deep/er/.gitattributes", "deep/er/.ignore", "pipe"];
    const { output } = await world.run(`rm .gitignore; mkfifo ${pipes.join(" ")}; echo done`);
    const left = [...pipes, "deep/.ignore"].filter((path) => lstatSync(`${cwd}/${path}`, { throwIfNoEntry: false }));
    await world.close();
    expect({ left, ran: output.includes("done\n") }).toEqual({ left: ["pipe", "deep/.ignore"], ran: true });
  });

  it("sees at its next look new files in a folder that it knows, whatever its times are set to", async () => {
    const folder = tree({ "a/b/x": "" });
    const evil = ({ path }: Entry) => (path.endsWith("/evil") ? ({ visibility: "readOnly", rules: true } as const) : undefined);
    const look = classifiedTree([folder.path], { classOf: evil, packages: false });
    const names = () => {
      const found = look();
      return found.kind === "seen" ? found.entries.map(({ path }) => path) : found;
    };
    expect(names()).toEqual([]);
    folder.put("a/b/evil", "");
    utimesSync(folder.at("a/b"), 1, 1);
    expect(names()).toEqual([folder.at("a/b/evil")]);
    folder.put("node_modules/p/evil", "");
    expect(names()).toEqual([folder.at("a/b/evil")]);
    folder.remove();
    expect(names()).toEqual([]);
  });
});

describe("a folder that cannot be read for a moment", () => {
  const git = ({ path }: Entry) => (path.endsWith("/.git") ? ({ visibility: "normal", rules: true } as const) : undefined);

  it.each(["EIO", "EMFILE", "Unknown system error -116"])("(%s) is not taken for empty, which would make its entries new later", (code) => {
    const folder = tree({ ".git/HEAD": "" });
    const look = classifiedTree([folder.path], { classOf: git, packages: false });
    const broken = failing("readdirSync", { code, when: (path) => path === folder.path });
    expect(look).toThrow(code);
    broken.mend();
    expect(look()).toMatchObject({ kind: "seen", entries: [{ path: folder.at(".git") }] });
    folder.remove();
  });

  it("is read again if only one call failed", () => {
    const folder = tree({ ".git/HEAD": "" });
    failing("readdirSync", { code: "EIO", when: (path) => path === folder.path, times: 1 });
    expect(classifiedTree([folder.path], { classOf: git, packages: false })()).toMatchObject({ entries: [{ path: folder.at(".git") }] });
    folder.remove();
  });
});
