// The change sets of teams with worktrees: everything that was handed over, each completed task, and what a teammate has not handed over.
import { join } from "node:path";
import type { Task } from "../../board/tasks/task.ts";
import type { ChangeSet } from "../../changes/change-set.ts";
import type { ChangesRepository } from "../../changes/repository.ts";
import { optionsOf } from "../../team/place.ts";
import { evidenceWords, isFailed } from "../../wording/evidence.ts";
import { plural } from "../../wording/figures.ts";
import { allTeams, type TeamFolder } from "../team/open-team.ts";
import { homeOf, openTrees } from "../team/team-trees.ts";
import type { World } from "../world.ts";

type Git = Pick<ChangesRepository, "root" | "commits" | "baseOf">;

export async function teamSets(world: World, git: Git): Promise<ChangeSet[]> {
  const sets = await Promise.all((await allTeams(world)).map((team) => setsOf(world, git, team)));
  return sets.flat();
}

async function setsOf(world: World, git: Git, { board }: TeamFolder): Promise<ChangeSet[]> {
  const read = board.record();
  const worktrees = read.ok ? optionsOf(read.record).worktrees : undefined;
  if (!read.ok || worktrees?.root !== git.root) return [];
  const { name: team, cwd, members } = read.record;
  const trees = await openTrees(world, { worktrees, team, name: "changes", cwd });
  if (!trees) return [];
  const place = (name: string) => ({ branch: trees.branchOf(name), folder: join(homeOf(worktrees), name) });
  const teammates = members.flatMap(({ name, role }) => (role === "teammate" ? [name] : []));
  const list = board.tasks.read();
  const atWork = (name: string) => board.holder(name)?.kind === "alive";
  const tasks = await taskSets(git, { team, base: worktrees.base, merged: trees.merged, tasks: list.ok ? list.list.tasks : [] });
  const whole: ChangeSet = {
    id: team,
    what: `${plural(tasks.length, "task")} of team ${team}`,
    by: [...new Set(tasks.map(({ by }) => by))].join(", "),
    evidence: { words: "", failed: tasks.some(({ evidence }) => evidence.failed) },
    atWork: members.some(({ name }) => atWork(name)),
    content: { kind: "branch", from: worktrees.base, ...place("merged") },
    further: [...teammates, "union"].map(place),
  };
  const unfinished = await Promise.all(
    teammates.map(async (name): Promise<ChangeSet> => {
      const from = (await git.baseOf(trees.merged, trees.branchOf(name))) ?? worktrees.base;
      return {
        id: `${team}/${name}`,
        what: `not handed over in team ${team}`,
        by: name,
        evidence: { words: "", failed: false },
        atWork: atWork(name),
        content: { kind: "branch", from, ...place(name) },
      };
    }),
  );
  return [...tasks, ...(tasks.length === 0 ? [] : [whole]), ...unfinished];
}

type Handed = { team: string; base: string; merged: string; tasks: Task[] };

/** Each merge into the team's branch names its task (handing-over.ts). */
async function taskSets(git: Git, { team, base, merged, tasks }: Handed): Promise<ChangeSet[]> {
  const commits = await git.commits(base, `refs/heads/${merged}`);
  return commits.flatMap(({ id: tip, message }): ChangeSet[] => {
    const [, id, title = ""] = /^Merge (task-\d+): (.*)/.exec(message) ?? [];
    if (!id) return [];
    const task = tasks.find((each) => each.id === id);
    return [
      {
        id: `${team}/${id}`,
        what: title,
        by: task?.assigned_to ?? "",
        evidence: { words: evidenceWords(task?.evidence), failed: isFailed(task?.evidence) },
        atWork: false,
        content: { kind: "range", from: `${tip}^1`, tip, whole: team },
      },
    ];
  });
}
