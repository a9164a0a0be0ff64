import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exportSession, writeExport } from "../../../src/app/session/export-session.ts";
import type { World } from "../../../src/app/world.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { createStyle } from "../../../src/screen/style.ts";
import type { Pane } from "../../../src/screen/terminal/pane.ts";
import { failing } from "../../failing-calls.ts";
import { scratchFolder } from "../../scratch.ts";

const exported = async (path: string, { replaces = false } = {}) => {
  let asked = 0;
  const order = {
    path,
    temporary: `${path}.1.tmp`,
    text: "# All of it\n",
    replaces: async () => {
      asked++;
      return replaces;
    },
  };
  const said = await writeExport(disk, order).catch((error: unknown) => (error instanceof Error ? error.message : ""));
  return { said, asked };
};

it("writes a new file that only its user can read, and replaces one only after a yes", async () => {
  const folder = scratchFolder();
  const path = join(folder, "a.md");
  expect(await exported(path)).toEqual({ said: true, asked: 0 });
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["# All of it\n", 0o600]);
  writeFileSync(path, "mine");
  expect([await exported(path), readFileSync(path, "utf8")]).toEqual([{ said: false, asked: 1 }, "mine"]);
  expect([await exported(path, { replaces: true }), readFileSync(path, "utf8")]).toEqual([{ said: true, asked: 1 }, "# All of it\n"]);
  expect(readdirSync(folder)).toEqual(["a.md"]);
});

it("refuses a folder and a missing folder, and leaves nothing on a full disk", async () => {
  const folder = scratchFolder();
  const inside = join(folder, "docs");
  mkdirSync(inside);
  expect(await exported(inside)).toEqual({
    said: `Cannot export to ${inside}: it is a folder. Name a file in it, such as ${inside}/conversation.md`,
    asked: 0,
  });
  const missing = join(folder, "no/a.md");
  expect((await exported(missing)).said).toBe(
    `Cannot export to ${missing}: there is no folder ${folder}/no. Make it, or name another file.`,
  );
  failing("fsyncSync", { code: "ENOSPC", when: (path) => path.startsWith(folder) });
  expect((await exported(join(folder, "a.md"))).said).toMatch(
    /^Cannot export to .*a\.md: the disk is full.*\. Nothing was written\. Make room there\.$/,
  );
  expect(readdirSync(folder)).toEqual(["docs"]);
});

it("resolves ~ to the person's home and other paths from the working directory, and writes without a name into neither", async () => {
  const folder = scratchFolder();
  const [cwd, home] = [join(folder, "repo"), join(folder, "home")];
  for (const made of [cwd, home]) mkdirSync(made);
  const said: string[] = [];
  const configDir = join(home, ".tool");
  const world = { cwd, home, configDir, uniqueId: () => "1", edges: { disk: async () => disk } };
  const run = exportSession({
    world: world as unknown as World,
    pane: { print: (line: string) => said.push(line) } as unknown as Pane,
    style: createStyle({ NO_COLOR: "1" }),
    id: "0123456789",
    events: () => [{ type: "input", inputs: [], at: "2026-01-01T00:00:00.000Z" }],
    nowMs: () => 0,
    ending: new AbortController().signal,
  });
  for (const file of ["~/x.md", "y.md", ""]) await run(file);
  expect(said).toEqual(
    [join(home, "x.md"), join(cwd, "y.md"), join(configDir, "exports/session-01234567.md")].map(
      (path) => `  The conversation is in ${path}`,
    ),
  );
  expect([readdirSync(home), readdirSync(cwd)]).toEqual([[".tool", "x.md"], ["y.md"]]);
});
