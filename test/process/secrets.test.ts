import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../scratch.ts";
import { draw } from "../secrets/labelled.ts";
import { command } from "./command.ts";
import { seeded } from "./seeded.ts";

const token = `ghp_${draw("base62", 36, seeded(9))}`;

function repository() {
  const folder = scratchFolder();
  const home = scratchFolder();
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TOOL_CONFIG_DIR: join(home, "config"), GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
  git("init", "--quiet");
  return {
    folder,
    git,
    put(path: string, text: string | Buffer) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    async tool(...args: string[]) {
      const { code, stdout, stderr } = await command({ config: folder, cwd: folder, env }, args);
      return { code, output: stdout + stderr };
    },
  };
}

it("names a key file wherever it is, and an .env file only if it would be committed", async () => {
  const { put, tool, git } = repository();
  put("a.p12", Buffer.from([0, 1]));
  put(".env", "PORT=1\n");
  git("add", ".env");
  const kinds = async (...args: string[]) =>
    (JSON.parse((await tool("secrets", "scan", ...args, "--json")).output) as { findings: { kind: string }[] }).findings.map(
      ({ kind }) => kind,
    );
  const looks = [[], ["."], ["a.p12", ".env"], ["--staged"]];
  expect(await Promise.all(looks.map((args) => kinds(...args)))).toEqual([["key-file"], ["key-file"], ["key-file"], ["env-file"]]);
});

it("scans an ignored folder if it is named, and says if nothing is staged", async () => {
  const { put, tool, folder } = repository();
  put(".gitignore", "dist/\n");
  put("dist/a.js", `const token = "${token}";\n`);
  const named = await tool("secrets", "scan", "dist");
  const whole = await tool("secrets", "scan");
  rmSync(join(folder, ".git"), { recursive: true });
  const staged = await tool("secrets", "scan", "--staged");
  expect([named.code, whole.code, staged.code]).toEqual([1, 0, 2]);
  expect(staged.output).toMatch(/^tool: cannot look for secrets: not a git repository/);
});

it("tool secrets scan prints file, line, kind and a masked value, and respects git's ignore rules", async () => {
  const { put, tool, git } = repository();
  put("src/a.ts", `const a = 1;\nconst token = "${token}";\n`);
  put("b.txt", `ok = "${token}" # tool:allow-secret\n`);
  put("ignored/c.txt", token);
  put(".gitignore", "ignored/\n");
  put("image.png", Buffer.from([0, 1, 2]));
  const found = await tool("secrets", "scan");
  expect(found).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^src\/a\.ts:2 {2}github-token {2}ghp_… \(40 characters\)\n1 secret in 4 files \(1 binary not scanned; 1 allowed by a comment on the line\)\nLeft out because git ignores it: ignored\/\. To scan one, name it: .* secrets scan ignored\/\n$/,
    ),
  });
  git("add", "src/a.ts");
  put("src/a.ts", "clean now\n");
  expect((await tool("secrets", "scan", "src")).code).toBe(0);
  expect(JSON.parse((await tool("secrets", "scan", "--staged", "--json")).output)).toEqual({
    ok: false,
    findings: [{ file: "src/a.ts", line: 2, kind: "github-token", masked: "ghp_… (40 characters)" }],
    files: 1,
    binaries: 0,
    unread: [],
    ignored: [],
    allowed: 0,
  });
  expect((await tool("secrets", "scan", "nowhere")).code).toBe(2);
});

it("the hook stops a commit with a secret or an .env file in it, keeps an existing hook, and can be removed", async () => {
  const { put, tool, git } = repository();
  put(".git/hooks/pre-commit", "#!/bin/sh\necho mine >> ran.txt\n");
  execFileSync("chmod", ["755", join(git("rev-parse", "--show-toplevel").trim(), ".git/hooks/pre-commit")]);
  expect((await tool("secrets", "install-hook")).code).toBe(1);
  expect((await tool("secrets", "install-hook", "--force")).code).toBe(0);
  put("a.ts", `x = "${token}"\n`);
  put(".env", "A=1\n");
  git("add", "a.ts", ".env");
  expect(() => git("commit", "-qm", "x")).toThrow(
    /\.env:1 {2}env-file[\s\S]*a\.ts:1 {2}github-token[\s\S]*tool stopped this commit\. .*tool:allow-secret on its line; git commit --no-verify/,
  );
  git("rm", "-q", "--cached", "a.ts", ".env");
  put("c.ts", "clean\n");
  git("add", "c.ts");
  git("commit", "-qm", "clean");
  expect(git("log", "--format=%s").trim()).toBe("clean");
  expect((await tool("secrets", "uninstall-hook")).code).toBe(0);
  git("commit", "-qm", "again", "--allow-empty");
  expect(execFileSync("cat", [join(git("rev-parse", "--show-toplevel").trim(), "ran.txt")], { encoding: "utf8" })).toBe(
    "mine\nmine\nmine\n",
  );
});
