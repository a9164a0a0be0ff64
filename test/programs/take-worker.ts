// Takes branches of a repository into its current one, after finishing what an earlier process was killed in, and kills itself with SIGKILL at the
// given step: before a call of git or of the disk for its record or, `during`, while that call of git runs. Argument: a JSON object. Prints how it
// ended if it is still alive, how many steps there were, and before which one its record was written first.
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/app/changes/taking-store.ts";
import type { BoardDisk } from "../../src/board/disk.ts";
import type { ChangeSet } from "../../src/changes/change-set.ts";
import { recover, type TakePorts, take } from "../../src/changes/take.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { changesRepository } from "../../src/edge/git/changes/changes-repository.ts";
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { type OwnGit, ownGit } from "../../src/edge/git/own-git.ts";

const { root, config, branches, base, as, step, during, env } = JSON.parse(process.argv[2] ?? "{}");
let steps = 0;
let recorded = 0;
const isTime = () => ++steps === step;
const die = () => process.kill(process.pid, "SIGKILL");

keepGitFilesIn(config);
const real = ownGit(env);
const git: OwnGit = async (...call) => {
  const ends = isTime();
  if (ends && !during) die();
  const running = real(...call);
  if (ends) void sleep(4).then(die);
  return running;
};
const mortal = Object.fromEntries(
  Object.entries(disk).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      if (isTime()) die();
      if (name === "replace") recorded ||= steps;
      return (call as (...args: unknown[]) => unknown)(...args);
    },
  ]),
) as unknown as BoardDisk;

const ports: TakePorts = {
  git: changesRepository({ git, root, look: async () => undefined }),
  store: openStore(mortal, `${config}/takes`),
};
const sets = (branches as string[]).map((branch): ChangeSet => {
  const content = { kind: "branch", branch, from: base, folder: `${config}/gone` } as const;
  return { id: branch, what: branch, by: "", evidence: { words: "", failed: false }, atWork: false, content };
});
const again = async () => take(ports, { seen: (await ports.git.look({ sets, taken: new Map(), rivals: false })).seen, as, paths: [] });
const end = (await recover(ports)) ?? (await again());
process.stdout.write(JSON.stringify({ kind: end.kind, steps, recorded }));
