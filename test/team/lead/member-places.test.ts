import { expect, it } from "vitest";
import type { Display } from "../../../src/team/display/display.ts";
import { memberPlaces } from "../../../src/team/lead/member-places.ts";

const clock = { sleep: async () => {} };
const pane = (id: string) => ({ kind: "iterm2" as const, session: id });

it("a title that takes long to show never replaces the one that came after it", async () => {
  const shown: string[] = [];
  const waiting: (() => void)[] = [];
  const label: Display["label"] = async (_handle, text) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    shown.push(text);
  };
  const places = memberPlaces({ display: { label } as Display, clock }, () => ({ name: "ada", role: "teammate", display: pane("a") }));
  const working = places.label("ada", "ada ▶ working");
  const idle = places.label("ada", "ada · idle");
  for (let index = 0; index < 2; index++) {
    waiting.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all([working, idle]);
  expect(shown).toEqual(["ada ▶ working", "ada · idle"]);
});

it("shows a title again at a new place, and after the display has refused it, and not without need", async () => {
  const shown: string[] = [];
  let place: unknown;
  let refuses = false;
  const label: Display["label"] = async (handle, text) => {
    if (refuses) throw new Error("no such pane");
    shown.push(`${(handle as { session: string }).session} ${text}`);
  };
  const places = memberPlaces({ display: { label } as Display, clock }, () => ({ name: "ada", role: "teammate", display: place }));
  await places.label("ada", "idle");
  place = pane("a");
  await places.label("ada", "idle");
  await places.label("ada", "idle");
  place = pane("b");
  refuses = true;
  await expect(places.label("ada", "idle")).rejects.toThrow("no such pane");
  refuses = false;
  await places.label("ada", "idle");
  expect(shown).toEqual(["a idle", "b idle"]);
});
