import { describe, expect, it } from "vitest";
import { mainColumns, nextPlace, roomBesideLead } from "../../../../src/edge/display/tmux/layout.ts";
import type { Pane, Window } from "../../../../src/edge/display/tmux/panes.ts";

const window = (columns: number, rows: number, id = "@1"): Window => ({ id, columns, rows, mainWidth: "50%", titles: "top" });
const pane = (id: string, at: Window, owner = "team"): Pane => ({
  id,
  pid: 1,
  dead: false,
  status: "",
  signal: "",
  owner,
  session: "s",
  window: at,
});
const lead = (at: Window) => pane("%0", at, "");
const teammates = (count: number, at: Window) => Array.from({ length: count }, (_, index) => pane(`%${index + 1}`, at));
const place = (panes: Pane[], own: string | undefined = "%0") => nextPlace(panes, { lead: own, isOurs: ({ owner }) => owner === "team" });

describe("nextPlace()", () => {
  it("is beside the lead from 161 columns on, and stacks the others below the last", () => {
    const wide = window(161, 50);
    expect(place([lead(wide)])).toEqual({ kind: "split", beside: "%0", direction: "-h", layout: { kind: "main-vertical" } });
    expect(place([lead(wide), ...teammates(1, wide)])).toEqual({
      kind: "split",
      beside: "%1",
      direction: "-v",
      layout: { kind: "main-vertical" },
    });
  });

  it("is below the lead from 100 columns on, side by side", () => {
    const middle = window(160, 50);
    const layout = { kind: "main-horizontal", rows: 24 };
    expect(place([lead(middle)])).toEqual({ kind: "split", beside: "%0", direction: "-v", layout });
    expect(place([lead(middle), ...teammates(1, middle)])).toEqual({ kind: "split", beside: "%1", direction: "-h", layout });
    expect(place([lead(window(99, 50))])).toMatchObject({ kind: "window" });
    expect(place([lead(window(100, 50))])).toMatchObject({ kind: "split" });
  });

  it("opens a window if the lead's has no room for one more", () => {
    const wide = window(200, 50);
    const full = [1, 2, 3, 4].map((count) => place([lead(wide), ...teammates(count - 1, wide)]).kind);
    expect(full).toEqual(["split", "split", "split", "window"]);
    expect(place([lead(window(200, 12))])).toMatchObject({ kind: "window" });
  });

  it("splits no window that contains a pane of the user", () => {
    const shared = window(300, 80);
    expect(place([lead(shared), pane("%9", shared, "")])).toEqual({ kind: "window", namedAfter: "team" });
    const teams = window(300, 80, "@2");
    expect(place([lead(shared), pane("%9", shared, ""), pane("%3", teams)])).toEqual({
      kind: "split",
      beside: "%3",
      direction: "-v",
      layout: { kind: "tiled" },
    });
  });

  it("shares windows among teammates as long as each keeps 80 columns and 12 rows", () => {
    const narrow = window(100, 60);
    const places = [1, 2, 3, 4].map((count) => place(teammates(count, narrow), undefined));
    expect(places.map((one) => (one.kind === "split" ? one.layout.kind : one.kind))).toEqual([
      "tiled",
      "even-vertical",
      "even-vertical",
      "window",
    ]);
    expect(place(teammates(1, window(79, 60)), undefined)).toEqual({ kind: "window", namedAfter: "teammate" });
  });
});

it.each([
  ["50%", 200, 99],
  ["33%", 101, 33],
  ["90", 200, 90],
])("mainColumns() reads %s of %i columns", (mainWidth, columns, wanted) =>
  expect(mainColumns({ ...window(columns, 50), mainWidth })).toBe(wanted),
);

it("roomBesideLead() counts the teammates in view", () => {
  const sizes = [window(80, 24), window(100, 30), window(120, 40), window(160, 45), window(161, 45), window(200, 30)];
  expect(sizes.map(roomBesideLead)).toEqual([0, 2, 2, 3, 3, 2]);
});
