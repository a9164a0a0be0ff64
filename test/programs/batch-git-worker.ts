// Takes units through all of their git steps, from where an earlier process was killed: worktree, ignored files, commit, push, removal.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { batchRepository } from "../../src/edge/git/batch-repository.ts";
import { clearLeft } from "../../src/edge/git/left-locks.ts";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { ownGit } from "../../src/edge/git/own-git.ts";

const { root, home, units, owner, env } = JSON.parse(process.argv[2] ?? "{}");
keepGitFilesIn(join(root, "../config"));
const git = ownGit({ ...env, TOOL_OWNER: owner });
await clearLeft({ repository: root, home, owner, branches: owner });
const repository = batchRepository({
  git,
  repository: root,
  home,
  ignored: "copy",
  closed: async () => () => false,
  look: async () => undefined,
  env,
  logins: {},
  token: async () => undefined,
});
process.stdout.write("started\n");

await Promise.all(units.map(through));
process.stdout.write("done\n");

async function through(unit: string): Promise<void> {
  const folder = join(home, unit);
  const branch = `tool/${owner}/${unit}`;
  const saved = `origin/${branch}`;
  // A unit whose branch is at the remote was removed, or is about to be.
  const pushed = await repository.commitOf(branch);
  if (pushed !== undefined && pushed !== (await repository.commitOf("main")) && !existsSync(folder)) {
    must(await repository.push(branch, "origin"));
    must(await repository.removeWorktree(folder, saved));
    return;
  }
  must(await repository.addWorktree({ folder, branch, from: "main" }));
  must(await repository.includeIgnored(folder, "node_modules/\n"));
  writeFileSync(join(folder, `${unit}.txt`), `${unit}\n`);
  must(await repository.stage(folder, "main"));
  must(await repository.commit(folder, unit));
  must(await repository.push(branch, "origin"));
  must(await repository.removeWorktree(folder, saved));
}

function must(answer: { ok: true } | { ok: false; error: { kind: string; reason: string } }): void {
  if (!answer.ok) throw new Error(`${answer.error.kind}: ${answer.error.reason}`);
}
