import { expect, it } from "vitest";
import { clearAway } from "../../src/batch/clear-away.ts";
import { batchRecord, planOf, recordOf } from "./plans.ts";

const branch = (id: string) => `tool/batch-7/${id}`;

/** `savedIn`: for each existing branch, where its commits are saved. The worktree of `dirty` has uncommitted changes. */
async function cleared(savedIn: Record<string, string>, dirty = "") {
  const branches = new Map(Object.entries(savedIn));
  const plan = planOf(5);
  const units = plan.units.map(({ id }) => recordOf(id, { state: "done", from: "base", commit: `commit of ${id}` }));
  return clearAway(
    { batch: batchRecord(), plan, units: () => units },
    {
      async removeWorktree(folder) {
        if (!folder.endsWith(`/${dirty}`)) return { ok: true, value: undefined };
        return { ok: false, error: { kind: "unsaved", reason: `The worktree ${folder} is kept: a.js is changed` } };
      },
      commitOf: async (name) => branches.get(name),
      async deleteBranch(name, from) {
        if (branches.get(name) !== from) return { ok: false, error: { kind: "unsaved", reason: "" } };
        branches.delete(name);
        return { ok: true, value: undefined };
      },
    },
  );
}

it("clearAway() removes branches that are at the remote or in HEAD, and names those whose commits are nowhere else", async () => {
  const there = {
    [branch("u1")]: `origin/${branch("u1")}`,
    [branch("u2")]: "HEAD",
    [branch("u3")]: "nowhere",
    [branch("u4")]: "HEAD",
    [branch("phase-1")]: "nowhere",
  };
  expect(await cleared(there, "u4")).toEqual({
    removed: [branch("u1"), branch("u2")],
    kept: ["The worktree /repo/app-batch-7/u4 is kept: a.js is changed"],
    unsaved: [branch("u3"), branch("phase-1")],
  });
});
