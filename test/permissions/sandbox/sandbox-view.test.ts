import { expect, it } from "vitest";
import { sandboxView } from "../../../src/agent/ports/mounts.ts";
import { profileOf } from "../../../src/edge/shell/sandbox/exec.ts";
import { hidesByName, pathClasses } from "../../../src/permissions/sandbox/sandbox-view.ts";
import { policyFor } from "../../tools/agent.ts";

const policy = await policyFor("/w", {
  home: "/home/me",
  configDir: "/home/me/.tool",
  deny: ["Read(secret/**)", "Edit(locked.txt)"],
  toolignore: { text: "*.hidden\n", folder: "/w" },
});

it("classifies names below the working directory", () => {
  const meaning = pathClasses(policy);
  const file = (path: string) => [path, meaning({ path, kind: "file" })?.visibility];
  const folder = (path: string) => [path, meaning({ path, kind: "folder" })?.visibility];
  expect([
    folder("/w/.git"),
    file("/w/sub/.git"),
    folder("/w/.git/hooks"),
    file("/w/.git/config"),
    file("/w/.git/modules/m/config"),
    file("/w/.git/worktrees/t/commondir"),
    file("/w/.git/worktrees/t/gitdir"),
    folder("/w/.git/objects/info"),
    file("/w/.git/objects/info/alternates"),
    file("/other/.git/objects/info/alternates"),
    folder("/other/.git/modules/objects/info"),
    file("/w/.git/HEAD"),
    file("/other/.git/config"),
    folder("/w/.tool"),
    folder("/w/a/.HUSKY"),
    folder("/w/.vs\u200bcode"),
    file("/w/.envrc"),
    file("/w/docs/TOOL.md"),
    file("/w/.env"),
    folder("/w/secret"),
    file("/w/secret/x"),
    file("/w/a/b.hidden"),
    file("/w/locked.txt"),
    file("/w/src/a.ts"),
    file("/home/me/.tool/settings.json"),
  ]).toEqual([
    ["/w/.git", "normal"],
    ["/w/sub/.git", "readOnly"],
    ["/w/.git/hooks", "readOnly"],
    ["/w/.git/config", "readOnly"],
    ["/w/.git/modules/m/config", "readOnly"],
    ["/w/.git/worktrees/t/commondir", "readOnly"],
    ["/w/.git/worktrees/t/gitdir", "readOnly"],
    ["/w/.git/objects/info", undefined],
    ["/w/.git/objects/info/alternates", "readOnly"],
    ["/other/.git/objects/info/alternates", "readOnly"],
    ["/other/.git/modules/objects/info", "readOnly"],
    ["/w/.git/HEAD", undefined],
    ["/other/.git/config", "readOnly"],
    ["/w/.tool", "readOnly"],
    ["/w/a/.HUSKY", "readOnly"],
    ["/w/.vs\u200bcode", "readOnly"],
    ["/w/.envrc", "readOnly"],
    ["/w/docs/TOOL.md", "readOnly"],
    ["/w/.env", undefined],
    ["/w/secret", "hidden"],
    ["/w/secret/x", "hidden"],
    ["/w/a/b.hidden", "hidden"],
    ["/w/locked.txt", "readOnly"],
    ["/w/src/a.ts", undefined],
    ["/home/me/.tool/settings.json", "hidden"],
  ]);
});

it("closes what settings name in the tree, a folder of hooks before it exists too", () => {
  const meaning = pathClasses({ ...policy, settingsFiles: ["/w/tools/hooks", "/w/scripts/status.sh"] });
  const paths = ["/w/tools/hooks", "/w/tools/hooks/pre-commit", "/w/scripts/status.sh", "/w/scripts/other.sh", "/w/tools"];
  const closed = { visibility: "readOnly", rules: true };
  expect(paths.map((path) => meaning({ path, kind: "file" }))).toEqual([closed, closed, closed, undefined, undefined]);
});

it("counts a link in the place of a folder whose files would count", () => {
  const meaning = pathClasses({ ...policy, settingsFiles: ["/w/scripts/deep/status.sh"] });
  const paths = [".cargo", ".CONFIG", "a/.github", "a/.jj", "scripts", "scripts/deep", "src", "src/config", "scripts/other"];
  const found = paths.map((path) => meaning({ path: `/w/${path}`, kind: "link" }));
  expect(found).toEqual([
    ...paths.slice(0, 6).map(() => ({ visibility: "normal", rules: true, below: true })),
    undefined,
    undefined,
    undefined,
  ]);
});

it("counts a link in the place of a folder that rules name, and no other", async () => {
  const deny = ["Read(**/x/key.txt)", "Edit(conf/*/a)", "Read(*.pem)", "Read(**/*/token)", "Read(top/)"];
  const meaning = pathClasses(await policyFor("/w", { deny, toolignore: { text: "ign/key\ncache/\n!kept/key\n#no/key\n", folder: "/w" } }));
  const paths = ["x", "a/x", "conf/b", "conf", "ign", "a/cache", "y", "a/conf", "a/ign", "kept", "token", "no", "conf/b/c/d"];
  const found = paths.filter((path) => meaning({ path: `/w/${path}`, kind: "link" })?.below);
  expect(found).toEqual(["x", "a/x", "conf/b", "conf", "ign", "a/cache"]);
  expect(paths.filter((path) => meaning({ path: `/w/${path}`, kind: "folder" })?.below)).toEqual([]);
});

it("classifies the same in every mode, and ignores rules that close a whole tool", async () => {
  for (const mode of ["plan", "dontAsk", "bypassPermissions"] as const) {
    const meaning = pathClasses(await policyFor("/w", { mode, deny: ["Read", "Write", "Bash(rm:*)"] }));
    expect([meaning({ path: "/w/a.ts", kind: "file" })?.visibility, meaning({ path: "/w/.envrc", kind: "file" })?.visibility]).toEqual([
      undefined,
      "readOnly",
    ]);
  }
  expect([hidesByName(policy), hidesByName(await policyFor("/w", { deny: ["Read"] }))]).toEqual([true, false]);
});

const surroundings = {
  writable: ["/tmp/tree", "/repo/.git"],
  exceptions: [
    { path: "/tmp/tree/a/b/.vscode", kind: "folder", visibility: "readOnly" },
    { path: "/tmp/tree/.git", kind: "folder", visibility: "normal" },
    { path: "/tmp/tree/.git/config", kind: "file", visibility: "readOnly" },
    { path: "/tmp/tree/secret", kind: "folder", visibility: "hidden" },
    { path: "/tmp/tree/secret/k", kind: "file", visibility: "hidden" },
  ],
  secrets: [
    { path: "/home/me/.ssh", kind: "folder" },
    { path: "/tmp/elsewhere/.tool", kind: "folder" },
    { path: "/tmp/tree", kind: "folder" },
  ],
  shared: ["/tmp/agent.sock"],
  scratch: [{ path: "/tmp", from: "/tmp/mine" }, { path: "/run" }],
} satisfies Parameters<typeof sandboxView>[2];

it("mounts outer places first, and the folders around covered files, so that nothing covered can be moved away", () => {
  const view = sandboxView({ cwd: "/tmp/tree", mode: "default" }, false, surroundings);
  expect(view.mounts).toEqual([
    { kind: "scratch", path: "/tmp", from: "/tmp/mine" },
    { kind: "scratch", path: "/run" },
    { kind: "writable", path: "/tmp/tree" },
    { kind: "writable", path: "/repo/.git" },
    { kind: "fixed", path: "/tmp/agent.sock" },
    { kind: "hidden", path: "/home/me/.ssh", as: "folder" },
    { kind: "writable", path: "/tmp/tree/a" },
    { kind: "writable", path: "/tmp/tree/.git" },
    { kind: "hidden", path: "/tmp/tree/secret", as: "folder" },
    { kind: "writable", path: "/tmp/tree/a/b" },
    { kind: "fixed", path: "/tmp/tree/.git/config" },
    { kind: "hidden", path: "/tmp/tree/secret/k", as: "file" },
    { kind: "fixed", path: "/tmp/tree/a/b/.vscode" },
  ]);
});

it("mounts the folders around a secret file, too, and nothing in a secret folder", () => {
  const view = sandboxView({ cwd: "/home/me", mode: "default" }, false, {
    writable: ["/home/me"],
    exceptions: [
      { path: "/home/me/.claude", kind: "folder", visibility: "readOnly" },
      { path: "/home/me/.claude/project/.env", kind: "file", visibility: "hidden" },
    ],
    secrets: [
      { path: "/home/me/.claude", kind: "folder" },
      { path: "/home/me/.m2/settings.xml", kind: "file" },
    ],
    shared: [],
    scratch: [],
  });
  expect(view.mounts).toEqual([
    { kind: "writable", path: "/home/me" },
    { kind: "hidden", path: "/home/me/.claude", as: "folder" },
    { kind: "writable", path: "/home/me/.m2" },
    { kind: "hidden", path: "/home/me/.m2/settings.xml", as: "file" },
  ]);
});

it("gives the mode plan a folder of its own for /tmp", () => {
  const scratch = (mode: "plan" | "acceptEdits") =>
    sandboxView({ cwd: "/tmp/tree", mode }, false, surroundings).mounts.filter(({ kind }) => kind === "scratch");
  const others = { kind: "scratch", path: "/run" };
  expect([scratch("plan"), scratch("acceptEdits")]).toEqual([
    [{ kind: "scratch", path: "/tmp", from: "/tmp/mine-plan" }, others],
    [{ kind: "scratch", path: "/tmp", from: "/tmp/mine" }, others],
  ]);
});

it("is a profile on macOS, in which the last matching rule decides", () => {
  const view = sandboxView({ cwd: "/tmp/tree", mode: "default" }, false, {
    ...surroundings,
    writable: ['/tmp/tree "x"'],
    exceptions: [],
    secrets: [],
    shared: [],
  });
  expect(profileOf(view).split("\n")).toEqual([
    "(version 1)",
    "(allow default)",
    "(deny network*)",
    "(deny file-write*)",
    expect.stringContaining('(allow file-write* (literal "/dev/null")'),
    '(allow file-read* file-write* (subpath "/tmp/tree \\"x\\""))',
    '(allow file-read* file-write* (subpath "/tmp/mine"))',
    expect.stringContaining("(deny signal)"),
  ]);
  expect(profileOf({ ...view, network: true })).not.toContain("network");
});
