// What `tool doctor` reports about the sandbox, its own folder and files that usually hold secrets, and the rules that it writes for those
// files.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  findingsTable,
  ignoreSecretFiles,
  ownFolder,
  sandboxFinding,
  secretFiles,
  versionFinding,
  withSecrets,
} from "../../../src/app/settings/examine.ts";
import type { GitFiles } from "../../../src/app/settings/machine.ts";
import type { World } from "../../../src/app/world.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { filesBelow } from "../../../src/edge/git/repository/repository-files.ts";
import { secretScanner } from "../../../src/edge/secret-scanner.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { scanFiles } from "../../../src/secrets/scan-files.ts";
import { scratchFolder } from "../../scratch.ts";

it.each([
  ["/usr/lib/node_modules/tool", "1.2.3; to update: npm install --global tool@latest"],
  ["/home/me/tool", "1.2.3; to update: git pull && npm ci && npm run build, in /home/me/tool"],
])("of a program in %s it says what updates it", (packageDir, text) => {
  expect(versionFinding({ version: "1.2.3", packageDir })).toEqual({ what: "version", state: "fine", text });
});

it.each([
  [{ kind: "works" }, {}, "fine: commands run in it, and hosts are asked about"],
  [{ kind: "works" }, { network: true }, "fine: commands run in it, with the network"],
  [{ kind: "works" }, { enabled: false }, "weak: your settings turn it off"],
  [{ kind: "missing", why: "sandbox-exec was not found on PATH" }, {}, "weak: sandbox-exec was not found on PATH"],
  [{ kind: "missing", why: "bwrap was not found on PATH" }, { required: true }, "broken: bwrap was not found on PATH"],
] as const)("of %j under the settings %j it says %s", (trial, own, said) => {
  const { what, state, text } = sandboxFinding(trial, own);
  expect([what, `${state}: ${text}`]).toEqual(["sandbox", said]);
});

it("of a tree that no sandbox covers it says what a session gets there", () => {
  const why = "there are more than 20000 folders below the working directory";
  expect(sandboxFinding({ kind: "works" }, {}, why)).toEqual({
    what: "sandbox",
    state: "broken",
    text: why,
    advice: "You are asked for every command.",
  });
  expect(sandboxFinding({ kind: "works" }, { required: true }, why)).toMatchObject({
    state: "broken",
    advice: expect.stringContaining("No command runs"),
  });
});

it.each([
  [{ kind: "absent" }, "fine: /c does not exist yet", undefined],
  [{ kind: "there", mode: 0o700 }, "fine: /c is readable only by you", undefined],
  [{ kind: "there", mode: 0o755 }, "weak: /c can be read by others", "chmod 700 /c"],
  [
    { kind: "refused", path: "/c", code: "EACCES" },
    "broken: Cannot use /c: permission denied",
    expect.stringContaining("set TOOL_CONFIG_DIR"),
  ],
  [{ kind: "refused", path: "/c", code: "EBUSY" }, "broken: Cannot use /c: EBUSY", undefined],
] as const)("of its own folder, %j, it says %s", (folder, said, advised) => {
  const { what, state, text, advice } = ownFolder(folder, "/c");
  expect([what, `${state}: ${text}`, advice]).toEqual(["files", said, advised]);
});

describe("files that usually hold secrets", () => {
  const findings = (files: GitFiles | undefined) => secretFiles(files, "tool").map(({ state, text, advice }) => [state, text, advice]);
  const forget = (files: string) =>
    `To keep the files and have git forget them: git rm --cached -- ${files}. Earlier commits still hold them: replace secrets that were committed.`;

  it("are named with what helps: a rule for those that git would add, another command for those that it tracks", () => {
    expect(findings({ tracked: ["src/a.ts", "my key.pem"], uncovered: ["src/a.ts", ".env"] })).toEqual([
      ["weak", "not covered by .gitignore: .env", "To write the rules: tool doctor --fix"],
      ["weak", "tracked by git: my key.pem", forget("'my key.pem'")],
    ]);
    expect(findings({ tracked: ["a.ts"], uncovered: ["a.ts"] })).toEqual([
      ["fine", "git ignores every file whose name says that it holds secrets; to look into all files: tool secrets scan", undefined],
    ]);
    expect(findings(undefined)).toEqual([["weak", "this folder is not in a git repository, so nothing was checked", undefined]]);
  });

  it("are the names that the check before a commit refuses, and no templates of them", () => {
    const uncovered = ["config/cfg.env", ".env.sample", ".env.template", "db/.pgpass", "a.ppk"];
    expect(findings({ tracked: [], uncovered })[0]?.[1]).toBe("not covered by .gitignore: config/cfg.env, db/.pgpass, a.ppk");
  });

  it("are counted when there are many, and all are in the command", () => {
    const tracked = [1, 2, 3, 4, 5, 6, 7].map((each) => `${each}.pem`);
    expect(findings({ tracked, uncovered: [] })).toEqual([
      ["weak", "tracked by git: 1.pem, 2.pem, 3.pem, 4.pem, 5.pem and 2 more", forget(tracked.join(" "))],
    ]);
  });
});

const secrets = async () => ({ scanner: secretScanner(), files: filesBelow });

it("withSecrets() judges files as the scan of a commit does, by their contents", async () => {
  const cwd = scratchFolder();
  const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----\n";
  const contents = {
    "open.pem": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    "key.pem": key,
    "credentials.json": "{}",
  };
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(cwd, name), text);
  const all = [...Object.keys(contents), "gone.pem"];
  const judged = await withSecrets({ cwd, edges: { secrets } } as unknown as World, { tracked: all, uncovered: ["key.pem"] });
  const scan = await scanFiles(filesBelow(cwd, ["."]), { scanner: secretScanner(), names: "commit" });
  expect(judged).toEqual({ tracked: ["key.pem", "gone.pem"], uncovered: ["key.pem"] });
  expect([...new Set(scan.findings.map(({ file }) => file))]).toEqual(["key.pem"]);
});

describe("ignoreSecretFiles()", () => {
  const fix = async (files: GitFiles | undefined, before: string) => {
    const cwd = scratchFolder();
    const path = join(cwd, ".gitignore");
    writeFileSync(path, before);
    const said = await ignoreSecretFiles({
      cwd,
      edges: { machine: async () => ({ files }), disk: async () => disk, secrets },
    } as unknown as World);
    return { said, rules: readFileSync(path, "utf8") };
  };

  it("adds one rule for each file that none covers", async () => {
    expect(await fix({ tracked: [], uncovered: ["a.ts", ".env", "my key.pem"] }, "dist")).toEqual({
      said: "Added to .gitignore: .env, my key.pem.",
      rules: "dist\n/.env\n/my\\ key.pem\n",
    });
  });

  it("makes the file as the person's umask says", async () => {
    const cwd = scratchFolder();
    const files = { tracked: [], uncovered: [".env"] };
    const edges = { machine: async () => ({ files }), disk: async () => disk, secrets };
    await ignoreSecretFiles({ cwd, edges } as unknown as World);
    expect(statSync(join(cwd, ".gitignore")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it.each([
    ["every file is covered, though git tracks it", { tracked: [".env"], uncovered: [] }, "it covers all files that may hold secrets."],
    ["the rule is there already, without effect", { tracked: [], uncovered: [".env"] }, "other rules undo those for .env."],
    ["there is no repository", undefined, "this folder is not in a git repository."],
  ])("adds nothing and says why if %s", async (_when, files, why) => {
    expect(await fix(files, "/.env\r\n!.env\n")).toEqual({ said: `Nothing was added to .gitignore: ${why}`, rules: "/.env\r\n!.env\n" });
  });
});

it("findingsTable() sets advice below its finding, where the rest of a long text continues too", () => {
  const { text, hang } = findingsTable(
    [
      { what: "node", state: "fine", text: "22" },
      { what: "search", state: "weak", text: "rg not found", advice: "Install ripgrep." },
    ],
    createStyle({ NO_COLOR: "1" }),
  );
  expect(text.split("\n").map((line) => line.slice(hang))).toEqual(["22", "rg not found", "Install ripgrep."]);
});
