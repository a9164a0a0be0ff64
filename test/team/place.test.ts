import { describe, expect, it } from "vitest";
import type { TeamRecord } from "../../src/board/team-record.ts";
import { handlesOf, isPlaceKnown, panesAfter, placeOf, type TmuxHandle } from "../../src/team/place.ts";

const pane = (id: string): TmuxHandle => ({ kind: "tmux", socket: "/s", serverPid: 1, serverStart: "1", pane: id, panePid: 2, owner: "o" });
const log = { kind: "plain", process: { machine: "", boot: "", namespace: "", pid: 1, start: "" }, log: "/ada.log" };

function record(where: unknown, displays: Record<string, unknown>): TeamRecord {
  const member = (name: string) => ({ name, role: name === "lead" ? ("lead" as const) : ("teammate" as const), display: displays[name] });
  return { name: "atlas", cwd: "/", lead: "lead", members: ["lead", "ada", "bo"].map(member), created_at: "", options: { where } };
}

describe("placeOf()", () => {
  it("shows the lead's pane first, but where the lead only prints", () => {
    const displays = { lead: pane("%0"), ada: pane("%1"), bo: pane("%2") };
    const shown = (where: string) => {
      const place = placeOf(record(where, displays));
      return place.kind === "tmux" ? place.panes.map((handle) => handle.pane) : place.kind;
    };
    expect([shown("private"), shown("beside"), shown("detached")]).toEqual([
      ["%0", "%1", "%2"],
      ["%0", "%1", "%2"],
      ["%1", "%2", "%0"],
    ]);
  });

  it("knows the lead's own pane where the display is inside it, and the log files where there is none", () => {
    expect([
      placeOf(record("lead", { lead: pane("%7"), ada: { kind: "pty", pid: 1, id: "x" } })),
      placeOf(record("logs", { ada: log })),
      placeOf(record("tabs", {})),
    ]).toEqual([{ kind: "lead", panes: [pane("%7")] }, { kind: "logs", files: ["/ada.log"] }, { kind: "tabs" }]);
  });

  it("is absent for a team without processes, and for unknown kinds", () => {
    expect([placeOf(record(undefined, {})), placeOf(record("hologram", {}))]).toEqual([{ kind: "nowhere" }, { kind: "nowhere" }]);
  });
});

describe("handlesOf()", () => {
  it("leaves out what is no handle", () => {
    expect(handlesOf(record("beside", { ada: pane("%1"), bo: { kind: "tmux", pane: "%2" } }))).toEqual([
      { name: "ada", role: "teammate", handle: pane("%1") },
    ]);
  });
});

it("panesAfter() goes around the team, and leaves out members that have ended or are in no pane", () => {
  const team = record("beside", { lead: pane("%0"), ada: pane("%1"), bo: pane("%2") });
  const after = (name: string, members = team.members) => panesAfter({ ...team, members }, name).map((handle) => handle.pane);
  const adaEnded = team.members.map((member) => (member.name === "ada" ? { ...member, ended: { how: "stopped", at: "" } } : member));
  expect([after("lead"), after("ada"), after("bo"), after("lead", adaEnded), panesAfter(record("logs", { ada: log }), "lead")]).toEqual([
    ["%1", "%2"],
    ["%2", "%0"],
    ["%0", "%1"],
    ["%2"],
    [],
  ]);
});

it("isPlaceKnown() accepts a pane only with this process in it", () => {
  const shown = record("beside", { ada: pane("%1") });
  const logged = record("logs", { bo: log });
  expect([
    isPlaceKnown(shown, "ada", 2),
    isPlaceKnown(shown, "ada", 3),
    isPlaceKnown(shown, "bo", 2),
    isPlaceKnown(logged, "bo", 9),
  ]).toEqual([true, false, false, true]);
});
