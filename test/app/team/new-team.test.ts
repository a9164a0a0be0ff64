// A new team's name, its record, and the options with which its lead starts.
import { describe, expect, it } from "vitest";
import { leadGraceOf, leadLaunch, newTeam } from "../../../src/app/team/new-team.ts";
import type { Flags, Run } from "../../../src/app/team/team-run.ts";
import { readTeamRecord } from "../../../src/board/team-record.ts";
import { refusalOf } from "../memory-world.ts";
import { teamsRoot, teamWorld } from "./team-world.ts";

const flags: Flags = { outputFormat: "text", allow: ["Read"], deny: ["Bash"], model: "haiku", teammates: 2, display: "in-process" };
const choice = { ok: true, mode: "plain", where: "logs", why: "" } as Run["choice"];
const run = (more: Partial<Run> = {}): Run => ({ prompt: "Do it", flags, choice, attended: true, cwd: "/repo", ...more });

describe("newTeam()", () => {
  it("takes the first free name, and records what a resume needs", async () => {
    const here = teamWorld();
    here.team("atlas");
    const launch = await newTeam(here.world, run());
    expect([launch.team, launch.name, launch.role, launch.prompt]).toEqual(["birch", "lead", "lead", "Do it"]);
    const read = readTeamRecord(here.disk, `${teamsRoot}/birch/team.json`);
    expect(read).toMatchObject({ ok: true, record: { cwd: "/repo", options: { where: "logs", lead_grace_ms: 120_000 } } });
  });

  it("numbers the names once all are taken", async () => {
    const here = teamWorld();
    const made: string[] = [];
    for (let count = 0; count < 13; count++) made.push((await newTeam(here.world, run())).team);
    expect([new Set(made).size, made[0], made[12]]).toEqual([13, "atlas", "atlas-2"]);
  });

  it("is called demo in a demo, whose lead ends by itself", async () => {
    const here = teamWorld();
    const launch = await newTeam(here.world, run({ flags: { ...flags, demo: true } }));
    expect([launch.team, launch.options.endWhenDone]).toEqual(["demo", true]);
    expect(readTeamRecord(here.disk, `${teamsRoot}/demo/team.json`)).toMatchObject({ record: { options: { demo: true } } });
  });

  it("takes the next name if another team was faster", async () => {
    const here = teamWorld();
    const publish = here.disk.publish.bind(here.disk);
    let isFirst = true;
    here.disk.publish = (temporary, path, text) => {
      if (isFirst && path.endsWith("/team.json")) {
        isFirst = false;
        here.team("atlas");
      }
      return publish(temporary, path, text);
    };
    expect((await newTeam(here.world, run())).team).toBe("birch");
  });

  const facts = { kind: "usable", root: "/repo", head: "abc", hasIdentity: true, changed: [], untracked: [], submodules: [], lfs: "none" };
  const withTrees = (change: object) => teamWorld({ edges: { repositoryFacts: async () => ({ ...facts, ...change }) as never } });

  it("begins worktrees at HEAD, and says what they will not have", async () => {
    const { world, err } = withTrees({ changed: ["a.ts"], untracked: ["b.ts"] });
    const { worktrees } = await newTeam(world, run({ flags: { ...flags, worktrees: true } }));
    expect(worktrees).toEqual({ id: "00010000", root: "/repo", base: "abc" });
    expect(err()).toBe("tool: 2 files are changed or new here, and not committed. Worktrees begin at HEAD, without that.\n");
  });

  it.each([
    [{ kind: "unusable", reason: "There is no repository." }, "--worktrees cannot be used: There is no repository. Nothing was started."],
    [{ hasIdentity: false }, /^--worktrees makes commits, and git has no author for them\./],
  ])("writes nothing if worktrees are not possible: %j", async (change, expected) => {
    const { world, disk } = withTrees(change);
    expect(await refusalOf(newTeam(world, run({ flags: { ...flags, worktrees: true } })))).toMatch(expected);
    expect(disk.names()).toEqual([]);
  });
});

describe("leadLaunch()", () => {
  const led = { team: "atlas", session: "s1", leadGraceMs: 5_000 };

  it("hands over the flags of the person, and no others", () => {
    const { world } = teamWorld({ env: { HOME: "/home/me", ANTHROPIC_API_KEY: "k" } });
    const launch = leadLaunch(world, run(), led);
    expect(launch).toMatchObject({ session: "s1", configDir: "/home/me/.tool", env: { HOME: "/home/me", ANTHROPIC_API_KEY: "k" } });
    expect(launch.options).toMatchObject({
      allow: ["Read"],
      deny: ["Bash"],
      model: "haiku",
      teammates: 2,
      display: "in-process",
      leadGraceMs: 5_000,
      attended: true,
      endWhenDone: false,
    });
    expect(launch).not.toHaveProperty("resumed");
  });

  it("ends by itself if nobody watches", () => {
    const launch = leadLaunch(teamWorld().world, run({ attended: false }), { ...led, resumed: { since: "2026-01-01T00:00:00.000Z" } });
    expect([launch.options.endWhenDone, launch.resumed]).toEqual([true, { since: "2026-01-01T00:00:00.000Z" }]);
  });
});

it.each([
  [{}, 120_000],
  [{ TOOL_LEAD_GRACE_SECONDS: "3" }, 3_000],
  [{ TOOL_LEAD_GRACE_SECONDS: "soon" }, 120_000],
])("leadGraceOf(%j) is %d ms", (env, expected) => {
  expect(leadGraceOf({ env })).toBe(expected);
  expect(leadGraceOf({ env: {} }, 7)).toBe(7);
});
