// A search that passes over a file with secrets by itself is no question without a sandbox; what is allowed never prints it, as real runs show.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { gitFacts } from "../../../src/agent/workspace/git-programs.ts";
import { withSearchedFiles } from "../../../src/agent/workspace/searched-files.ts";
import { realPath } from "../../../src/edge/disk/real-path.ts";
import { listedByRipgrep } from "../../../src/edge/disk/ripgrep.ts";
import { namesContents } from "../../../src/edge/git/repository/named-contents.ts";
import { showsHiddenIn } from "../../../src/edge/git/repository/repository-history.ts";
import { repositoryPrograms } from "../../../src/edge/git/repository/repository-programs.ts";
import { trackedFiles } from "../../../src/edge/git/repository/tracked-hidden.ts";
import { outliers } from "../../../src/edge/shell/outliers.ts";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { isSensitiveName } from "../../../src/permissions/paths/places.ts";
import { makePolicy } from "../../../src/permissions/policy.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";
import { lacks } from "../../needs.ts";
import { scratchFolder } from "../../scratch.ts";

const ports = {
  real: async (path: string) => realPath(path),
  repositoryPrograms,
  namesContents,
  showsHidden: showsHiddenIn,
  searches: { ripgrep: listedByRipgrep, tracked: trackedFiles },
};

let home = "";
let folder = "";
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: folder, env: { ...process.env, HOME: home } });

function begin() {
  home = scratchFolder();
  folder = scratchFolder();
  put(".env", "KEY=sesame\n");
  put(".gitignore", ".env\n");
  put("src/a.ts", "const KEY = 1;\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
}

/** The decision in acceptEdits without a sandbox; of what is allowed, also that a real run prints nothing of the secret. */
async function decided(command: string, order: { deny?: string[]; directories?: string[] } = {}) {
  const made = await makePolicy(
    { cwd: folder, home, configDir: join(home, ".tool"), mode: "acceptEdits", sandbox: { kind: "missing", why: "none" }, ...order },
    ports.real,
  );
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, isThere: existsSync, outliers: outliers([folder], isSensitiveName) };
  const given = analyseCommand(command);
  const here = { ...policy, ...(await gitFacts(given, policy, ports)) };
  const analysis = await withSearchedFiles(given, here, ports);
  const { decision } = decide(await locate({ tool: "Bash", input: { command }, analysis }, here, ports.real), here);
  if (decision === "allow") {
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: folder, env: { ...process.env, HOME: home }, encoding: "utf8" });
    expect(stdout + stderr).not.toContain("sesame");
  }
  return decision;
}

describe("git grep", () => {
  beforeEach(begin);

  it.each(["git grep KEY", "git grep -n KEY | head -3", "git grep KEY -- '*.ts' .", "cd src && git grep KEY ..", "git grep -c KEY src"])(
    "reads what git tracks: %s",
    async (command) => {
      expect(await decided(command)).toBe("allow");
    },
  );

  it.each([
    "git grep --no-index KEY",
    "git grep --untracked KEY",
    "git grep KEY -- .env",
    "git add -f .env && git grep KEY",
    "git add -A && git grep KEY",
    "cat .gitignore > README && git grep KEY",
    "git grep -f .env",
    "git grep KEY HEAD",
    "grep -r -f src/a.ts",
    "git grep KEY; make",
    "grep -r KEY .",
  ])("is asked about where it may read more: %s", async (command) => {
    expect(await decided(command)).toBe("ask");
  });

  it("is asked about in another repository, and where rules hide more", async () => {
    mkdirSync(join(folder, "inside"));
    execFileSync("git", ["init", "-q"], { cwd: join(folder, "inside") });
    put("inside/.env", "KEY=sesame\n");
    execFileSync("git", ["add", "-f", ".env"], { cwd: join(folder, "inside") });
    expect(await decided("cd inside && git grep KEY")).toBe("ask");
    rmSync(join(folder, "inside"), { recursive: true });
    expect(await decided("git grep KEY", { deny: ["Read(src/**)"] })).not.toBe("allow");
  });

  it("is asked about once git tracks the file, or its history has it", async () => {
    git("add", "-f", ".env");
    expect(await decided("git grep KEY")).toBe("ask");
    expect(await decided("git grep KEY .")).toBe("ask");
    expect(await decided("git grep KEY main")).toBe("ask");
    git("commit", "-qm", "second");
    git("rm", "-q", "--cached", ".env");
    git("commit", "-qm", "third");
    expect(await decided("git grep KEY HEAD~1")).toBe("ask");
  });
});

describe("git grep, where git tracks the file", () => {
  beforeEach(() => {
    begin();
    git("add", "-f", ".env");
  });

  it.each([
    ["git grep -n KEY src/a.ts", "allow"],
    ["git grep KEY src", "allow"],
    ["git grep -e KEY src .gitignore", "allow"],
    ["git grep KEY", "ask"],
    ["git grep KEY src/b.ts", "ask"],
    ["git grep KEY HEAD src/a.ts", "ask"],
    ["git grep KEY src .", "ask"],
    ["git grep -A 1 src/a.ts", "ask"],
    ["git grep KEY src .env", "ask"],
    ["rm src/a.ts && git grep KEY src/a.ts", "ask"],
  ])("reads the places that it names, if each is there: %s is %s", async (command, expected) => {
    expect(await decided(command)).toBe(expected);
  });

  it("so also where a rule hides it", async () => {
    expect(await decided("git grep -n KEY src/a.ts", { deny: ["Read(.env)"] })).toBe("allow");
    expect(await decided("git grep -n KEY", { deny: ["Read(.env)"] })).toBe("ask");
  });
});

describe("what rules hide and git does not have yet", () => {
  beforeEach(() => {
    begin();
    put("secret/k", "sesame\n");
  });

  it.each(["git add -A && git diff --cached", "git add secret; git status -vv", "git add -A && git log -p -1"])(
    "is not printed by the command that adds it: %s",
    async (command) => {
      expect(await decided(command, { deny: ["Read(secret/**)"] })).not.toBe("allow");
    },
  );

  it("is hidden where another command has added it", async () => {
    git("add", "-A");
    for (const command of ["git add -A && git status", "git status -s"])
      expect(await decided(command, { deny: ["Read(secret/**)"] })).toBe("allow");
  });
});

describe.skipIf(await lacks("ripgrep"))("rg", () => {
  beforeEach(begin);

  it.each([
    "rg KEY",
    "rg -n KEY . | head -3",
    "rg --hidden KEY",
    "rg -g '*.ts' -t ts -d 3 KEY src",
    "cd src && rg -uu KEY",
    "rg KEY 2>/dev/null",
    "rg -e KEY -e x ..",
    "rg -l KEY && git grep KEY",
  ])("passes over what is ignored or hidden: %s", async (command) => {
    expect(await decided(command)).toBe(command.endsWith("..") ? "ask" : "allow");
  });

  it.each([
    "rg -uu KEY",
    "rg -u --hidden KEY",
    "rg --hidden --no-ignore KEY .",
    "rg -g '*.env' KEY",
    "rg --glob=.e* KEY",
    "rg -u. KEY",
    "rg KEY *",
    "rg KEY .env",
    "rg -f .env src",
    "rg --ignore-file src/a.ts KEY",
    "rg -uu -f src/a.ts",
    "rg -g $x KEY",
    "cd src && rg -g '*.env' KEY ..",
    "echo '!.env' > .rgignore && rg KEY",
    "RIPGREP_CONFIG_PATH=src/a.ts rg KEY",
    "ls; rg --pre cat KEY",
  ])("is asked about where it does not: %s", async (command) => {
    expect(await decided(command)).toBe("ask");
  });

  it("is asked about where a file of the tree shows the hidden one, or the person's own options may", async () => {
    put(".rgignore", "!.env\n");
    expect(await decided("rg KEY")).toBe("ask");
    rmSync(join(folder, ".rgignore"));
    expect(await decided("rg KEY")).toBe("allow");
    process.env["RIPGREP_CONFIG_PATH"] = join(folder, "src/a.ts");
    try {
      expect(await decided("rg KEY")).toBe("ask");
    } finally {
      delete process.env["RIPGREP_CONFIG_PATH"];
    }
  });
});
