// An agent that repeatedly increments its own line of a shared file, with an agent's tools and guard.
import { files } from "../../src/edge/disk/files.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { ignorePatterns } from "../../src/permissions/paths/ignore-patterns.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { editTool } from "../../src/tools/files/edit.ts";
import { readTool } from "../../src/tools/files/read.ts";

export type EditRace = { folder: string; agent: string; edits: number };

const { folder, agent, edits }: EditRace = JSON.parse(process.argv[2] ?? "");
const disk = files({ ignorePatterns, ripgrep: false });
const made = await makePolicy({ cwd: folder, home: folder, configDir: `${folder}/.tool` }, disk.real);
if (!made.ok) throw new Error(made.reason);
const guarded = guardDisk(disk, made.policy);
const seen = new Map<string, string>();
const context = { signal: new AbortController().signal };

let done = 0;
for (let tries = 0; tries < edits; tries++) {
  const { text } = await readTool(guarded, seen).run({ path: "counts" }, context);
  const count = Number(new RegExp(`${agent}=(\\d+)`).exec(text)?.[1]);
  const edit = { path: "counts", old_string: `${agent}=${count};`, new_string: `${agent}=${count + 1};` };
  if (!(await editTool(guarded, seen).run(edit, context)).isError) done++;
}
process.stdout.write(String(done));
