// Which team a command refers to, and which member it acts as.
import { describe, expect, it } from "vitest";
import {
  actorNamed,
  allTeams,
  commaList,
  openTeam,
  openTeamIfAny,
  openTeamToSee,
  teamFolders,
  teamNamed,
} from "../../../src/app/team/open-team.ts";
import { appendEvent } from "../../../src/board/log.ts";
import { refusalOf } from "../memory-world.ts";
import { teamsRoot, teamWorld } from "./team-world.ts";

/** The named teams, each with its working directory; those in `live` have a running lead. */
function place(teams: Record<string, string>, live: string[] = []) {
  const here = teamWorld({ living: [7] });
  for (const [name, cwd] of Object.entries(teams)) {
    const board = here.team(name, { cwd });
    here.clock.advance(1_000);
    if (live.includes(name)) here.lock.held.set(board.layout.claim("lead"), { kind: "alive", pid: 7 });
  }
  return here;
}

describe("openTeam()", () => {
  it("opens the named team", async () => {
    const { world } = place({ atlas: "/repo", birch: "/repo" });
    expect((await openTeam(world, "birch")).record.name).toBe("birch");
  });

  it("opens the only one of this folder without a name, or the newest of it that runs", async () => {
    expect((await openTeam(place({ atlas: "/repo", birch: "/elsewhere" }, ["birch"]).world, undefined)).record.name).toBe("atlas");
    const teams = { atlas: "/repo", birch: "/repo", cedar: "/repo", dune: "/elsewhere" };
    expect((await openTeam(place(teams, ["atlas", "birch", "dune"]).world, undefined)).record.name).toBe("birch");
  });

  it("opens a team of any folder of the same repository, and not one of a repository inside it", async () => {
    const { world, disk } = place({ atlas: "/repo/packages/app" }, ["atlas"]);
    disk.files.set("/repo/.git/HEAD", "");
    expect((await openTeam(world, undefined)).record.name).toBe("atlas");
    disk.files.set("/repo/packages/app/.git/HEAD", "");
    expect(await refusalOf(openTeam(world, undefined))).toContain("This folder has no team.");
  });

  it("acts on no team of another folder that is not named, and says which run where", async () => {
    expect(await refusalOf(openTeam(place({ atlas: "/other", birch: "/elsewhere" }, ["birch"]).world, undefined))).toBe(
      "This folder has no team. Running elsewhere: birch in /elsewhere. To mean one, name it: --team birch",
    );
    expect(await refusalOf(openTeam(place({ atlas: "/elsewhere" }).world, undefined))).toBe(
      "This folder has no team. Name one with --team. None of them is running: atlas in /elsewhere.",
    );
  });

  it("names the teams if none is meant", async () => {
    const { world } = place({ atlas: "/repo", birch: "/repo" });
    expect(await refusalOf(openTeam(world, "cedar"))).toBe('There is no team "cedar". The teams are atlas, birch.');
    expect(await refusalOf(openTeam(world, undefined))).toBe("Which team? Name it with --team. None of them is running: atlas, birch.");
    expect(await refusalOf(openTeam(place({}).world, undefined))).toBe(
      'There are no teams yet. Start one: TOOL_EXPERIMENTAL_AGENT_TEAMS=1 tool team "what to do"',
    );
  });

  it("does not mean a demo that has ended, unless it is named", async () => {
    const here = place({ atlas: "/repo" });
    here.team("demo", { cwd: "/gone", options: { demo: true } });
    expect((await openTeam(here.world, undefined)).record.name).toBe("atlas");
    expect((await openTeam(here.world, "demo")).record.name).toBe("demo");
    const alone = teamWorld();
    alone.team("demo", { options: { demo: true } });
    expect(await refusalOf(openTeam(alone.world, undefined))).toBe("No team is running. To look at the demo that has ended: --team demo");
    expect((await openTeamToSee(alone.world, "demo")).record.name).toBe("demo");
  });

  it("says what is wrong with its record", async () => {
    const { world, disk } = place({ atlas: "/repo" });
    disk.files.set(`${teamsRoot}/atlas/team.json`, "{");
    expect(await refusalOf(openTeam(world, "atlas"))).toContain(`${teamsRoot}/atlas/team.json`);
    expect(await refusalOf(openTeam(world, undefined))).toContain(`${teamsRoot}/atlas/team.json`);
  });
});

describe("openTeamToSee()", () => {
  it("opens the newest team of this folder if none runs, and says so", async () => {
    const { world, err, disk, clock } = place({ atlas: "/repo", birch: "/repo", cedar: "/elsewhere" });
    appendEvent(disk, `${teamsRoot}/atlas/log/events.jsonl`, { kind: "team_created", by: "user", at: clock.now().toISOString() });
    expect((await openTeamToSee(world, undefined)).record.name).toBe("atlas");
    expect(err()).toBe("tool: no team is running. This is team atlas, the newest of this folder.\n");
  });

  it("opens a running team of another folder if this one has none, and names its folder", async () => {
    const { world, err } = place({ atlas: "/other", birch: "/elsewhere" }, ["birch"]);
    expect((await openTeamToSee(world, undefined)).record.name).toBe("birch");
    expect(err()).toBe("tool: this folder has no team. This is team birch, which runs in /elsewhere.\n");
  });

  it("says that none of this folder runs when one does elsewhere", async () => {
    const { world, err } = place({ atlas: "/repo", birch: "/repo", cedar: "/elsewhere" }, ["cedar"]);
    expect((await openTeamToSee(world, undefined)).record.cwd).toBe("/repo");
    expect(err()).toMatch(/^tool: no team of this folder is running\. This is team \w+, the newest of this folder\.\n$/);
  });

  it("prefers a team of this folder to a running one of another", async () => {
    const { world, err } = place({ atlas: "/repo", birch: "/elsewhere" }, ["birch"]);
    expect([(await openTeamToSee(world, undefined)).record.name, err()]).toEqual(["atlas", ""]);
  });

  it("opens the only team there is", async () => {
    const { world, err } = place({ atlas: "/elsewhere" });
    expect((await openTeamToSee(world, undefined)).record.name).toBe("atlas");
    expect(err()).toBe("tool: this folder has no team. This is team atlas, which is not running, of /elsewhere.\n");
  });
});

it("openTeamIfAny() is content with none, unless one runs elsewhere", async () => {
  expect(await openTeamIfAny(place({ atlas: "/repo", birch: "/repo" }).world, undefined)).toBeUndefined();
  expect((await openTeamIfAny(place({ atlas: "/repo" }).world, undefined))?.record.name).toBe("atlas");
  expect(await refusalOf(openTeamIfAny(place({ atlas: "/elsewhere" }, ["atlas"]).world, undefined))).toContain("--team atlas");
});

it("a folder without a record is no team, and one that is being deleted is neither", async () => {
  const { world, disk } = place({ atlas: "/repo" });
  disk.files.set(`${teamsRoot}/ruin/tasks.json`, "");
  disk.files.set(`${teamsRoot}/.deleted-birch/team.json`, "");
  expect((await allTeams(world)).map(({ board }) => board.name)).toEqual(["atlas"]);
  expect((await teamFolders(world)).map(({ board }) => board.name)).toEqual(["atlas", "ruin"]);
});

it("a team is named once", () => {
  expect([
    teamNamed("atlas", undefined),
    teamNamed(undefined, "atlas"),
    teamNamed("atlas", "atlas"),
    teamNamed(undefined, undefined),
  ]).toEqual(["atlas", "atlas", "atlas", undefined]);
  expect(() => teamNamed("atlas", "birch")).toThrow('Which team, "atlas" or "birch"? Name it once.');
});

it("an actor is the person or a member", async () => {
  const { record } = await openTeam(place({ atlas: "/repo" }).world, "atlas");
  expect([actorNamed("user", record), actorNamed("lead", record), actorNamed("ann", record)]).toEqual([
    { name: "user", role: "user" },
    { name: "lead", role: "lead" },
    { name: "ann", role: "teammate" },
  ]);
  expect(() => actorNamed("cy", record)).toThrow(
    'Cannot act as "cy": team atlas has no such member. Its members are lead, ann, bo; user is you.',
  );
});

it.each([
  ["", []],
  ["a", ["a"]],
  [" a, b ", ["a", "b"]],
])("commaList(%j)", (text, list) => {
  expect(commaList(text)).toEqual(list);
});
