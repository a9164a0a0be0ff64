// Repositories that were made to get something out of the git, or another helper, that this program starts itself: a program of theirs, a
// connection, a file outside, a secret, or a process that never ends. They were delivered whole, as an archive is, with their `.git`.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** `trap` is a program that leaves a file; `secret` a file of the person's outside the repository. */
export type TrapPlace = { repository: string; trap: string; secret: string; outside: string };

export type GitTrap = {
  name: string;
  build(place: TrapPlace): void;
  /** A shell's loop that runs in the repository while the command does. */
  meanwhile?(place: TrapPlace): string;
  /** Before each PATH entry, relative to the repository. */
  path?: string;
};

const gitEnv = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nowhere",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@localhost",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@localhost",
};

function sayGit(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, env: gitEnv, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
}

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode });
}

/** What every one of them has: two commits, a changed, a staged and a new file, and a file of each kind of driver. */
export function ordinaryRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  sayGit(folder, "init", "-q", "-b", "main");
  put(join(folder, "package.json"), '{ "name": "a", "scripts": { "test": "true" } }\n');
  put(join(folder, "a.txt"), "one\n");
  put(join(folder, "src/b.lfs"), "two\n");
  sayGit(folder, "add", ".");
  sayGit(folder, "commit", "-qm", "first");
  put(join(folder, "c.txt"), "three\n");
  sayGit(folder, "add", "c.txt");
  sayGit(folder, "commit", "-qm", "second");
  put(join(folder, "a.txt"), "changed\n");
  put(join(folder, "staged.txt"), "staged\n");
  sayGit(folder, "add", "staged.txt");
  put(join(folder, "new.txt"), "new\n");
}

/** git-config(1): TRAP is the program, SECRET and OUTSIDE files outside. */
const settings: Record<string, string> = {
  "core.fsmonitor": "TRAP",
  "core.sshCommand": "TRAP",
  "core.gitProxy": "TRAP",
  "core.askPass": "TRAP",
  "core.editor": "TRAP",
  "core.pager": "TRAP",
  "pager.status": "TRAP",
  "core.alternateRefsCommand": "TRAP",
  "core.attributesFile": "SECRET",
  "core.excludesFile": "SECRET",
  "core.worktree": "OUTSIDE",
  "core.hooksPath": "HOOKS",
  "credential.helper": "!TRAP",
  "diff.external": "TRAP",
  "diff.evil.command": "TRAP",
  "diff.evil.textconv": "TRAP",
  "filter.evil.clean": "TRAP",
  "filter.evil.smudge": "TRAP",
  "filter.evil.process": "TRAP",
  "filter.lfs.clean": "sh -c 'TRAP'",
  "filter.lfs.smudge": "TRAP git-lfs smudge -- %f",
  "filter.lfs.process": "TRAP",
  "merge.evil.driver": "TRAP %O %A %B",
  "gpg.program": "TRAP",
  "gpg.ssh.defaultKeyCommand": "TRAP",
  "log.showSignature": "true",
  "sequence.editor": "TRAP",
  "interactive.diffFilter": "TRAP",
  "include.path": "../more",
  "includeIf.gitdir:/.path": "../more",
  "url.ext::TRAP.insteadOf": "https://",
  "remote.origin.url": "ext::TRAP",
  "remote.origin.vcs": "evil",
  "remote.origin.uploadpack": "TRAP",
  "remote.origin.receivepack": "TRAP",
  "remote.origin.proxy": "http://127.0.0.1:9",
  "http.proxy": "http://127.0.0.1:9",
  "protocol.ext.allow": "always",
  "submodule.part.update": "!TRAP",
  "alias.status": "!TRAP",
  "alias.ls-files": "!TRAP",
  "init.templateDir": "HOOKS",
  "trailer.x.command": "TRAP",
  "trailer.x.cmd": "TRAP",
  "uploadpack.packObjectsHook": "TRAP",
  "fetch.bundleURI": "http://127.0.0.1:9/b",
  "blame.ignoreRevsFile": "/dev/zero",
  "commit.template": "/dev/zero",
  "mailmap.file": "/dev/zero",
  "browser.evil.cmd": "TRAP",
  "man.evil.cmd": "TRAP",
  "web.browser": "TRAP",
  "gc.recentObjectsHook": "TRAP",
  "maintenance.auto": "true",
  "safe.directory": "*",
  "trace2.normalTarget": "OUTSIDE/trace",
};

const bySetting = Object.entries(settings).map(
  ([key, value]): GitTrap => ({
    name: `the setting ${key}`,
    build(place) {
      const filled = (text: string) =>
        text
          .replaceAll("TRAP", place.trap)
          .replaceAll("SECRET", place.secret)
          .replaceAll("OUTSIDE", place.outside)
          .replaceAll("HOOKS", join(place.repository, "hooks"));
      put(join(place.repository, "more"), `[core]\n\tfsmonitor = ${place.trap}\n[include]\n\tpath = /dev/zero\n`);
      for (const name of ["post-checkout", "post-index-change", "reference-transaction", "pre-commit"])
        copyProgram(place.trap, join(place.repository, "hooks", name));
      put(join(place.repository, ".gitattributes"), "* diff=evil merge=evil filter=evil\n*.lfs filter=lfs\n");
      sayGit(place.repository, "config", filled(key), filled(value));
    },
  }),
);

function copyProgram(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

/** A bare repository as plain tracked files, whose reference names an object that would have to be fetched. */
function bareIn(folder: string, { trap }: TrapPlace, more = ""): void {
  const text = `[core]\n\trepositoryformatversion = 1\n\tworktree = .\n\tbare = false\n\tfsmonitor = ${trap}\n[extensions]\n\tpartialClone = p\n[remote "p"]\n\turl = .\n\tpromisor = true\n\tuploadpack = ${trap}\n${more}`;
  put(join(folder, "HEAD"), "ref: refs/heads/main\n");
  put(join(folder, "config"), text);
  put(join(folder, "objects/.keep"), "");
  put(join(folder, "refs/heads/main"), `${"1".repeat(40)}\n`);
  put(join(folder, "x.txt"), "x\n");
}

/** A copy of the repository's own folder that starts a program. */
function commonElsewhere(repository: string, outside: string, trap: string): void {
  cpSync(join(repository, ".git"), join(outside, "common"), { recursive: true });
  appendFileSync(join(outside, "common/config"), `[core]\n\tfsmonitor = ${trap}\n`);
}

const places: GitTrap[] = [
  { name: "a tracked bare repository with a promisor remote", build: (place) => bareIn(join(place.repository, "evil"), place) },
  {
    name: "a tracked bare repository with a sparse index",
    build(place) {
      const other = join(place.outside, "sparse");
      ordinaryRepository(other);
      sayGit(other, "commit", "-qam", "all");
      sayGit(other, "sparse-checkout", "set", "--cone", "--sparse-index");
      bareIn(join(place.repository, "evil"), place);
      copyFileSync(join(other, ".git/index"), join(place.repository, "evil/index"));
    },
  },
  {
    name: "a tracked bare repository with objects from elsewhere",
    build(place) {
      bareIn(join(place.repository, "evil"), place);
      put(join(place.repository, "evil/objects/info/alternates"), "/dev/zero\n/dev/tty\n");
      put(join(place.repository, "evil/objects/info/http-alternates"), "http://127.0.0.1:9/\n");
    },
  },
  {
    name: "a partial clone that would fetch",
    build({ repository, trap }) {
      for (const [key, value] of [
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "p"],
        ["remote.p.url", "."],
        ["remote.p.promisor", "true"],
        ["remote.p.uploadpack", trap],
        ["protocol.file.allow", "always"],
      ])
        sayGit(repository, "config", key!, value!);
      put(join(repository, ".git/refs/heads/gone"), `${"2".repeat(40)}\n`);
    },
  },
  {
    name: "every hook",
    build({ repository, trap }) {
      const names =
        "applypatch-msg pre-commit prepare-commit-msg commit-msg post-commit post-checkout post-merge pre-push post-index-change reference-transaction post-rewrite fsmonitor-watchman pre-auto-gc";
      for (const name of names.split(" ")) copyProgram(trap, join(repository, ".git/hooks", name));
    },
  },
  {
    name: "a repository inside with filters and a monitor",
    build({ repository, trap }) {
      const inner = join(repository, "evil");
      ordinaryRepository(inner);
      sayGit(inner, "commit", "-qam", "all");
      sayGit(repository, "add", "evil");
      sayGit(repository, "commit", "-qm", "with it");
      sayGit(inner, "config", "filter.e.clean", trap);
      sayGit(inner, "config", "core.fsmonitor", trap);
      put(join(inner, ".gitattributes"), "* filter=e\n");
      put(join(inner, "a.txt"), "again\n");
    },
  },
  {
    name: "a commondir",
    build({ repository, outside, trap }) {
      commonElsewhere(repository, outside, trap);
      put(join(repository, ".git/commondir"), join(outside, "common"));
    },
  },
  {
    name: "a commondir that comes and goes",
    build: ({ repository, outside, trap }) => commonElsewhere(repository, outside, trap),
    meanwhile: ({ outside }) =>
      `while :; do echo ${join(outside, "common")} > .git/new; mv .git/new .git/commondir; rm -f .git/commondir; done`,
  },
  {
    name: "a folder of git that comes and goes",
    build: ({ repository, outside, trap }) => commonElsewhere(repository, outside, trap),
    meanwhile: ({ outside }) =>
      `while :; do mv .git own; ln -s ${join(outside, "common")} .git; rm .git; cp -r ${join(outside, "common")} .git; rm -rf .git; mv own .git; done`,
  },
  {
    name: "settings that change",
    build: ({ repository }) => copyFileSync(join(repository, ".git/config"), join(repository, "plain")),
    meanwhile: ({ trap }) =>
      `printf '[core]\n fsmonitor = ${trap}\n[diff]\n external = ${trap}\n' | cat plain - > evil; while :; do cp evil .git/new; mv .git/new .git/config; cp plain .git/new; mv .git/new .git/config; done`,
  },
  {
    name: "settings of a worktree",
    build({ repository, trap }) {
      sayGit(repository, "config", "extensions.worktreeConfig", "true");
      put(join(repository, ".git/config.worktree"), `[core]\n\tfsmonitor = ${trap}\n`);
    },
  },
  {
    name: "a .git file that names a repository elsewhere",
    build({ repository, outside, trap }) {
      renameSync(join(repository, ".git"), join(outside, "theirs"));
      appendFileSync(join(outside, "theirs/config"), `[core]\n\tfsmonitor = ${trap}\n`);
      put(join(repository, ".git"), `gitdir: ${join(outside, "theirs")}\n`);
    },
  },
  {
    name: "a .git that is a link",
    build({ repository, outside, trap }) {
      renameSync(join(repository, ".git"), join(outside, "theirs"));
      appendFileSync(join(outside, "theirs/config"), `[core]\n\tfsmonitor = ${trap}\n`);
      symlinkSync(join(outside, "theirs"), join(repository, ".git"));
    },
  },
  {
    name: "references with the names of options",
    build({ repository }) {
      const id = sayGit(repository, "rev-parse", "HEAD");
      for (const name of ["--exec=touch", "-c", "--upload-pack=x"]) put(join(repository, ".git/refs/heads", name), `${id}\n`);
      put(join(repository, ".git/HEAD"), "ref: refs/heads/--exec=touch\n");
    },
  },
  {
    name: "replaced objects",
    build({ repository }) {
      const [first, second] = [sayGit(repository, "rev-parse", "HEAD~1"), sayGit(repository, "rev-parse", "HEAD")];
      sayGit(repository, "replace", second, first);
    },
  },
  {
    name: "settings files of programs in the tree",
    build({ repository, trap }) {
      put(join(repository, ".ripgreprc"), `--pre=${trap}\n`);
      put(join(repository, ".gitconfig"), `[core]\n\tfsmonitor = ${trap}\n`);
      put(join(repository, ".config/git/config"), `[core]\n\tfsmonitor = ${trap}\n`);
      put(join(repository, ".tmux.conf"), `run-shell ${trap}\n`);
      put(join(repository, ".npmrc"), `script-shell=${trap}\n`);
      put(join(repository, ".lfsconfig"), "[lfs]\n\turl = http://127.0.0.1:9/\n");
      put(join(repository, ".gitmodules"), `[submodule "part"]\n\tpath = part\n\turl = ext::${trap}\n\tupdate = !${trap}\n`);
    },
  },
  ...[".", "node_modules/.bin", "bin"].map(
    (folder): GitTrap => ({
      name: `programs in ${folder} of the tree, on PATH`,
      path: folder,
      build({ repository, trap }) {
        for (const name of ["git", "rg", "tmux", "bwrap", "bash", "sh", "true", "ps", "git-lfs"])
          copyProgram(trap, join(repository, folder, name));
      },
    }),
  ),
];

/** Files of a repository that this program or its git reads. */
const files = [
  ...["HEAD", "config", "index", "packed-refs", "logs/HEAD", "info/exclude", "info/attributes", "objects/info/alternates", "shallow"].map(
    (name) => `.git/${name}`,
  ),
  ".gitattributes",
  ".gitignore",
  ".gitmodules",
  ".toolignore",
  ".worktreeinclude",
  ".env",
  ".mcp.json",
  "AGENTS.md",
  "TOOL.md",
  "CLAUDE.md",
  ".tool/settings.json",
  ".tool/agents/x.md",
  ".tool/skills/x/SKILL.md",
  "package.json",
];

const endless: [what: string, make: (path: string) => void][] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path])],
  ["a link to /dev/zero", (path) => symlinkSync("/dev/zero", path)],
  [
    "a file of 20 GB",
    (path) => {
      const file = openSync(path, "w");
      ftruncateSync(file, 20e9);
      closeSync(file);
    },
  ],
];

const byFile = files.flatMap((name) =>
  endless.map(
    ([what, make]): GitTrap => ({
      name: `${what} as ${name}`,
      build({ repository }) {
        const path = join(repository, name);
        mkdirSync(dirname(path), { recursive: true });
        rmSync(path, { force: true });
        make(path);
      },
    }),
  ),
);

export const gitTraps: GitTrap[] = [...places, ...bySetting, ...byFile];

/** Whether the trap's program has run. */
export const hasRun = (outside: string) => (existsSync(join(outside, "ran")) ? readFileSync(join(outside, "ran"), "utf8") : "");
