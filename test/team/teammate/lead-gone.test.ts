import { describe, expect, it } from "vitest";
import { removeResult, writeResult } from "../../../src/team/lead/result.ts";
import { writeStatus } from "../../../src/team/member-files.ts";
import type { MemberStatus } from "../../../src/team/report/status.ts";
import { leadGone } from "../../../src/team/teammate/lead-gone.ts";
import { ports, temporaryTeam } from "../../board/temporary-team.ts";

const at = (seconds: number) => new Date(seconds * 1000);

function lead(pid: number): MemberStatus {
  const zero = { turns: 0, tokens: 0, cached_tokens: 0, cost_usd: 0 };
  return { name: "lead", pid, start: "1", nonce: "", session: "", state: "idle", task: null, doing: "", since: "", ...zero };
}

describe("leadGone()", () => {
  it("counts from the first recorded look, separately for each lead", () => {
    using team = temporaryTeam();
    const { layout } = team.board;
    const look = (seconds: number, note: boolean) => leadGone(ports.disk, layout, { now: at(seconds), note });
    writeStatus(ports.disk, layout, lead(7));
    const first = [look(1, false), look(2, true), look(60, true), look(90, false)];
    writeStatus(ports.disk, layout, lead(8));
    expect([...first, look(100, true), look(110, true)]).toEqual(
      [1, 2, 2, 2, 100, 100].map((seconds) => ({ kind: "lost", at: at(seconds) })),
    );
  });

  it("knows a lead that ended by itself, and one that never was", () => {
    using team = temporaryTeam();
    const { layout } = team.board;
    const look = () => leadGone(ports.disk, layout, { now: at(1), note: true }).kind;
    const never = look();
    writeStatus(ports.disk, layout, lead(7));
    const report = {
      team: "atlas",
      tasks: [],
      completed: 0,
      members: [],
      ms: 1,
      tokens: 0,
      cached_tokens: 0,
      cost_usd: 0,
      blocks: [],
      ends: [],
      permission_denials: [],
      failures: [],
    };
    writeResult(ports.disk, layout, { code: 0, report, end: { how: "completed", stalled: [] } });
    const ended = look();
    removeResult(ports.disk, layout);
    expect([never, ended, look()]).toEqual(["ended", "ended", "lost"]);
  });

  it("treats an unreadable note as absent", () => {
    using team = temporaryTeam();
    const { layout } = team.board;
    writeStatus(ports.disk, layout, lead(7));
    ports.disk.replace(`${layout.member("lead")}/gone.json`, "{");
    expect(leadGone(ports.disk, layout, { now: at(5), note: true })).toEqual({ kind: "lost", at: at(5) });
  });
});
