// What git does not have, kept before commands and brought back by a rewind: real git, real commands, with the sandbox and without.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import type { UnsavedFiles } from "../../../src/agent/ports/at-stake.ts";
import type { WorkspacePorts } from "../../../src/agent/ports/workspace-ports.ts";
import { digestOf, openFileVersions, type VersionsDisk } from "../../../src/agent/rewind/file-versions.ts";
import { keepingDisk } from "../../../src/agent/rewind/keeping-disk.ts";
import { keptCommits } from "../../../src/agent/rewind/kept-commits.ts";
import { madeRemotes } from "../../../src/agent/rewind/made-remotes.ts";
import { planRewind, putFilesBack, rewoundEvent } from "../../../src/agent/rewind/rewind.ts";
import type { UnsavedLimits } from "../../../src/agent/rewind/unsaved-look.ts";
import { unsavedWork } from "../../../src/agent/rewind/unsaved-work.ts";
import { openWorkspace, type Workspace } from "../../../src/agent/workspace.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { copyFileTo } from "../../../src/edge/shell/file-copies.ts";
import { openSandbox } from "../../../src/edge/shell/sandbox/sandbox.ts";
import { trySandbox } from "../../../src/edge/shell/sandbox/trial.ts";
import { loadSettings } from "../../../src/settings/files.ts";
import type { ToolResult } from "../../../src/tools/tool.ts";
import { workspacePorts } from "../../../src/world/workspace-ports.ts";
import { lacks } from "../../needs.ts";
import { eventually, scratchFolder, scratchRepository } from "../../scratch.ts";
import { typed } from "../agent-kit.ts";
import { mortal } from "./mortal.ts";

const noSandboxHere = await lacks("sandbox");
const lines = ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"] as const;
const events: TranscriptEvent[] = lines.map((at) => ({ type: "input", inputs: [typed(`line ${at}`)], at }));

type Place = Pick<ReturnType<typeof scratchRepository>, "top" | "git" | "put">;
type Order = { sandbox?: boolean; place?: Place; folder?: string; inTeam?: boolean; ports?: Partial<WorkspacePorts> };

/** A repository with a committed file, a modified one, and an untracked program. */
function persons(): Place {
  const place = scratchRepository();
  place.put("same.txt", "committed\n");
  place.put("a.ts", "old\n");
  place.put("sub/b.ts", "old b\n");
  place.put(".gitignore", "*.log\n");
  place.git("add", "-A");
  place.git("commit", "-qm", "first");
  place.put("a.ts", "let  a=1\n");
  place.put("notes.txt", "my notes\n");
  place.put("sub/run me.sh", "#!/bin/sh\necho mine\n");
  chmodSync(join(place.top, "sub/run me.sh"), 0o750);
  place.put("out.log", "ignored\n");
  return place;
}

/** One session there; with the folder of another one, the next process of it. */
async function session(order: Order = {}) {
  const { sandbox = false, place = persons(), folder = join(scratchFolder(), "versions"), inTeam = false, ports = {} } = order;
  const home = scratchFolder();
  const configDir = join(home, ".tool");
  mkdirSync(configDir);
  writeFileSync(join(configDir, "settings.json"), JSON.stringify(sandbox ? {} : { sandbox: { enabled: false } }));
  const settings = loadSettings(disk, { cwd: place.top, home, configDir, managed: [] }, {});
  if (!settings.ok) throw new Error(settings.reason);
  const env = { HOME: home, PATH: process.env["PATH"] };
  const trial = async () => ({ kind: "missing", why: "not tried" }) as const;
  const versions = openFileVersions(disk, folder);
  versions.lineBegins(lines[0]);
  const opened = await openWorkspace(
    {
      cwd: place.top,
      configDir,
      env,
      owner: `${randomUUID()}:tool`,
      readOnly: false,
      sandboxFound: undefined,
      settings,
      versions,
      ...(inTeam && { teamGrants: () => [] }),
    },
    {
      ...workspacePorts({ env, packageDir: home, trial }),
      ...(sandbox && { sandbox: (options) => openSandbox({ ...options, trial: () => trySandbox(options.cwd) }) }),
      ...ports,
    },
  );
  if (!opened.ok) throw new Error(opened.reason);
  const { work } = opened;
  onTestFinished(() => work.endAll());
  const said: string[] = [];
  work.permit(undefined, (text) => said.push(text));
  return { ...place, ...handsOf(work, place.top), work, versions, folder, said, place, configDir };
}

function handsOf(work: Workspace, cwd: string) {
  const use = (name: string, input: Record<string, unknown>, signal = new AbortController().signal): Promise<ToolResult> => {
    const tool = work.tools.find((one) => one.name === name)!;
    return tool.run(tool.input.parse(input), { signal });
  };
  const bash = (command: string, more: Record<string, unknown> = {}) => use("Bash", { command, ...more });
  const back = async (at: string = lines[0]) => {
    const kept = work.kept!;
    const plan = await planRewind({ at, text: "" }, { events, noted: [], kept, cwd });
    const failed = await putFilesBack(rewoundEvent(plan, { cwd, at: "2026-01-01T00:00:03.000Z" }), kept);
    return { ...plan, failed };
  };
  const text = (name: string) => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "utf8") : undefined);
  return { use, bash, back, text };
}

const asItWas = ({ text, top }: Awaited<ReturnType<typeof session>>) => [
  text("a.ts"),
  text("notes.txt"),
  text("sub/run me.sh"),
  existsSync(join(top, "sub/run me.sh")) && statSync(join(top, "sub/run me.sh")).mode & 0o777,
];
const before = ["let  a=1\n", "my notes\n", "#!/bin/sh\necho mine\n", 0o750];
const copiesIn = (folder: string) => (existsSync(join(folder, "copies")) ? readdirSync(join(folder, "copies")) : []);

describe.each([
  ["without a sandbox", false],
  ["in the sandbox", true],
])("work that git does not have, %s", (_, sandbox) => {
  const skips = sandbox && noSandboxHere;

  it.skipIf(skips).each([
    ["removed", "rm -r notes.txt sub; git checkout -q sub; git checkout a.ts", ["notes.txt (gone)", "sub/run me.sh (gone)", "a.ts"]],
    ["emptied", ": > notes.txt; truncate -s 0 a.ts", ["notes.txt (emptied)", "a.ts (emptied)"]],
    ["overwritten", "echo x > notes.txt; cp same.txt a.ts; echo > 'sub/run me.sh'", ["notes.txt", "a.ts", "sub/run me.sh"]],
    ["renamed", "mv notes.txt n2.txt; mv sub/'run me.sh' run.sh", ["notes.txt (gone)", "sub/run me.sh (gone)"]],
    ["written by a formatter", "sed -i 's/  */ /g' a.ts notes.txt", ["a.ts"]],
    ["replaced by a folder that goes again", "rm notes.txt; mkdir notes.txt; rmdir notes.txt", ["notes.txt (gone)"]],
  ])("is brought back when it is %s", async (_how, script, names) => {
    const here = await session({ sandbox });
    here.put("scripts/do.sh", script);
    const { notices = [] } = await here.bash("sh ./scripts/do.sh");
    expect(notices).toEqual([
      expect.stringMatching(/^\d files? changed whose content git did not have: .* · \/rewind brings (?:it|them) back$/),
    ]);
    expect(notices[0]!.split(": ")[1]!.split(" · ")[0]!.split(", ").toSorted()).toEqual(names.toSorted());
    expect(asItWas(here)).not.toEqual(before);
    const { left, failed } = await here.back();
    expect([left, failed, asItWas(here)]).toEqual([[], [], before]);
  });
});

describe.each([
  ["without a sandbox", false],
  ["in the sandbox", true],
])("commits that only this repository has, %s", (_, sandbox) => {
  const skips = sandbox && noSandboxHere;
  const prune = "git reflog expire --expire=now --all; git gc -q --prune=now";
  /** Without the stashes, which are lines of a log. */
  const ofNames = (notices: string[] = []) => notices.filter((text) => !text.includes("stash"));

  /** With a branch of two commits that nothing else leads to, a tag on one more, and two stashes. */
  async function withBranches() {
    const here = await session({ sandbox });
    const { git, put } = here;
    for (const name of ["one", "two"]) {
      if (name === "one") git("switch", "-qc", "feature");
      put(`${name}.txt`, `${name}\n`);
      git("add", `${name}.txt`);
      git("commit", "-qm", name);
    }
    git("switch", "-q", "main");
    git("branch", "merged");
    git("commit", "-qm", "tagged", "--allow-empty");
    git("tag", "v1");
    git("reset", "-q", "--soft", "HEAD~1");
    for (const name of ["three", "four"]) {
      put("same.txt", `${name}\n`);
      git("stash", "push", "-qm", name, "same.txt");
    }
    const id = (name: string) => String(git("rev-parse", name)).trim();
    return { ...here, id };
  }

  it.skipIf(skips).each([
    ["deleted", ""],
    ["pruned", `; ${prune}`],
    ["deleted with their objects", "; find .git/objects -type f -delete"],
  ])("are said and brought back when their names are %s", async (_how, more) => {
    const here = await withBranches();
    const [feature, v1, stashes] = [here.id("feature"), here.id("v1"), [here.id("stash@{0}"), here.id("stash@{1}")]];
    here.put("scripts/do.sh", `git branch -D feature merged; git tag -d v1; git stash clear${more}`);
    const { notices = [] } = await here.bash("sh ./scripts/do.sh");
    expect(notices.filter((text) => !text.includes("/rewind")).toSorted()).toEqual([
      `2 stashes gone · git stash store ${stashes[0]}; git stash store ${stashes[1]} brings them back`,
      `The tag v1 is gone · git tag v1 ${v1} brings it back`,
      `feature is gone, and no local branch has its commits any more · git branch feature ${feature} brings it back`,
    ]);
    here.git("branch", "feature", feature);
    here.git("tag", "v1", v1);
    for (const stash of stashes.toReversed()) here.git("stash", "store", stash);
    expect([here.git("show", "feature:two.txt"), here.git("show", "stash@{1}:same.txt"), here.git("fsck", "--strict")].map(String)).toEqual(
      ["two\n", "three\n", ""],
    );
  });

  it.skipIf(skips)("stay there as long as the session lasts, whenever their objects are removed", async () => {
    const here = await withBranches();
    const [feature, head] = [here.id("feature"), here.id("HEAD")];
    here.put("scripts/do.sh", "git branch -D feature");
    here.put("scripts/objects.sh", "find .git/objects -type f -delete");
    here.put("scripts/prune.sh", prune);
    expect((await here.bash("sh ./scripts/do.sh")).notices).toHaveLength(1);
    for (const script of ["prune", "objects"]) {
      await here.bash(`sh ./scripts/${script}.sh`);
      expect([here.git("show", `${feature}:two.txt`), here.git("show", `${head}:a.ts`), here.git("fsck")].map(String)).toEqual([
        "two\n",
        "old\n",
        expect.any(String),
      ]);
    }
  });

  it.skipIf(skips)("are said when one stash of several is dropped, and when a checkout without a branch leaves its own", async () => {
    const here = await withBranches();
    const dropped = here.id("stash@{1}");
    here.put("scripts/drop.sh", "git stash drop -q 'stash@{1}'");
    expect((await here.bash("sh ./scripts/drop.sh")).notices).toEqual([`1 stash gone · git stash store ${dropped} brings it back`]);
    here.git("checkout", "-q", "--detach");
    here.git("commit", "-qm", "loose", "--allow-empty");
    const loose = here.id("HEAD");
    here.put("scripts/leave.sh", `git checkout -q main; ${prune}`);
    expect(ofNames((await here.bash("sh ./scripts/leave.sh")).notices)).toEqual([
      `HEAD is gone, and no local branch has its commits any more · git branch HEAD-before ${loose} keeps them`,
    ]);
    expect(String(here.git("log", "-1", "--format=%s", loose))).toBe("loose\n");
  });

  it.skipIf(skips)("are said when a branch has lost them and git's logs too, and not where git itself leads back", async () => {
    const here = await withBranches();
    here.git("switch", "-q", "feature");
    const tip = here.id("feature");
    here.put("scripts/back.sh", "git reset -q --soft HEAD~2");
    here.put("scripts/prune.sh", `git reset -q --soft main; ${prune}`);
    expect((await here.bash("sh ./scripts/back.sh")).notices ?? []).toEqual([]);
    here.git("reset", "-q", "--soft", tip);
    expect(ofNames((await here.bash("sh ./scripts/prune.sh")).notices)).toEqual([
      `feature has moved, and no local branch has its commits any more · git branch feature-before ${tip} keeps them`,
    ]);
    expect(String(here.git("show", `${tip}:one.txt`))).toBe("one\n");
  });
});

describe("commits that only this repository has", () => {
  const tell = async (place: Place, folder: string, script: string, isGitAlone = false) =>
    (await keeper(place, folder)).run(() => void execFileSync("sh", ["-c", script], { cwd: place.top, stdio: "pipe" }), isGitAlone);
  const own = (texts: string[]) => texts.filter((text) => !text.includes("/rewind")).toSorted();
  const tip = (place: Place, name: string) => String(place.git("rev-parse", name)).trim();

  /** On main, with a commit of its own on the branch `feature`. */
  function withFeature(): { place: Place; folder: string; id: string } {
    const place = persons();
    place.git("checkout", "-qb", "feature");
    place.git("commit", "-qm", "mine", "--allow-empty");
    place.git("checkout", "-q", "main");
    return { place, folder: join(scratchFolder(), "versions"), id: tip(place, "feature") };
  }

  it("are said by the next process, if this one was killed while the command ran", async () => {
    const { place, folder, id } = withFeature();
    const { work } = await keeper(place, folder);
    await work.before({ signal: new AbortController().signal, progress: () => {}, isBackground: () => false, isGitAlone: false });
    place.git("branch", "-D", "feature");
    const next = await keeper(place, folder);
    expect(own(await next.work.settleInterrupted())).toEqual([
      `feature is gone, and no local branch has its commits any more · git branch feature ${id} brings it back`,
    ]);
    expect(await (await keeper(place, folder)).work.settleInterrupted()).toEqual([]);
  });

  it("are put back by the next process, if this one was killed while a command in another tree of the repository removed them", async () => {
    const { place, folder, id } = withFeature();
    const { work } = await keeper(place, folder);
    await work.beside({ signal: new AbortController().signal, isGitAlone: false });
    execFileSync("find", [".git/objects", "-type", "f", "-delete"], { cwd: place.top });
    place.put("notes.txt", "the person's, changed meanwhile\n");
    const next = await keeper(place, folder);
    expect(await next.work.settleInterrupted()).toEqual([]);
    expect(String(place.git("log", "-1", "--format=%s", id))).toBe("mine\n");
    rmSync(join(place.top, ".git/refs/heads/feature"));
    expect(await (await keeper(place, folder)).work.settleInterrupted()).toEqual([]);
  });

  it("are said where another command begins before the one ends that has removed their name", async () => {
    const { place, folder, id } = withFeature();
    const { work } = await keeper(place, folder);
    const command = { signal: new AbortController().signal, progress: () => {}, isBackground: () => false, isGitAlone: false };
    const first = await work.before(command);
    place.git("branch", "-D", "feature");
    const second = await work.before(command);
    const texts = [...((await second?.ended()) ?? []), ...((await first?.ended()) ?? [])];
    expect(own(texts)).toEqual([`feature is gone, and no local branch has its commits any more · git branch feature ${id} brings it back`]);
  });

  it("are said where a branch is moved and git's logs are removed, and not where a log leads back", async () => {
    const { place, folder, id } = withFeature();
    expect(own(await tell(place, folder, "git update-ref refs/heads/feature main"))).toEqual([]);
    place.git("update-ref", "refs/heads/feature", id);
    expect(own(await tell(place, folder, "git update-ref refs/heads/feature main; rm -rf .git/logs"))).toEqual([
      `feature has moved, and no local branch has its commits any more · git branch feature-before ${id} keeps them`,
    ]);
  });

  it("are said once the log that led to them is gone, and where another name stands for them that git reads otherwise", async () => {
    const { place, folder, id } = withFeature();
    const moved = `feature has moved, and no local branch has its commits any more · git branch feature-before ${id} keeps them`;
    expect(own(await tell(place, folder, "git update-ref --create-reflog refs/heads/feature main"))).toEqual([]);
    expect(own(await tell(place, folder, "git -c user.name=x -c user.email=x@x commit -qm other --allow-empty"))).toEqual([]);
    expect(own(await tell(place, folder, "rm -rf .git/logs"))).toEqual([moved]);
    place.git("update-ref", "refs/heads/feature", id);
    expect(own(await tell(place, folder, "rm -rf .git/logs; printf 'ref: HEAD\\n' > .git/refs/heads/feature"))).toEqual([moved]);
    place.git("update-ref", "--no-deref", "refs/heads/feature", id);
    const forged = `rm -rf .git/logs; mkdir -p .git/logs/refs/heads; echo 'x ${id} x' > .git/logs/refs/heads/feature`;
    expect(own(await tell(place, folder, `git update-ref refs/heads/feature main; ${forged}`))).toEqual([moved]);
  });

  it("are put back where objects are removed and the time of their folder is set back", async () => {
    const { place, folder, id } = withFeature();
    const keeps = await keeper(place, folder);
    const object = join(place.top, ".git/objects", id.slice(0, 2), id.slice(2));
    await keeps.run(() => {});
    await keeps.run(() => {
      const { atime, mtime } = statSync(dirname(object));
      rmSync(object);
      utimesSync(dirname(object), atime, mtime);
    });
    expect(existsSync(object)).toBe(true);
  });

  it("are said where they are what git had put aside for a rebase", async () => {
    const { place, folder } = withFeature();
    for (const name of ["one", "two"]) place.git("commit", "-qm", name, "--allow-empty");
    execFileSync("git", ["-c", "sequence.editor=sed -i 1s/^pick/edit/", "rebase", "-qi", "--autostash", "--keep-empty", "HEAD~2"], {
      cwd: place.top,
      env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_COMMITTER_NAME: "x", GIT_COMMITTER_EMAIL: "x@x" },
      stdio: "pipe",
    });
    const id = readFileSync(join(place.top, ".git/rebase-merge/autostash"), "utf8").trim();
    const texts = own(await tell(place, folder, "rm -rf .git/rebase-merge; git reflog expire --expire=now --all; git gc -q --prune=now"));
    expect(texts).toContain(`What git had put aside for rebase-merge is gone. If it is not in your files again: git stash store ${id}`);
    expect(String(place.git("show", `${id}:a.ts`))).toBe("let  a=1\n");
  });

  it("are not looked for where a reference is no file of git's, as one without an end", async () => {
    const { place, folder } = withFeature();
    const texts = own(await tell(place, folder, "truncate -s 20G .git/refs/heads/long; git update-ref -d refs/heads/feature"));
    expect(texts).toEqual([expect.stringMatching(/^The repository is gone or cannot be looked at any more\./)]);
  });

  it("are named without a command to paste where a name is an option or text for a shell, and always by the whole id", async () => {
    const { place, folder, id } = withFeature();
    for (const name of ["-m", "x;touch$IFS", "a'b"]) place.git("update-ref", `refs/heads/${name}`, id);
    place.git("update-ref", `refs/tags/${id.slice(0, 12)}`, "main");
    const refs = ["-m", "x;touch$IFS", "a'b", "feature"].map((name) => `'refs/heads/${name.replaceAll("'", "'\\''")}'`);
    expect(own(await tell(place, folder, refs.map((ref) => `git update-ref -d ${ref}`).join("; ")))).toEqual([
      ...["-m", "a'b"].map((name) => `${name} is gone, and no local branch has its commits any more. It was at ${id}`),
      `feature is gone, and no local branch has its commits any more · git branch feature ${id} brings it back`,
      `x;touch$IFS is gone, and no local branch has its commits any more. It was at ${id}`,
    ]);
  });

  it("are all named, however many names go", async () => {
    const { place, folder } = withFeature();
    for (const name of ["a", "b", "c", "d", "e", "f"]) place.git("branch", name, name < "d" ? "main" : "feature");
    const texts = own(await tell(place, folder, "git branch -D a b c d e f feature"));
    expect(texts.map((text) => text.split(/[, ]/)[0])).toEqual(["d", "e", "f", "feature"]);
  });

  it("are not given to references of another machine that a command makes, in a later session either", async () => {
    const { place, folder, id } = withFeature();
    const [first, second] = [join(folder, "first"), join(folder, "second")];
    const gone = `feature is gone, and no local branch has its commits any more · git branch feature ${id} brings it back`;
    expect(own(await tell(place, first, "git update-ref refs/remotes/origin/zz feature; git branch -D feature"))).toEqual([gone]);
    const objects = "git reflog expire --expire=now --all; find .git/objects -type f -delete";
    expect(own(await tell(place, second, objects))).toEqual([]);
    expect(String(place.git("log", "-1", "--format=%s", "origin/zz"))).toBe("mine\n");
    const texts = await tell(
      place,
      second,
      "git update-ref -d refs/remotes/origin/zz; git reflog expire --expire=now --all; git gc -q --prune=now",
    );
    expect(own(texts)).toEqual([
      `origin/zz is gone, and no local branch has its commits any more · git branch refs-remotes-origin-zz-before ${id} keeps them`,
    ]);
    expect(String(place.git("log", "-1", "--format=%s", id))).toBe("mine\n");
  });

  it("are with another machine once a command of git alone has sent them, and what it had before counts where a script moves its reference", async () => {
    const { place, folder, id } = withFeature();
    const other = scratchFolder();
    place.git("init", "-q", "--bare", other);
    place.git("remote", "add", "origin", other);
    const packs = (name: string) => readdirSync(join(folder, name)).filter((file) => file.endsWith(".pack")).length;
    await tell(place, join(folder, "first"), "git push -q origin main feature", true);
    expect(await tell(place, join(folder, "second"), "git update-ref refs/heads/main feature")).toEqual([]);
    expect(packs("second")).toBe(0);
    const mine = String(place.git("commit-tree", "-p", id, "-m", "more", `${id}^{tree}`)).trim();
    await tell(place, join(folder, "third"), `git update-ref refs/remotes/origin/feature ${mine}`);
    await tell(
      place,
      join(folder, "fourth"),
      "git update-ref -d refs/remotes/origin/feature; git reflog expire --expire=now --all; git gc -q --prune=now",
    );
    expect([packs("fourth"), String(place.git("log", "-1", "--format=%s", mine))]).toEqual([1, "more\n"]);
  });

  it("are believed to be elsewhere where git alone was at work, and recorded where a script was", async () => {
    const here = await session();
    const [other, record] = [scratchFolder(), join(here.configDir, "repositories")];
    here.git("init", "-q", "--bare", other);
    here.git("remote", "add", "origin", other);
    here.put("push.sh", "git push -q origin main:again");
    await here.bash("git push -q origin main 2>&1 | tail -3");
    expect([String(here.git("rev-parse", "origin/main")), existsSync(record)]).toEqual([String(here.git("rev-parse", "main")), false]);
    await here.bash("sh push.sh");
    const [name = ""] = readdirSync(record);
    expect(JSON.parse(readFileSync(join(record, name), "utf8"))).toMatchObject({ ref: "refs/remotes/origin/again" });
  });

  it("are kept but for the history of a large repository that no other machine has, which is said where it is removed", async () => {
    const [place, folder] = [persons(), join(scratchFolder(), "versions")];
    place.put("large.bin", randomBytes(5 * 1024 * 1024).toString("base64"));
    for (const name of ["large.bin", "a.ts"]) {
      place.git("add", name);
      place.git("commit", "-qm", name);
    }
    place.git("branch", "feature", String(place.git("commit-tree", "-p", "HEAD", "-m", "mine", "HEAD^{tree}")).trim());
    const [main, feature] = [tip(place, "main"), tip(place, "feature")];
    const first = "git update-ref refs/heads/main HEAD~2; git branch -D feature; git rm -q --cached large.bin";
    const texts = await tell(place, folder, `${first}; git reflog expire --expire=now --all; git gc -q --prune=now`);
    const lost = "and git has lost a part of what that needs, which was too much to keep";
    expect(own(texts)).toEqual([`feature is gone. It was at ${feature}, ${lost}`, `main has moved. It was at ${main}, ${lost}`]);
    const packs = readdirSync(folder).filter((name) => name.endsWith(".pack"));
    expect(packs.map((name) => statSync(join(folder, name)).size < 1024)).toEqual([true]);
  });

  it("cost nothing where another machine has them, and a branch that was merged goes in silence", async () => {
    const [place, folder, other] = [persons(), join(scratchFolder(), "versions"), scratchFolder()];
    place.git("clone", "-q", "--bare", ".", other);
    place.git("remote", "add", "origin", other);
    place.git("fetch", "-q", "origin");
    place.git("branch", "merged");
    expect(await tell(place, folder, "git branch -D merged")).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".pack"))).toEqual([]);
  });

  it("are named with the reason where they cannot be kept, and the command runs; others are kept all the same", async () => {
    const { place, folder, id } = withFeature();
    place.git("checkout", "-q", "--orphan", "broken");
    place.git("commit", "-qm", "broken");
    const loose = tip(place, "broken^{tree}");
    place.git("checkout", "-qf", "main");
    place.put("other.txt", "other\n");
    place.git("add", "other.txt");
    const tree = String(place.git("write-tree")).trim();
    place.git("update-ref", "refs/heads/broken", String(place.git("commit-tree", "-m", "broken", tree)).trim());
    rmSync(join(place.top, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    expect(loose).not.toBe(tree);
    const texts = await tell(place, folder, "git branch -D feature; git prune --expire=now || true");
    expect(own(texts)).toEqual([
      expect.stringMatching(/^Commits that only this repository has are not kept before commands: /),
      expect.stringContaining(id),
    ]);
    expect(String(place.git("log", "-1", "--format=%s", id))).toBe("mine\n");
  });

  it("are where they were kept, which is said, once git finds no repository any more", async () => {
    const { place, folder } = withFeature();
    expect(own(await tell(place, folder, "rm -rf .git"))).toEqual([
      `The repository is gone or cannot be looked at any more. The commits that only it had are in ${folder}, and their names in commits.json there: git init; git unpack-objects < ${folder}/commits-1.pack`,
    ]);
    place.git("init", "-q", "-b", "main");
    execFileSync("sh", ["-c", `git unpack-objects -q < ${folder}/commits-1.pack`], { cwd: place.top });
    const { refs } = JSON.parse(readFileSync(join(folder, "commits.json"), "utf8")) as { refs: [string, string][] };
    expect(refs.map(([ref, id]) => [ref, String(place.git("log", "-1", "--format=%s", id))])).toEqual([
      ["refs/heads/feature", "mine\n"],
      ["refs/heads/main", "first\n"],
    ]);
  });
});

/** Writes into the index that it was refreshed when the file was as it is now. */
function disguise({ top }: Place, name: string): void {
  const index = join(top, ".git/index");
  const bytes = readFileSync(index).subarray(0, -20);
  const at = bytes.indexOf(`${name}\0`) - 62;
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = lstatSync(join(top, name), { bigint: true });
  const second = 1_000_000_000n;
  const fields = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second, dev, ino, undefined, uid, gid, size];
  for (const [place, value] of fields.entries()) if (value !== undefined) bytes.writeUInt32BE(Number(value & 0xffff_ffffn), at + 4 * place);
  writeFileSync(index, Buffer.concat([bytes, createHash("sha1").update(bytes).digest()]));
  utimesSync(index, Date.now() / 1000 + 5, Date.now() / 1000 + 5);
}

describe("files that git does not have as they are", () => {
  it("are named once a command has had git take them for unchanged, and not where it has staged or committed them", async () => {
    const place = persons();
    place.put("same.txt", "MODIFIED!\n");
    place.put("sub/b.ts", "filtered\r\n");
    place.git("config", "core.autocrlf", "input");
    const { run } = await keeper(place, join(scratchFolder(), "versions"));
    expect(await run(() => void place.git("add", "a.ts", "sub/b.ts"))).toEqual([]);
    expect(await run(() => disguise(place, "same.txt"))).toEqual([
      "git takes same.txt for unchanged now, though it is not: git status shows nothing of it, and a switch would write over it. touch makes git look again",
    ]);
    expect(String(place.git("status", "--short", "same.txt"))).toBe("");
    utimesSync(join(place.top, "same.txt"), 1_000_000, 1_000_000); // git may count whole seconds
    expect(String(place.git("status", "--short", "same.txt"))).toBe(" M same.txt\n");
    expect(await run(() => void place.git("commit", "-qm", "staged"))).toEqual([]);
  });
});

describe("before a command that may change files", () => {
  it("looks once in a minute and once for each message, and not at all before commands that only look", async () => {
    let listed = 0;
    const ports = workspacePorts({ env: {}, packageDir: "", trial: async () => ({ kind: "missing", why: "" }) });
    let nowMs = 0;
    const counted: Partial<WorkspacePorts> = {
      monotonicMs: () => nowMs,
      async unsavedFiles() {
        const all = await ports.unsavedFiles();
        const list: typeof all.list = (...given) => {
          listed++;
          return all.list(...given);
        };
        return { ...all, list };
      },
    };
    const here = await session({ ports: counted });
    const looks = async (command: string) => {
      await here.bash(command);
      return listed;
    };
    expect(await looks("cat notes.txt | wc -l > /dev/null; git status --short; ls")).toBe(0);
    expect(existsSync(here.folder)).toBe(false);
    expect(await looks("echo > new.txt")).toBe(1);
    expect(await looks("sh -c 'echo > new.txt'")).toBe(1);
    here.versions.lineBegins(lines[1]);
    expect(await looks("cat notes.txt")).toBe(1);
    expect(await looks("touch new.txt")).toBe(2);
    nowMs = 59_000;
    expect(await looks("touch new.txt")).toBe(2);
    nowMs = 121_000;
    expect(await looks("touch new.txt")).toBe(3);
  });

  it("begins to look when the call arrives, beside its decision", async () => {
    const here = await session();
    const permit = here.work.permit(undefined);
    const read = await permit({ id: "1", tool: "Bash", input: { command: "cat notes.txt" } }, new AbortController().signal);
    expect([read, copiesIn(here.folder)]).toEqual([{ allowed: true }, []]);
    expect(await permit({ id: "2", tool: "Bash", input: { command: "./fix" } }, new AbortController().signal)).toMatchObject({
      allowed: false,
    });
    await eventually(() => copiesIn(here.folder).length === 3);
  });

  it("copies each file once in a session, readable by its user alone, and keeps no copy that nothing needs", async () => {
    const here = await session();
    await here.bash("touch new.txt");
    const first = copiesIn(here.folder);
    const inode = () => statSync(join(here.folder, "copies", first[0]!)).ino;
    const before = inode();
    here.versions.lineBegins(lines[1]);
    await here.bash("touch new.txt");
    expect([first.length, inode()]).toEqual([3, before]);
    expect([here.folder, `${here.folder}/copies`].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(first.map((name) => statSync(join(here.folder, "copies", name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    rmSync(join(here.top, "notes.txt"));
    here.put("a.ts", "of the person");
    here.git("add", "sub");
    here.git("commit", "-qm", "second");
    here.versions.lineBegins("2026-01-01T00:00:02.500Z");
    expect((await here.bash("touch new.txt")).notices).toBeUndefined();
    expect(copiesIn(here.folder).length).toBe(2); // a.ts and new.txt
    const next = await session({ place: here.place, folder: here.folder });
    const kept = copiesIn(here.folder);
    await next.bash("rm a.ts");
    expect([copiesIn(here.folder), (await next.back()).failed, next.text("a.ts")]).toEqual([kept, [], "of the person"]);
  });

  it.each([
    ["ignored", "echo notes.txt >> .gitignore; echo '*' > sub/.gitignore; git update-index --assume-unchanged a.ts"],
    ["left out of the working tree", "git update-index --skip-worktree a.ts; git init -q sub; echo notes.txt >> .git/info/exclude"],
  ])("goes on keeping a file that git lists no more because a command had it %s", async (_, hides) => {
    const first = await session();
    first.put("hide.sh", hides);
    await first.bash("sh ./hide.sh");
    const here = await session({ place: first.place, folder: first.folder });
    await here.bash("sh -c 'rm -r notes.txt sub; git update-index --no-assume-unchanged --no-skip-worktree a.ts; git checkout -q a.ts'");
    expect(asItWas(here)).not.toEqual(before);
    const { failed } = await here.back();
    expect([failed, asItWas(here)]).toEqual([[], before]);
  });

  it("keeps files before the agent itself has git ignore them", async () => {
    const here = await session();
    await here.use("Read", { path: ".gitignore" });
    await here.use("Write", { path: ".gitignore", content: "*.log\nnotes.txt\nsub\n" });
    await here.bash("sh -c 'rm -r notes.txt sub'");
    const { failed } = await here.back();
    expect([failed, asItWas(here)]).toEqual([[], before]);
  });

  it("never copies what rules, .toolignore or its name close, nor links, pipes, other repositories and ignored files", async () => {
    const place = persons();
    for (const name of [".env", "id_rsa", "hidden/x.txt", "secret.pem", "ruled.txt"]) place.put(name, "closed");
    place.put(".toolignore", "hidden/\n");
    place.put(".tool/settings.json", JSON.stringify({ permissions: { deny: ["Read(ruled.txt)"] } }));
    place.put("inner/file.txt", "of another repository");
    place.git("init", "-q", "inner");
    symlinkSync("/etc/passwd", join(place.top, "link"));
    const here = await session({ place });
    await here.bash("mkfifo pipe; touch new.txt");
    here.versions.lineBegins(lines[1]);
    await here.bash("touch new.txt");
    const texts = copiesIn(here.folder).map((name) => readFileSync(join(here.folder, "copies", name), "utf8"));
    expect(texts.filter((text) => /closed|root:|another|ignored/.test(text))).toEqual([]);
    expect(texts).toContain("my notes\n");
  });

  it("counts where git takes it for unchanged, because a command had it marked so", async () => {
    for (const mark of ["--assume-unchanged", "--skip-worktree"]) {
      const here = await session({});
      here.git("update-index", mark, "same.txt");
      here.put("same.txt", "hours of work\n");
      expect((await here.bash("echo x > same.txt")).notices).toEqual([expect.stringContaining("same.txt · ")]);
      await here.back();
      expect(here.text("same.txt")).toBe("hours of work\n");
    }
  });

  it("is nothing new where the session itself made the content, which a rewind restores all the same", async () => {
    const here = await session();
    const read = await here.use("Read", { path: "a.ts" });
    expect(read.isError).toBe(false);
    await here.use("Edit", { path: "a.ts", old_string: "a=1", new_string: "a=2" });
    await here.use("Write", { path: "new.ts", content: "let  b=1\n" });
    expect((await here.bash("sed -i 's/  */ /g' a.ts new.ts")).notices).toBeUndefined();
    expect((await here.bash("printf '%s\\n' 'made by a command' > made.txt; sed -i s/1/3/ new.ts")).notices).toBeUndefined();
    here.versions.lineBegins(lines[1]);
    expect((await here.bash("rm made.txt a.ts new.ts")).notices).toBeUndefined();
    const { left, failed } = await here.back();
    expect([left, failed, here.text("new.ts"), asItWas(here)]).toEqual([[], [], undefined, before]);
  });

  it("keeps what the person writes between two commands, and a rewind leaves alone what they have changed since", async () => {
    const here = await session();
    await here.bash("sh -c 'echo x > notes.txt; rm a.ts'");
    const endedMs = Date.now();
    await eventually(() => {
      here.put("notes.txt", "of the person\n");
      return statSync(join(here.top, "notes.txt")).ctimeMs > endedMs; // the clock of a file system may be a tick behind
    });
    const first = await here.back();
    expect(first.left).toEqual([{ path: join(here.top, "notes.txt"), why: "something else has changed it since" }]);
    expect([here.text("notes.txt"), here.text("a.ts")]).toEqual(["of the person\n", "let  a=1\n"]);
    here.versions.lineBegins(lines[1]);
    const { notices } = await here.bash("rm notes.txt");
    expect(notices).toEqual(["1 file changed whose content git did not have: notes.txt (gone) · /rewind brings it back"]);
    expect([(await here.back(lines[1])).failed, here.text("notes.txt")]).toEqual([[], "of the person\n"]);
  });

  it("records what a command did that was interrupted, ran out of time, or ran in the background", async () => {
    const here = await session();
    const stop = new AbortController();
    const interrupted = here.use("Bash", { command: "rm notes.txt; sleep 100" }, stop.signal);
    await eventually(() => here.text("notes.txt") === undefined);
    stop.abort();
    expect((await interrupted).notices).toEqual([expect.stringContaining("notes.txt (gone)")]);
    expect((await here.bash("rm a.ts; sleep 100", { timeout_ms: 500 })).notices).toEqual([expect.stringContaining("a.ts (gone)")]);
    await here.bash("rm sub/'run me.sh'; echo done", { background: true });
    await eventually(() => here.said.length > 0);
    expect(here.said).toEqual(["1 file changed whose content git did not have: sub/run me.sh (gone) · /rewind brings it back"]);
    expect([(await here.back()).failed, asItWas(here)]).toEqual([[], before]);
  });

  it("keeps the files of a folder that is in no repository", async () => {
    const top = scratchRepository().top;
    rmSync(join(top, ".git"), { recursive: true });
    const put = (name: string, text = name) => writeFileSync(join(top, name), text);
    put("notes.txt", "my notes\n");
    const here = await session({ place: { top, put, git: () => Buffer.from("") } });
    expect((await here.bash("rm *.txt")).notices).toEqual([expect.stringContaining("notes.txt (gone)")]);
    expect([(await here.back()).failed, here.text("notes.txt")]).toEqual([[], "my notes\n"]);
  });

  it("runs the command where git fails or the disk takes nothing, and says once what is not kept", async () => {
    const here = await session();
    writeFileSync(join(here.top, ".git/index"), "damaged");
    const notice = (await here.bash("echo ran > ran.txt")).notices;
    expect([notice, here.text("ran.txt")]).toEqual([
      [expect.stringMatching(/^What git does not have is not kept before commands: .*index/)],
      "ran\n",
    ]);
    here.versions.lineBegins(lines[1]);
    expect((await here.bash("touch again.txt")).notices).toBeUndefined();
    const full = await session();
    mkdirSync(full.folder);
    writeFileSync(join(full.folder, "copies"), "in the way");
    const second = await full.bash("rm notes.txt");
    expect([second.notices?.length, second.notices?.[0], full.text("notes.txt")]).toEqual([
      1,
      expect.stringContaining("What git does not have is not kept before commands: "),
      undefined,
    ]);
  });

  it("stops at Esc while it looks or copies, and the command does not run", async () => {
    const ports = workspacePorts({ env: {}, packageDir: "", trial: async () => ({ kind: "missing", why: "" }) });
    let begun = 0;
    let slow = true;
    const slowly: Partial<WorkspacePorts> = {
      async unsavedFiles() {
        const all = await ports.unsavedFiles();
        const copy: typeof all.copy = async (...given) => {
          begun++;
          while (slow) await new Promise((resolve) => setTimeout(resolve, 5));
          return all.copy(...given);
        };
        return { ...all, copy };
      },
    };
    const here = await session({ ports: slowly });
    const stop = new AbortController();
    const running = here.use("Bash", { command: "rm notes.txt" }, stop.signal);
    await eventually(() => begun > 0);
    stop.abort();
    expect((await running).summary).toBe("interrupted");
    expect(here.text("notes.txt")).toBe("my notes\n");
    slow = false;
    expect((await here.bash("rm notes.txt")).notices).toEqual([expect.stringContaining("notes.txt (gone)")]);
  });
});

describe("the work that git does not have, in the tree of a team", () => {
  const lost = (notices: string[] | undefined = []) => notices.map((text) => /^(.*) · as (?:it was|they were): (.*)$/.exec(text)!.slice(1));

  it("is put aside where a command has lost it, as it was", async () => {
    const here = await session({ inTeam: true });
    const { notices } = await here.bash("rm -r notes.txt sub; git checkout -q sub; git checkout a.ts");
    const [[said = "", folder = ""] = []] = lost(notices);
    const [what, names = ""] = said.split(": ");
    expect([notices?.length, what]).toEqual([1, "3 files changed whose content git did not have"]);
    expect(names.split(", ").toSorted()).toEqual(["a.ts", "notes.txt (gone)", "sub/run me.sh (gone)"]);
    expect(folder).toBe(join(here.folder, "lost/1"));
    const kept = ["a.ts", "notes.txt", "sub/run me.sh"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect([...kept, statSync(join(folder, "sub/run me.sh")).mode & 0o777]).toEqual([...before.slice(0, 3), 0o600]);
    here.put("new.txt", "mine as well\n");
    here.versions.lineBegins(lines[1]); // so that it is looked for again
    await here.bash("true > x");
    const [[, second = ""] = []] = lost((await here.bash(": > new.txt")).notices);
    expect([second, readFileSync(join(second, "new.txt"), "utf8")]).toEqual([join(here.folder, "lost/2"), "mine as well\n"]);
  });

  it("is put aside also where a command has touched or added to it before", async () => {
    const here = await session({ inTeam: true });
    await here.bash("touch notes.txt; echo more >> a.ts");
    here.versions.lineBegins(lines[1]);
    await here.bash("true > x");
    const [[said = "", folder = ""] = []] = lost((await here.bash("rm notes.txt; git checkout -q a.ts")).notices);
    expect(said).toMatch(/^2 files changed/);
    expect(["notes.txt", "a.ts"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["my notes\n", "let  a=1\nmore\n"]);
  });

  it("is not said to be lost where another member changes or commits it meanwhile", async () => {
    const here = await session({ inTeam: true });
    const other = 'echo more >> a.ts; echo x > notes.txt; git add "sub/run me.sh"; git -c user.name=x -c user.email=x@x commit -qm b';
    expect((await here.bash(other)).notices ?? []).toEqual([]);
    expect(existsSync(join(here.folder, "lost"))).toBe(false);
  });

  it("is said by the member's next process, if the first one was killed meanwhile", async () => {
    const place = persons();
    const folder = join(scratchFolder(), "versions");
    const { run, versions } = await keeper(place, folder, { inTeam: true });
    await run(() => {});
    versions.disk.append(join(folder, "copies.jsonl"), `${JSON.stringify({ kind: "begun", at: new Date().toISOString() })}\n`);
    rmSync(join(place.top, "notes.txt"));
    const next = await keeper(place, folder, { inTeam: true });
    const said = await next.work.settleInterrupted();
    expect(said).toEqual([`1 file changed whose content git did not have: notes.txt (gone) · as it was: ${folder}/lost/1`]);
    expect(readFileSync(join(folder, "lost/1/notes.txt"), "utf8")).toBe("my notes\n");
    expect(await (await keeper(place, folder, { inTeam: true })).work.settleInterrupted()).toEqual([]);
  });
});

type Kept = {
  limits?: UnsavedLimits;
  files?: Partial<UnsavedFiles>;
  store?: VersionsDisk;
  shows?: (text: string) => void;
  inTeam?: boolean;
};

/** The keeper alone, on the real ports, in a repository. */
async function keeper(place: Place, folder: string, { limits, files = {}, store = disk, shows = () => {}, inTeam = false }: Kept = {}) {
  const ports = workspacePorts({ env: {}, packageDir: "", trial: async () => ({ kind: "missing", why: "" }) });
  const versions = openFileVersions(store, folder);
  versions.lineBegins(lines[0]);
  const real = ports.files();
  const work = unsavedWork({
    ...ports,
    versions,
    keptCommits: keptCommits(versions, place.top, {
      ...ports,
      store: await ports.commitStore(),
      remotes: madeRemotes(disk, join(dirname(folder), "repositories")),
    }),
    files: { ...(await ports.unsavedFiles()), ...files },
    read: real.read,
    roots: () => [place.top],
    isClosed: () => false,
    shown: (path) => path.slice(place.top.length + 1),
    walk: async () => [],
    inTeam,
    ...(limits && { limits }),
  });
  const run = async (act: () => void, isGitAlone = false) => {
    const running = await work.before({ signal: new AbortController().signal, progress: shows, isBackground: () => false, isGitAlone });
    act();
    return (await running?.ended()) ?? [];
  };
  const back = async () => {
    const kept = { disk: keepingDisk(real, versions), versions };
    const plan = await planRewind({ at: lines[0], text: "" }, { events, noted: [], kept, cwd: place.top });
    await putFilesBack(rewoundEvent(plan, { cwd: place.top, at: "2026-01-01T00:00:03.000Z" }), kept);
  };
  return { work, run, back, versions };
}

describe("the limits of what is kept", () => {
  it("leave out what is too large, too much or unreadable, and name each once", async () => {
    const place = persons();
    for (const [at, name] of ["old", "mid", "new"].entries()) {
      place.put(name, name.repeat(10));
      utimesSync(join(place.top, name), 1_000_000 + at, 1_000_000 + at);
    }
    place.put("data.bin", "x".repeat(2_000));
    const folder = join(scratchFolder(), "versions");
    const copy: UnsavedFiles["copy"] = async (path, seen, to) =>
      path.endsWith("notes.txt") ? { kind: "failed", why: "permission denied" } : copyFileTo(path, seen, to);
    const { run, versions } = await keeper(place, folder, { limits: { file: 1_000, total: 200, count: 5 }, files: { copy } });
    const said = await run(() => {});
    const names = "data.bin (2.0 kB), old (too many files), notes.txt (permission denied)";
    expect(said).toEqual([`Neither git nor /rewind can bring back what commands change of: ${names}`]);
    versions.lineBegins(lines[1]);
    expect(await run(() => {})).toEqual([]);
    const [{ run: less }] = [await keeper(place, join(scratchFolder(), "versions"), { limits: { file: 1_000, total: 40, count: 50 } })];
    expect(await less(() => {})).toEqual([expect.stringContaining("mid (30 B), old (30 B)")]);
  });

  it("are far from a tree of 5,000 untracked files, whose progress is shown", async () => {
    const place = persons();
    for (let at = 0; at < 4_990; at++) place.put(`many/${at % 500}/${at}.txt`, `file ${at}`);
    const folder = join(scratchFolder(), "versions");
    const shown: string[] = [];
    const { run, back } = await keeper(place, folder, { shows: (text) => shown.push(text) });
    const said = await run(() => rmSync(join(place.top, "many/7"), { recursive: true }));
    expect(said).toEqual([expect.stringMatching(/^10 files changed whose .*: many\/7\/\S+ \(gone\), .*, and 5 more · /)]);
    expect(shown.at(-1) ?? "").toMatch(/^$|^looking|^keeping files that git does not have: \d+ of \d+$/);
    await back();
    const there = readdirSync(join(place.top, "many/7"));
    expect([there.length, readFileSync(join(place.top, "many/7/4507.txt"), "utf8")]).toEqual([10, "file 4507"]);
  });

  it("drop the oldest copies of what commands have changed", async () => {
    const place = persons();
    const folder = join(scratchFolder(), "versions");
    const store = disk;
    const versions = openFileVersions(store, folder, { largest: 1_000, most: 250 });
    mkdirSync(join(folder, "copies"), { recursive: true });
    for (const name of ["a", "b", "c"]) {
      writeFileSync(join(folder, "copies", name), name.repeat(100));
      utimesSync(join(folder, "copies", name), 1_000_000 + name.charCodeAt(0), 1_000_000 + name.charCodeAt(0));
      versions.madeByCommand([{ path: join(place.top, name), before: digestOf(Buffer.from(name.repeat(100))), after: null, copy: name }]);
    }
    expect(["a", "b", "c"].map((name) => versions.content(digestOf(Buffer.from(name.repeat(100))))?.length)).toEqual([undefined, 100, 100]);
  });
});

it("loses nothing if the process is killed at any step before, while and after a command", async () => {
  let until = 0;
  const template = persons();
  for (let finished = false; !finished; until++) {
    const top = realpathSync(scratchFolder());
    cpSync(template.top, top, { recursive: true });
    const place = { ...template, top };
    const folder = join(scratchFolder(), "versions");
    const alive = { calls: 0, until };
    const ports = workspacePorts({ env: {}, packageDir: "", trial: async () => ({ kind: "missing", why: "" }) });
    const files = mortal(await ports.unsavedFiles(), alive);
    const first = await keeper(place, folder, { files, store: mortal(disk, alive) }).catch(() => undefined);
    await first?.run(() => {
      if (alive.calls > alive.until) return; // nothing runs after the kill
      rmSync(join(top, "notes.txt"));
      writeFileSync(join(top, "a.ts"), "");
    });
    finished = alive.calls <= until;
    const next = await keeper(place, folder);
    await next.work.settleInterrupted();
    await next.back();
    const now = ["a.ts", "notes.txt"].map((name) => existsSync(join(top, name)) && readFileSync(join(top, name), "utf8"));
    expect({ until, now }).toEqual({ until, now: ["let  a=1\n", "my notes\n"] });
    expect(copiesIn(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  }
  expect(until).toBeGreaterThan(20);
});
