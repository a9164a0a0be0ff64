// Names that a shell splits and links that lead outside: what a loop, a pattern or a list of names may expand to.
import { describe, expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import type { Outliers } from "../../src/permissions/outliers.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";

const none: Outliers = { sensitive: [], split: [], links: [] };
const folder = (path: string) => ({ path, kind: "folder" as const });
const file = (path: string) => ({ path, kind: "file" as const });

async function decided(command: string, found: Outliers | undefined, order: Partial<PolicyOrder> = {}): Promise<string> {
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, outliers: () => found };
  return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision;
}

const loops = [
  "for p in packages/*; do head -5 $p/package.json; done",
  "for d in packages/*/; do echo $d $(ls $d | wc -l); done",
  "for f in src/*.ts packages/*/*.ts; do grep -c x $f; done",
  "git diff --name-only | while IFS= read -r f; do wc -l $f; done",
  "find packages -type f | xargs cat",
  "wc -l $(git ls-files '*.ts')",
];

describe("names that are split at spaces", () => {
  it.each(loops)("are those of files inside if none contains a space: %s", async (command) => {
    expect(await decided(command, none)).toBe("allow");
  });

  it.each(loops)("may lead anywhere if a folder's name goes up, or ends before a slash: %s", async (command) => {
    for (const name of ["/repo/packages/a ..", "/repo/packages/a ", "/repo/packages/a ~"])
      expect(await decided(command, { ...none, split: [folder(name)] })).toBe("ask");
    expect(await decided(command, undefined)).toBe("ask"); // undefined: too many names to inspect
  });

  it("are never split in quotes, or by xargs -0", async () => {
    const found = { ...none, split: [folder("/repo/packages/a ..")] };
    expect(await decided('for p in packages/*; do head -5 "$p/package.json"; done', found)).toBe("allow");
    expect(await decided("find packages -type f -print0 | xargs -0 cat", found)).toBe("allow");
  });

  it("are inside if each piece is a plain name, unless rules restrict files or something is written", async () => {
    const found = { ...none, split: [file("/repo/docs/My notes.md")] };
    expect(await decided("for f in docs/*; do cat $f; done", found)).toBe("allow");
    expect(await decided("for f in docs/*; do cat $f; done", found, { deny: ["Read(notes.md)"] })).toBe("ask");
    expect(await decided("for f in docs/*; do sed -i s/a/b/ $f; done", found, { mode: "acceptEdits" })).toBe("ask");
    for (const name of ["my .env", "a -rf", "a ..", "a server.key", "a *"])
      expect(await decided("for f in docs/*; do cat $f; done", { ...none, split: [file(`/repo/docs/${name}`)] })).toBe("ask");
  });

  it("count only where the command looks: elsewhere, or of other files, they change nothing", async () => {
    expect(await decided("for f in src/*; do cat $f; done", { ...none, split: [folder("/repo/docs/a ..")] })).toBe("allow");
    expect(await decided("find . -name '*.ts' | xargs cat", { ...none, split: [file("/repo/a ../x.md")] })).toBe("allow");
  });

  it("count if the command creates them itself", async () => {
    const command = "mkdir -p 'p/a /etc' && touch 'p/a /etc/passwd' && for f in p/*/*; do cat $f; done";
    expect(await decided(command, none, { mode: "acceptEdits" })).toBe("ask");
  });

  it("are covered by no wildcard, because a piece may be an option", async () => {
    const found = { ...none, split: [file("/repo/src/a --compress-program=x")] };
    expect(await decided("for f in src/*; do sort $f; done", found, { allow: ["Bash(sort *)"] })).toBe("ask");
  });
});

describe("a link that leads out", () => {
  const out = { ...none, links: [{ path: "/repo/docs/out", target: "/etc" }] };
  it.each([
    ["cat docs/*", "ask"],
    ["cat docs/*/passwd", "ask"],
    ["cat */*/passwd", "ask"],
    ['for f in docs/*; do head "$f"; done', "ask"],
    ["cat src/*", "allow"],
    ["cat docs/*.md", "allow"],
    ["grep -R x .", "ask"],
    ["grep --dereference-recursive x docs", "ask"],
    ["grep -R x src", "allow"],
    ["grep -r x .", "allow"],
    ["grep -r x docs/*", "ask"],
    ["rg x", "allow"],
    ["rg -L x", "ask"],
    ["find -L . -name '*.md' -exec cat {} +", "ask"],
    ["grep -R --include=*.md x .", "ask"],
    ["rg -L -g '*.md' x", "ask"],
    ["find . -name '*.md' -exec cat {} +", "allow"],
    ["find -L . -exec cat {} +", "ask"],
    ["find . -type f | xargs cat", "allow"],
    ["find . | xargs cat", "ask"],
    ["git ls-files | xargs cat", "ask"],
    ['git ls-files | while read -r f; do cat "$f"; done', "ask"],
  ])("is gone through unasked by nothing: %s is %s", async (command, expected) => {
    expect(await decided(command, out)).toBe(expected);
    expect(await decided(command, { ...none, links: [{ path: "/repo/docs/out", target: "/repo/src" }] })).toBe("allow");
  });

  it.each([
    ["cat docs/*", "ask"],
    ["grep -R x .", "ask"],
    ["find -L . -exec cat {} +", "ask"],
    ["grep -r x .", "allow"],
    ["cat src/*", "allow"],
    ["tar chf - docs", "ask"],
    ["tar cf x.tar docs", "allow"],
    ["zip -r x.zip docs", "ask"],
    ["zip -r x.zip src", "allow"],
  ])("is gone through by no wildcard: %s is %s", async (command, expected) => {
    const allow = ["Bash(cat *)", "Bash(grep *)", "Bash(find *)", "Bash(tar *)", "Bash(zip *)", "Edit(x.*)"];
    expect(await decided(command, out, { allow })).toBe(expected);
  });
});
