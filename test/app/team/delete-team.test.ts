// Deleting a team is refused while any of its processes runs, and never deletes work that exists nowhere else.
import { describe, expect, it } from "vitest";
import { deleteTeam, unfinishedDeletions } from "../../../src/app/team/delete-team.ts";
import { teamFolders } from "../../../src/app/team/open-team.ts";
import type { TeamTrees } from "../../../src/team/worktrees.ts";
import { type TeamWorldSetup, teamsRoot, teamWorld } from "./team-world.ts";

function place({ options, ...setup }: TeamWorldSetup & { options?: Record<string, unknown> } = {}) {
  const here = teamWorld(setup);
  const board = here.team("atlas", { ...(options && { options }) });
  const remove = async (force = false) => {
    const [team] = await teamFolders(here.world);
    return deleteTeam(here.world, team!, { force });
  };
  return { ...here, board, remove };
}

const left = (names: string[]) => names.filter((name) => name.startsWith(teamsRoot));

describe("deleteTeam()", () => {
  it("removes all files of a team that has ended, and releases its claim", async () => {
    const { remove, disk, lock } = place();
    expect(await remove()).toEqual({ ok: true, kept: [] });
    expect([left(disk.names()), lock.held.size]).toEqual([[], 0]);
  });

  it("refuses while a member runs, and names it", async () => {
    const { remove, board, lock, disk } = place({ living: [7] });
    lock.held.set(board.layout.claim("ann"), { kind: "alive", pid: 7 });
    expect(await remove(true)).toEqual({
      ok: false,
      reason: "ann is running as process 7. Stop it first: tool team stop atlas",
      kept: [],
    });
    expect(left(disk.names()).length).toBeGreaterThan(0);
  });

  it("refuses while another process resumes it", async () => {
    const { remove, board, lock } = place();
    lock.held.set(board.layout.resume, { kind: "alive", pid: 8 });
    expect(await remove()).toMatchObject({ ok: false, reason: "process 8 is resuming it just now" });
  });

  it("deletes a team without a readable record only with --force", async () => {
    const { remove, disk } = place();
    disk.files.set(`${teamsRoot}/atlas/team.json`, "{");
    expect(await remove()).toMatchObject({ ok: false, reason: expect.stringMatching(/To delete it all the same: --force$/) });
    expect(await remove(true)).toEqual({ ok: true, kept: [] });
    expect(left(disk.names())).toEqual([]);
  });

  const worktrees = { id: "1", root: "/repo", base: "abc" };
  const trees = (unmerged: { name: string; branch: string; why: string }[]) =>
    ({
      merged: "tool/team-1/merged",
      left: async () => [{ name: "ann", folder: "/repo-team-1/ann" }],
      settle: async () => unmerged,
      handed: async () => ({ commits: 1, tip: "def", isTaken: false }),
    }) as unknown as TeamTrees;

  it("keeps worktrees with unmerged work, and says so", async () => {
    const unmerged = [{ name: "ann", folder: "/repo-team-1/ann", branch: "tool/team-1/ann", why: "it has commits that are not merged" }];
    const setup = { options: { worktrees }, files: { "/repo/a": "" }, edges: { teamTrees: async () => trees(unmerged) } };
    const { remove, disk } = place(setup);
    const refused = await remove();
    expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining("worktrees have work that is not merged") });
    expect(left(disk.names()).length).toBeGreaterThan(0);
    const forced = await remove(true);
    expect([forced.ok, forced.kept.join("\n")]).toEqual([true, expect.stringContaining("tool/team-1/ann")]);
    expect(left(disk.names())).toEqual([]);
  });

  it("is deleted without a look at worktrees that cannot be looked at only with --force", async () => {
    const broken = { ...trees([]), left: async () => Promise.reject(new Error("git is not installed")) };
    const setup = { options: { worktrees }, files: { "/repo/a": "" }, edges: { teamTrees: async () => broken as unknown as TeamTrees } };
    const { remove } = place(setup);
    expect(await remove()).toMatchObject({
      ok: false,
      reason: "git is not installed. To delete it without looking at its worktrees: --force",
    });
    expect(await remove(true)).toEqual({ ok: true, kept: [] });
  });
});

it("a deletion that was killed is found", async () => {
  const { world, disk } = teamWorld();
  disk.files.set(`${teamsRoot}/.deleted-atlas/team.json`, "");
  expect(await unfinishedDeletions(world)).toEqual([{ team: "atlas", folder: `${teamsRoot}/.deleted-atlas` }]);
});
