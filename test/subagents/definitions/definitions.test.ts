import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { definitionFiles } from "../../../src/edge/disk/definition-files.ts";
import { definitionFolders, loadDefinitions } from "../../../src/subagents/definitions/definitions.ts";
import { scratchFolder } from "../../scratch.ts";

function project(files: Record<string, string>) {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const folders = definitionFolders({ root: join(folder, "repo"), configDir: join(folder, "home") });
  return { folder, load: (trusted = true) => loadDefinitions(definitionFiles, { folders, trusted }) };
}

const agent = (name: string, description = `Does ${name}`) => `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;

it("finds definitions in the project, in .claude and in the person's own folder; of two with the same name the nearer is used", async () => {
  const { folder, load } = project({
    "repo/.tool/agents/review/deep.md": agent("reviewer", "nearest"),
    "repo/.claude/agents/reviewer.md": agent("reviewer", "farther"),
    "repo/.claude/agents/tester.md": agent("tester"),
    "home/agents/reviewer.md": agent("reviewer", "farthest"),
    "home/agents/writer.md": agent("writer"),
    "home/agents/notes.txt": "no definition",
  });
  const { list, mistakes, untrusted } = await load();
  expect(list.map(({ name, description, scope }) => `${name} ${scope} ${description}`)).toEqual([
    "reviewer project nearest",
    "tester claude Does tester",
    "writer user Does writer",
  ]);
  const nearer = join(folder, "repo/.tool/agents/review/deep.md");
  expect(mistakes.map(({ level, file, found }) => `${level} ${file.slice(folder.length)}: ${found.replace(nearer, "deep.md")}`)).toEqual([
    'warning /repo/.claude/agents/reviewer.md: The agent "reviewer" is defined nearer, in deep.md, and that one counts.',
    'warning /home/agents/reviewer.md: The agent "reviewer" is defined nearer, in deep.md, and that one counts.',
  ]);
  expect(untrusted).toEqual([]);
});

it("lists a project's definitions but reads none before the project is trusted", async () => {
  const { folder, load } = project({
    "repo/.tool/agents/a.md": "broken",
    "repo/.claude/agents/b.md": agent("b"),
    "home/agents/c.md": agent("c"),
  });
  const { list, mistakes, untrusted } = await load(false);
  expect(list.map(({ name }) => name)).toEqual(["c"]);
  expect(mistakes).toEqual([]);
  expect(untrusted.map((path) => path.slice(folder.length))).toEqual(["/repo/.tool/agents/a.md", "/repo/.claude/agents/b.md"]);
});

it("opens only regular files of the folder, and an unreadable one does not affect others", async () => {
  const { folder, load } = project({
    "repo/.tool/agents/good.md": agent("good"),
    "outside.md": agent("outside"),
    "repo/.tool/agents/large.md": "x".repeat(1_100_000),
  });
  const agents = join(folder, "repo/.tool/agents");
  execFileSync("mkfifo", [join(agents, "fifo.md")]);
  symlinkSync(join(folder, "outside.md"), join(agents, "link-out.md"));
  symlinkSync(join(agents, "gone"), join(agents, "link-nowhere.md"));
  symlinkSync(agents, join(agents, "ring"));
  const { list, mistakes } = await load();
  expect(list.map(({ name }) => name)).toEqual(["good"]);
  expect(mistakes.map(({ file, found }) => `${file.slice(agents.length)} ${found}`)).toEqual([
    "/fifo.md The file is not read: it is not a regular file.",
    "/large.md The file is not read: it has 1100000 bytes, and at most 1048576 are read.",
    "/link-nowhere.md The file is not read: it is a link that leads nowhere.",
    "/link-out.md The file is not read: it is a link that leads out of its folder.",
  ]);
});
