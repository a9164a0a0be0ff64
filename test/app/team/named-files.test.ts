import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { realNames, withNamedFiles } from "../../../src/app/team/named-files.ts";
import { boardTools } from "../../../src/board/tools.ts";
import { realPath } from "../../../src/edge/disk/real-path.ts";
import { lead } from "../../board/examples.ts";
import { temporaryTeam } from "../../board/temporary-team.ts";

const fileInTree = async (path: string) =>
  path === "src"
    ? { ok: false as const, reason: "is a folder. Name each file in it" }
    : { ok: true as const, path: path.replace("link/", "src/") };

it("the lead's files must be in the tree, or the call changes nothing", async () => {
  using team = temporaryTeam();
  const tools = withNamedFiles(boardTools(team.board, lead), { fileInTree });
  const context = { signal: new AbortController().signal, onOutput() {} };
  const run = (name: string, input: object) => tools.find((tool) => tool.name === name)?.run(input, context);
  expect(await run("TaskCreate", { title: "One", files: ["link/a.ts"] })).toMatchObject({ isError: false });
  expect(await run("TaskCreate", { title: "Two", files: ["a.ts", "src"] })).toMatchObject({
    isError: true,
    text: 'Nothing was changed: the file "src" is a folder. Name each file in it.',
  });
  expect(await run("TaskUpdate", { id: "task-1", files: [] })).toMatchObject({ isError: false });
  expect(await run("TaskCreate", { title: "Three" })).toMatchObject({ isError: false });
  const read = team.board.tasks.read();
  expect(read.ok && read.list.tasks.map(({ title, files }) => [title, files])).toEqual([
    ["One", []],
    ["Three", undefined],
  ]);
});

it("the files that a person names get their real names, and what lies elsewhere one that the list refuses", async () => {
  const root = mkdtempSync(join(tmpdir(), "named-files-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "repo/src"), { recursive: true });
  writeFileSync(join(root, "repo/src/a.ts"), "");
  symlinkSync("repo", join(root, "link"));
  symlinkSync("src/a.ts", join(root, "repo/alias.ts"));
  symlinkSync("..", join(root, "repo/out"));
  const names = ["alias.ts", "./src/new.ts", join(root, "link/src/a.ts"), "out/b.ts", "src/", "src/*.ts", ""];
  expect(await realNames(names, join(root, "link"), async (path) => realPath(path))).toEqual([
    "src/a.ts",
    "src/new.ts",
    "src/a.ts",
    "../b.ts",
    "src/",
    "src/*.ts",
    "",
  ]);
});
