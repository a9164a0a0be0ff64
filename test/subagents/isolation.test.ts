import { expect, it } from "vitest";
import { type AgentWorktrees, isolated, settled, type WorktreePlaces } from "../../src/subagents/isolation.ts";
import type { AgentRecord } from "../../src/subagents/record.ts";
import { aRecord, recordsOf } from "./kit.ts";

const place = { folder: "/repo-agents-1/a-1", branch: "tool/agents-1/a-1", from: "c0ffee" };

/** Records its calls, in order. */
function asked(kept?: string | Error): AgentWorktrees & WorktreePlaces & { calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    placeOf: (id) => ({ folder: `/repo-agents-1/${id}`, branch: `tool/agents-1/${id}` }),
    async headOf(folder) {
      calls.push(`head of ${folder}`);
      return "c0ffee";
    },
    async add({ folder }) {
      calls.push(`add ${folder}`);
      return "new";
    },
    async removeUnused({ folder }) {
      calls.push(`remove ${folder}`);
      if (kept instanceof Error) throw kept;
      return kept;
    },
  };
}

const begun = async (record: AgentRecord, others: AgentRecord[] = []) => {
  const worktrees = asked();
  const { put, find, all } = recordsOf([...others, record]);
  const on = (now: AgentRecord) => {
    worktrees.calls.push(`record ${now.id} ${now.worktree?.state}`);
    put(now);
  };
  const now = await isolated(record, { worktrees, cwd: "/repo", put: on, find });
  return { now, calls: worktrees.calls, all: all() };
};

it("records the worktree before git makes it, and starts there again when resumed", async () => {
  const first = await begun(aRecord({ isolation: "worktree" }));
  expect(first.calls).toEqual(["head of /repo", "record a-1 used", "add /repo-agents-1/a-1"]);
  expect(first.now.worktree).toEqual({ ...place, state: "used" });
  const again = await begun({ ...first.now, worktree: { ...place, from: "0ld", state: "removed" } });
  expect(again.calls).toEqual(["record a-1 used", "add /repo-agents-1/a-1"]);
  expect(again.now.worktree).toEqual({ ...place, from: "0ld", state: "used" });
});

it("starts at its parent's commit, and restores a worktree that was removed because it was empty", async () => {
  const parent = aRecord({ isolation: "worktree", worktree: { ...place, state: "removed" }, state: "completed" });
  const nested = await begun(aRecord({ id: "a-2", parent: "a-1", isolation: "worktree" }), [parent]);
  expect(nested.calls[0]).toBe("head of /repo-agents-1/a-1");
  const plain = await begun(aRecord({ id: "a-3", parent: "a-1" }), [parent]);
  expect(plain.calls).toEqual(["add /repo-agents-1/a-1", "record a-1 kept"]);
  expect((await begun(aRecord())).calls).toEqual([]);
});

it("says at the end of its report what happened to the worktree", async () => {
  const record = aRecord({ state: "completed", report: "Done.", worktree: { ...place, state: "used" } });
  const of = async (kept: string | Error | undefined, change: Partial<AgentRecord> = {}, underWay: AgentRecord[] = []) => {
    const worktrees = asked(kept);
    const { find } = recordsOf([record, ...underWay]);
    const { report, worktree } = await settled({ ...record, ...change }, { worktrees, underWay, find });
    return [worktree?.state, report?.split("\n\n").at(-1), worktrees.calls.length];
  };
  const kept = (why: string) =>
    `[Its worktree /repo-agents-1/a-1, branch tool/agents-1/a-1, is kept: ${why}. Nothing of it is in your working tree. The person looks at it and takes it with: tool changes a-1, tool take a-1]`;
  expect(await of(undefined)).toEqual(["removed", "[It changed nothing in its worktree, which is removed.]", 1]);
  expect(await of("it has 1 file not committed")).toEqual(["kept", kept("it has 1 file not committed"), 1]);
  expect(await of(new Error("git took too long"))).toEqual(["kept", kept("git took too long"), 1]);
  expect(await of(undefined, { state: "needs_permission" })).toEqual(["kept", kept("it waits for a permission"), 0]);
  expect(await of(undefined, {}, [aRecord({ id: "a-2", parent: "a-1", state: "running" })])).toEqual([
    "kept",
    kept("agents work in it"),
    0,
  ]);
  expect(await of(undefined, { worktree: undefined })).toEqual([undefined, "Done.", 0]);
});
