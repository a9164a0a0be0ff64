import { expect, it } from "vitest";
import { fullView } from "../../../src/screen/questions/full-view.ts";
import { createStyle } from "../../../src/screen/style.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const text = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);

it.each([24, 32, 40, 66, 67, 100])("fullView() names the way back where it has %i columns", (width) => {
  const last = fullView(text, style).lines(width, 6).at(-1) ?? "";
  expect(last.slice(0, width)).toContain("q back");
});
