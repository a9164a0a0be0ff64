// /config in a session: what somebody has set, and the rest by name.
import { expect, it } from "vitest";
import { configText } from "../../../src/app/settings/config.ts";
import { openSettings } from "../../../src/app/settings/open-settings.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { memoryWorld } from "../memory-world.ts";

it("shows the settings that somebody has set, how many others there are, and those with that beginning", async () => {
  const { world } = memoryWorld({ files: { "/home/me/.tool/settings.json": JSON.stringify({ model: "opus" }) } });
  const settings = await openSettings(world, {});
  const shown = (name: string) => configText(settings, world, { style: createStyle({ NO_COLOR: "1" }), name }).text.split("\n");
  const [head, help, rest, ...more] = shown("");
  expect([head, help, more]).toEqual([
    'model  "opus"  ~/.tool/settings.json',
    "    The model that answers, by its name or as opus, sonnet or haiku",
    [],
  ]);
  expect(rest).toMatch(/^\d\d other settings as by default: \/config and the beginning of a name, such as \/config sandbox$/);
  expect(shown("sandbox.").filter((line) => line.startsWith("sandbox.")).length).toBeGreaterThan(3);
});
