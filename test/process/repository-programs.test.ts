// A repository can make git start programs during commands that only read. Each of these really does, is recognized from its files alone,
// and needs a question where no sandbox would contain it.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitFacts } from "../../src/agent/workspace/git-programs.ts";
import { realPath } from "../../src/edge/disk/real-path.ts";
import { namesContents } from "../../src/edge/git/repository/named-contents.ts";
import { stagedFiles } from "../../src/edge/git/repository/repository-files.ts";
import { showsHiddenIn } from "../../src/edge/git/repository/repository-history.ts";
import { repositoryPrograms } from "../../src/edge/git/repository/repository-programs.ts";
import { outliers } from "../../src/edge/shell/outliers.ts";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { isSensitiveName } from "../../src/permissions/paths/places.ts";
import { makePolicy, type SandboxState } from "../../src/permissions/policy.ts";
import { quoted, scratchFolder } from "../scratch.ts";

function hostile() {
  const folder = scratchFolder();
  const canary = join(folder, "canary");
  const env = { ...process.env, HOME: scratchFolder(), GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER: "cat" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@l", "-c", "protocol.file.allow=always", ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    if (text.startsWith("#!")) chmodSync(join(folder, path), 0o755);
  };
  git("init", "-q", ".");
  put("a.txt", "one\n");
  git("add", ".");
  git("commit", "-qm", "first");
  put("evil.sh", `#!/bin/sh\ntouch ${quoted(canary)}\ncat\n`);
  return { folder, canary, put, git, evil: join(folder, "evil.sh"), run: (args: string[]) => spawnSync("git", args, { cwd: folder, env }) };
}

type Place = ReturnType<typeof hostile>;

type Way = { settings?: Record<string, string>; files?: Record<string, string>; git?: string[][] };

/** EVIL and CANARY are replaced by the program and by the file that it creates. */
const hook = "#!/bin/sh\ntouch CANARY\n";
const ways: [string, Way, string[]][] = [
  ["core.fsmonitor", { settings: { "core.fsmonitor": "EVIL" } }, ["status"]],
  ["diff.external", { settings: { "diff.external": "EVIL" }, files: { "a.txt": "two\n" } }, ["diff"]],
  ["diff.x.command", { settings: { "diff.x.command": "EVIL" }, files: { ".gitattributes": "* diff=x\n", "a.txt": "two\n" } }, ["diff"]],
  ["diff.x.textconv", { settings: { "diff.x.textconv": "EVIL" }, files: { ".gitattributes": "* diff=x\n" } }, ["log", "-p"]],
  ["filter.x.clean", { settings: { "filter.x.clean": "EVIL" }, files: { ".gitattributes": "* filter=x\n", "a.txt": "two\n" } }, ["diff"]],
  [
    "filter.x.process",
    { settings: { "filter.x.process": "EVIL" }, files: { ".gitattributes": "* filter=x\n", "a.txt": "two\n" } },
    ["status"],
  ],
  [
    "merge.x.driver",
    {
      settings: { "merge.x.driver": "EVIL" },
      files: { ".gitattributes": "* merge=x\n", "a.txt": "two\n", "b.txt": "three\n" },
      git: [
        ["hash-object", "-w", "b.txt"],
        ["checkout", "-qb", "other"],
        ["commit", "-qam", "two"],
        ["checkout", "-q", "-"],
        ["update-index", "--cacheinfo", "100644,2bdf67abb163a4ffb2d7f3f0880c9fe5068ce782,a.txt"],
        ["commit", "-qm", "three"],
        ["merge", "-q", "-s", "ours", "other"],
      ],
    },
    ["show", "--remerge-diff"],
  ],
  ["post-index-change", { files: { ".git/hooks/post-index-change": hook, "a.txt": "one\n" } }, ["status"]],
  ["post-index-change", { settings: { "core.hooksPath": "h" }, files: { "h/post-index-change": hook, "a.txt": "one\n" } }, ["status"]],
  ["include.path", { settings: { "include.path": "../more" }, files: { more: "[core]\nfsmonitor = EVIL\n" } }, ["status"]],
  [
    "core.fsmonitor",
    {
      git: [
        ["init", "-q", "sub"],
        ["-C", "sub", "commit", "-qm", "s", "--allow-empty"],
        ["add", "sub"],
        ["-C", "sub", "config", "core.fsmonitor", "EVIL"],
      ],
    },
    ["status"],
  ],
];

function prepare({ git, put, evil, canary }: Place, way: Way): void {
  const filled = (text: string) => text.replaceAll("EVIL", quoted(evil)).replaceAll("CANARY", quoted(canary));
  for (const [key, value] of Object.entries(way.settings ?? {})) git("config", key, filled(value));
  for (const [path, text] of Object.entries(way.files ?? {})) put(path, filled(text));
  for (const args of way.git ?? []) git(...args.map(filled));
}

const missing: SandboxState = { kind: "missing", why: "it is not installed" };

async function decided(folder: string, command: string, sandbox: SandboxState, trusted = false) {
  const real = async (path: string) => path;
  const made = await makePolicy(
    { cwd: folder, home: "/home/me", configDir: "/home/me/.tool", allow: ["Bash(git:*)"], sandbox, trusted },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  const runs = await repositoryPrograms(folder);
  const policy = { ...made.policy, gitRuns: new Map(runs === undefined ? [] : [[folder, runs]]) };
  return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision;
}

describe("a repository that makes git start a program", () => {
  it.each(ways)("is found by reading, which starts nothing: %s", async (name, way, args) => {
    const place = hostile();
    prepare(place, way);
    rmSync(place.canary, { force: true });
    const found = await repositoryPrograms(place.folder);
    await stagedFiles(place.folder);
    const beforehand = existsSync(place.canary);
    const command = `git ${args.join(" ")}`;
    const decisions = await Promise.all([
      decided(place.folder, command, { kind: "active" }),
      decided(place.folder, command, missing),
      decided(place.folder, command, missing, true),
    ]);
    place.run(args);
    expect({ found, beforehand, decisions, really: existsSync(place.canary) }).toEqual({
      found: expect.stringContaining(name),
      beforehand: false,
      decisions: ["allow", "ask", "allow"],
      really: true,
    });
  });
});

it("an ordinary repository starts none, with a remote, hooks before commits, git-lfs and a submodule", async () => {
  const { folder, git, put } = hostile();
  git("init", "-q", "sub");
  git("-C", "sub", "commit", "-qm", "s", "--allow-empty");
  git("add", "sub");
  put(".git/hooks/pre-commit", "#!/bin/sh\n");
  put(".git/hooks/post-index-change.sample", "#!/bin/sh\n");
  for (const [key, value] of [
    ["remote.origin.url", "https://example.com/a.git"],
    ["branch.main.merge", "refs/heads/main"],
    ["core.hooksPath", ".husky/_"],
    ["filter.lfs.clean", "git-lfs clean -- %f"],
    ["filter.lfs.process", "git-lfs filter-process"],
    ["filter.lfs.required", "true"],
    ["user.name", "ada"],
    ["core.fsmonitor", "true"],
  ])
    git("config", key!, value!);
  expect([await repositoryPrograms(folder), await decided(folder, "git status && git diff HEAD", missing)]).toEqual([undefined, "allow"]);
  expect(await repositoryPrograms(scratchFolder())).toBeUndefined();
});

it.each([
  ["log.showSignature", "true", true],
  ["log.showSignature", "false", false],
  ["format.pretty", "%h %G?", true],
  ["pretty.mine", "format:%an %+GS", true],
  ["pretty.mine", "format:%an %s", false],
  ["alias.whatchanged", "!./evil.sh", true],
  ["alias.pack-redundant", "log", true],
  ["alias.st", "!./evil.sh", false],
])("what a looking git starts counts, gpg or an alias for a command that it may have given up: %s = %s", async (key, value, runs) => {
  const { folder, git } = hostile();
  git("config", key, value);
  expect(await repositoryPrograms(folder)).toBe(runs ? `${key.toLowerCase()} in the settings of ${folder}` : undefined);
  expect(await decided(folder, "git whatchanged", missing)).toBe(runs ? "ask" : "allow");
});

it("a hook is found where the name of a folder has a line break", async () => {
  const folder = scratchFolder();
  const top = join(folder, "two\nlines");
  execFileSync("git", ["init", "-q", top]);
  mkdirSync(join(top, ".git/hooks"), { recursive: true });
  writeFileSync(join(top, ".git/hooks/post-index-change"), "#!/bin/sh\n", { mode: 0o755 });
  expect(await repositoryPrograms(top)).toBe(`the hook post-index-change of ${top}`);
});

it("files that its settings make a looking git read count as well, but for the usual list of revisions that it has itself", async () => {
  const outside = join(scratchFolder(), "notes.txt");
  writeFileSync(outside, "a line of the person's\n");
  const { folder, git, put, run } = hostile();
  git("config", "blame.ignoreRevsFile", outside);
  expect(run(["blame", "a.txt"]).stderr.toString()).toContain("a line of the person's");
  expect([await repositoryPrograms(folder), await decided(folder, "git blame a.txt", missing)]).toEqual([
    `blame.ignorerevsfile in the settings of ${folder}`,
    "ask",
  ]);
  git("config", "blame.ignoreRevsFile", ".git-blame-ignore-revs");
  put(".git-blame-ignore-revs", "");
  expect([await repositoryPrograms(folder), await decided(folder, "git blame a.txt", missing)]).toEqual([undefined, "allow"]);
  rmSync(join(folder, ".git-blame-ignore-revs"));
  symlinkSync(outside, join(folder, ".git-blame-ignore-revs"));
  expect(await repositoryPrograms(folder)).toContain("blame.ignorerevsfile");
});

const ports = { real: async (path: string) => realPath(path), repositoryPrograms, namesContents, showsHidden: showsHiddenIn };

/** In acceptEdits, without a sandbox. */
async function judged(folder: string, home: string, command: string, allow: string[] = []) {
  const made = await makePolicy(
    { cwd: folder, home, configDir: join(home, ".tool"), mode: "acceptEdits", sandbox: missing, allow },
    async (path) => path,
  );
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, isThere: existsSync, outliers: outliers([folder], isSensitiveName) };
  const call = { tool: "Bash", input: { command } } as const;
  const { subject } = await locate(call, policy, ports.real);
  const here = { ...policy, ...(subject.kind === "command" && (await gitFacts(subject.analysis, policy, ports))) };
  return decide(await locate(call, here, ports.real), here).decision;
}

it.each(["git config diff.external ./evil.sh && git diff", "git config core.fsmonitor ./evil.sh; git status"])(
  "what a command sets is not trusted by a later part of it: %s",
  async (command) => {
    const { folder } = hostile();
    const allow = ["Bash(git config:*)"];
    expect(await judged(folder, folder, command, allow)).toBe("ask");
    expect(await judged(folder, folder, "git config user.email; git diff", allow)).toBe("allow");
  },
);

it("namesContents() knows contents by their id, and commits to which nothing leads", async () => {
  const { folder, git } = hostile();
  const [head = "", blob = ""] = git("rev-parse", "HEAD", "HEAD:a.txt").split("\n");
  const loose = git("commit-tree", "HEAD^{tree}", "-m", "loose").trim();
  const named = (word: string) => namesContents(folder, [word]);
  expect(await Promise.all([head, "HEAD~1", "main", "a.txt", `${head}:a.txt`].map(named))).toEqual(Array(5).fill(false));
  expect(await Promise.all([blob, loose, `HEAD..${loose}`, `${loose}^{}`].map(named))).toEqual(Array(4).fill(true));
});

describe("a repository inside of the tree", () => {
  function nested() {
    const { folder, git, put, evil } = hostile();
    mkdirSync(join(folder, "np/q/in"), { recursive: true });
    for (const name of ["src", "empty"]) mkdirSync(join(folder, name));
    git("init", "-q", "np/q");
    git("-C", "np/q", "commit", "-qm", "q", "--allow-empty");
    symlinkSync("np/q/in", join(folder, "link"));
    return { folder, git, put, plant: () => git("-C", "np/q", "config", "core.fsmonitor", evil) };
  }

  it.each(["git add np/q && git status", "git add -A && git diff"])("is inspected where the command stages it: %s", async (command) => {
    const { folder, plant } = nested();
    expect(await judged(folder, folder, command)).toBe("allow");
    plant();
    expect(await judged(folder, folder, command)).toBe("ask");
  });

  it.each([
    "git add -f np/q && git status",
    "mv np inner && git add inner && git status",
    "mv .gitignore gone && git add np && git status",
  ])("is inspected where the command stages it although git ignores it: %s", async (command) => {
    const { folder, put, plant } = nested();
    put(".gitignore", "np\n");
    plant();
    expect(await judged(folder, folder, command)).toBe("ask");
  });

  it.each([
    "cd TOP/np/q && git status",
    "git -C TOP/np/q status",
    "cd ~/np/q && git status",
    "cd $HOME/np/q && git status",
    'git -C "$HOME"/np/q status',
    "for d in ~/np/q; do git -C $d status; done",
    "cd ~ && cd np/q && git log",
    "git -C link/.. status",
    "cd src && git -C ../link/.. status",
    "mv np x && git -C x/q status",
    "mv np x && cd x/q && git status",
    "mkdir z && mv np/q z/ && git -C z/q status",
    "mv empty gone && mv np/q empty && git -C empty status",
    "mv np/q place/mod && git status",
    "mv np/q way/mod && git status",
  ])("is asked about wherever git comes to it, or it to git: %s", async (text) => {
    const { folder, git } = nested();
    git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},place/mod`);
    mkdirSync(join(folder, "place"));
    symlinkSync("place", join(folder, "way"));
    expect(await judged(folder, folder, "git status && cd src && git log")).toBe("allow");
    expect(await judged(folder, folder, text.replace("TOP", folder))).toBe("ask");
  });

  it.each([
    "cd bare && git log -p",
    "git -C bare show HEAD",
    "cd bare/refs/heads && git show HEAD",
    "cd bare/objects && git -C .. log",
    "cd linked && git show HEAD",
    "git -C src/in show HEAD",
    "cd .git && git show HEAD",
    "cd .git/hooks && git log",
    "git -C .git/worktrees/w log -p",
    "mkdir half/refs && git -C half log",
    "mv more/H* src && cd src && git log",
  ])("is asked about where it has no folder of its own for what git keeps: %s", async (command) => {
    const { folder, git } = nested();
    git("clone", "-q", "--bare", "np/q", "bare");
    git("clone", "-q", "--bare", "np/q", "src/in");
    rmSync(join(folder, "src/in/HEAD"));
    symlinkSync("refs/heads/none", join(folder, "src/in/HEAD"));
    git("worktree", "add", "-q", "--detach", join(scratchFolder(), "w"));
    for (const name of ["linked", "half", "more"]) mkdirSync(join(folder, name));
    for (const name of ["half", "more"]) writeFileSync(join(folder, name, "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(folder, "linked/commondir"), "../bare\n");
    writeFileSync(join(folder, "linked/HEAD"), "ref: refs/heads/main\n");
    expect(await judged(folder, folder, "git status && cd src && git log")).toBe("allow");
    expect(await judged(folder, folder, command)).toBe("ask");
    expect(await judged(join(folder, "bare"), folder, "git log -p")).toBe("ask");
  });

  it.each<[string, (place: Place) => void]>([
    [
      "a commondir and no objects",
      ({ put, folder }) => {
        renameSync(join(folder, ".git"), join(folder, "common"));
        put(".git/HEAD", "ref: refs/heads/main\n");
        put(".git/commondir", "../common\n");
      },
    ],
    [
      "objects and refs that are files",
      ({ put, folder }) => {
        for (const name of ["objects", "refs"]) {
          rmSync(join(folder, ".git", name), { recursive: true });
          put(`.git/${name}`, "");
        }
      },
    ],
    ["a submodule of the history that git shows", ({ git }) => git("config", "diff.submodule", "diff")],
    ["a page of help elsewhere", ({ git }) => git("config", "help.htmlPath", "https://example.com")],
    ["hooks below the home", ({ git }) => git("config", "core.hooksPath", "~/hooks")],
    ["links to lists of branches", ({ folder }) => symlinkSync("/etc/hostname", join(folder, ".git/branches/x"))],
    ["links to other references", ({ folder }) => symlinkSync("/elsewhere", join(folder, ".git/refs/heads/other"))],
    ["links to packs", ({ folder }) => symlinkSync("/elsewhere", join(folder, ".git/objects/pack/pack-1.idx"))],
    [
      "a link to what a rebase has done",
      ({ folder }) => {
        mkdirSync(join(folder, ".git/rebase-merge"));
        symlinkSync("/etc/passwd", join(folder, ".git/rebase-merge/done"));
      },
    ],
    [
      "settings whose last line goes on",
      ({ git, folder, evil }) => {
        git("config", "extensions.worktreeConfig", "true");
        appendFileSync(join(folder, ".git/config"), "[user]\n\tnick = x\\");
        writeFileSync(join(folder, ".git/config.worktree"), `[core] fsmonitor = ${evil}\n`);
      },
    ],
    [
      "a submodule whose name is no text",
      ({ folder }) => {
        const name = Buffer.from(`${folder}/m\xff`, "latin1");
        mkdirSync(name);
        mkdirSync(Buffer.concat([name, Buffer.from("/.git")]));
        execFileSync("sh", ["-c", `printf '160000 %s\\tm\\377\\n' ${"1".repeat(40)} | git update-index --add --index-info`], {
          cwd: folder,
        });
      },
    ],
  ])("and the session's own is asked about with %s", async (_, plant) => {
    const place = hostile();
    expect(await judged(place.folder, place.folder, "git status")).toBe("allow");
    plant(place);
    expect(await judged(place.folder, place.folder, "git status")).toBe("ask");
  });

  it("is asked about where git works in it, and nowhere else afterwards", async () => {
    const { folder } = nested();
    const made = await makePolicy({ cwd: folder, home: folder, configDir: join(folder, ".tool"), sandbox: missing }, async (path) => path);
    if (!made.ok) throw new Error(made.reason);
    const gitRuns = new Map([[join(folder, "np/q"), "the settings of another repository"]]);
    const policy = { ...made.policy, isThere: existsSync, gitRuns };
    const decision = async (command: string) =>
      decide(await locate({ tool: "Bash", input: { command } }, policy, ports.real), policy).decision;
    const commands = [
      "git status",
      "cd src && git log",
      "cd np/q && git status",
      "git -C np/q log",
      "cd link/.. && git status",
      "git -C link/.. log",
    ];
    expect(await Promise.all(commands.map(decision))).toEqual(["allow", "allow", "ask", "ask", "ask", "ask"]);
  });

  it("and objects of another repository are asked about", async () => {
    const { folder, put } = hostile();
    expect(await judged(folder, folder, "git log --oneline")).toBe("allow");
    put(".git/objects/info/alternates", "/elsewhere/.git/objects\n");
    expect(await judged(folder, folder, "git log --oneline")).toBe("ask");
  });
});

describe("what git prints of an object without its path", () => {
  it.each([
    ["git show $blob", "ask"],
    ["git show $short", "ask"],
    ["git show marked", "ask"],
    ["git show $tree:key.txt", "ask"],
    ["git cat-file -p $blob", "ask"],
    ["git cat-file -p marked", "ask"],
    ["git diff $blob HEAD:a.ts", "ask"],
    ["git diff HEAD^{tree}..$tree", "ask"],
    ["git grep -n KEY $short -- src", "ask"],
    ["cd src && git grep KEY $tree -- key.txt", "ask"],
    ["git show HEAD", "allow"],
    ["git show $commit", "allow"],
    ["git diff $commit~0 HEAD -- a.ts", "allow"],
    ["git cat-file -t HEAD", "allow"],
    ["git grep -n one -- src", "allow"],
  ])("%s is judged as the files that it may be: %s", async (text, decision) => {
    const { folder, git, put } = hostile();
    mkdirSync(join(folder, "secrets"));
    mkdirSync(join(folder, "src"));
    for (const [path, content] of Object.entries({ ".env": "KEY=1\n", "secrets/key.txt": "KEY=2\n", "a.ts": "one\n", "src/a.ts": "one\n" }))
      put(path, content);
    git("add", "-f", ".");
    git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "all");
    const [blob, tree, commit] = ["HEAD:.env", "HEAD:secrets", "HEAD"].map((name) => git("rev-parse", name).trim());
    git("-c", "user.name=x", "-c", "user.email=x@x", "tag", "-a", "-m", "m", "marked", blob!);
    const names: Record<string, string> = { $blob: blob!, $tree: tree!, $commit: commit!, $short: blob!.slice(0, 7) };
    expect(
      await judged(
        folder,
        scratchFolder(),
        text.replaceAll(/\$\w+/g, (name) => names[name]!),
      ),
    ).toBe(decision);
  });
});
