import { spawn } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bringIgnoredFiles } from "../../../../src/edge/git/repository/ignored-files.ts";
import { closedToCopies } from "../../../../src/permissions/paths/hidden.ts";
import { makePolicy, type PolicyOrder } from "../../../../src/permissions/policy.ts";
import { type TestRepository, testRepository } from "../git-kit.ts";

const secret = "the content that rules hide\n";

/** Each rule hides `vault/deep/key.txt`, in a way of its own. */
const ways: [what: string, rules: (root: string) => Partial<PolicyOrder>][] = [
  ["a deny rule with an absolute path", (root) => ({ deny: [`Read(/${root}/vault/**)`] })],
  ["a deny rule from the home folder", (root) => ({ home: join(root, ".."), deny: ["Read(~/*/vault/deep/*.txt)"] })],
  ["a deny rule in other letters", () => ({ deny: ["Read(./VAULT/**)"] })],
  ["an ask rule", () => ({ ask: ["Read(key.txt)"] })],
  ["a rule of the administrator", (root) => ({ deny: [{ text: "Read(/vault/**)", scope: "managed", folder: root }] })],
  [".toolignore", (root) => ({ toolignore: { text: "vault/deep\n", folder: root } })],
];

async function hiddenBy(repository: TestRepository, rules: Partial<PolicyOrder>) {
  const { folder } = repository;
  const made = await makePolicy({ cwd: folder, home: "/nowhere", configDir: "/nowhere/.tool", ...rules }, async (path) => path);
  if (!made.ok) throw new Error(made.reason);
  return closedToCopies(made.policy);
}

/** Everything that can be read in a folder, links followed. */
function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      try {
        return [readFileSync(path, "utf8")];
      } catch {
        return []; // a folder
      }
    });
}

/** The hidden file, and every other way to it. */
function laidOut(): TestRepository {
  const repository = testRepository({ ".gitignore": "/vault/\n/build/\n/one*\n/.env\n", "a.txt": "a\n" });
  const { folder } = repository;
  repository.write({ "vault/deep/key.txt": secret, "build/out.js": "built\n", "build/sub/.env": secret, ".env": secret });
  symlinkSync("../vault/deep/key.txt", join(folder, "build/by-link"));
  symlinkSync(join(folder, "vault/deep/key.txt"), join(folder, "build/sub/by-absolute-link"));
  symlinkSync("by-link", join(folder, "build/by-two-links"));
  symlinkSync("../vault/deep", join(folder, "build/by-folder"));
  symlinkSync("vault/deep/key.txt", join(folder, "one-link"));
  linkSync(join(folder, "vault/deep/key.txt"), join(folder, "build/by-hard-link"));
  linkSync(join(folder, "vault/deep/key.txt"), join(folder, "one-hard-link"));
  linkSync(join(folder, "build/out.js"), join(folder, "one-open-hard-link"));
  return repository;
}

it.each(ways)("bringIgnoredFiles() brings nothing that %s hides, whatever names it", async (_, rules) => {
  const repository = laidOut();
  const isHidden = await hiddenBy(repository, rules(repository.folder));
  const patterns = "vault/\nVAULT/deep/key.txt\nvault/deep/key.txt\n**/key.txt\nbuild/\none*\n.env\n";
  for (const how of ["copy", "link"] as const) {
    const to = repository.beside(how);
    mkdirSync(to);
    const { copied, linked } = await bringIgnoredFiles(repository.git, { from: repository.folder, to, how, patterns, isHidden });
    expect([...copied, ...linked]).toEqual(expect.arrayContaining(["build", "one-open-hard-link"]));
    const texts = textsIn(to);
    expect(texts).toContain("built\n");
    expect(texts).not.toContain(secret);
  }
});

it("bringIgnoredFiles() copies what it has opened, while a program swaps a folder for a link to a hidden one", async () => {
  const repository = testRepository({ ".gitignore": "/vault/\n/build/\n", "a.txt": "a\n" });
  const { folder } = repository;
  const names = Array.from({ length: 300 }, (_, at) => `f${at}`);
  const filled = (of: string, text: string) => Object.fromEntries(names.map((name) => [`${of}/${name}`, text]));
  repository.write({ ...filled("vault", secret), ...filled("build/swapped", "built\n") });
  const isHidden = await hiddenBy(repository, { deny: ["Read(./vault/**)"] });
  symlinkSync(join(folder, "vault"), join(folder, "build/link"));
  const swapping = `const { renameSync } = require("node:fs");
    for (;;) for (const [from, to] of [["swapped", "away"], ["link", "swapped"], ["swapped", "link"], ["away", "swapped"]]) renameSync(from, to);`;
  const program = spawn(process.execPath, ["-e", swapping], { cwd: join(folder, "build"), stdio: "ignore" });
  const ended = new Promise((resolve) => program.once("exit", resolve));
  onTestFinished(async () => {
    program.kill("SIGKILL");
    await ended;
  });
  const copied: string[] = [];
  for (let turn = 1; turn <= 4; turn++) {
    const to = repository.beside(`copy-${turn}`);
    mkdirSync(to);
    const order = { from: folder, to, how: "copy" as const, patterns: "build/\n", isHidden };
    await bringIgnoredFiles(repository.git, order).catch(() => {}); // a folder was away at that moment
    copied.push(...filesIn(to).map((path) => readFileSync(path, "utf8")));
  }
  expect(copied).not.toContain(secret);
});

it("bringIgnoredFiles() copies nothing from where a link leads that takes the place of a folder meanwhile", async () => {
  const repository = testRepository({ ".gitignore": "/build/\n", "a.txt": "a\n" });
  const { folder } = repository;
  repository.write({ "build/one/key": "built\n", "build/two/below/key": "built\n" });
  const outside = repository.beside("outside");
  for (const path of ["key", "below/key", "other/key"]) {
    mkdirSync(dirname(join(outside, path)), { recursive: true });
    writeFileSync(join(outside, path), secret);
  }
  const swap = (name: string) => {
    renameSync(join(folder, "build", name), join(folder, `${name}-away`));
    symlinkSync(outside, join(folder, "build", name));
  };
  // asked about each of them just before it is opened
  const isHidden = (path: string) => {
    if (path === join(folder, "build/one/key") && !existsSync(join(folder, "one-away"))) swap("one");
    if (path === join(folder, "build/two") && !existsSync(join(folder, "two-away"))) swap("two");
    return false;
  };
  const to = repository.beside("copy");
  mkdirSync(to);
  await bringIgnoredFiles(repository.git, { from: folder, to, how: "copy", patterns: "build/one/\nbuild/two/\n", isHidden });
  expect(existsSync(join(folder, "two-away"))).toBe(true);
  expect(
    readdirSync(to, { recursive: true })
      .map(String)
      .filter((path) => /below|other/.test(path)),
  ).toEqual([]);
  expect(filesIn(to).map((path) => readFileSync(path, "utf8"))).not.toContain(secret);
});

/** Links not followed. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
