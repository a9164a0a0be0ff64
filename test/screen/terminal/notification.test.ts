import { expect, it } from "vitest";
import { notification } from "../../../src/screen/terminal/notification.ts";

it.each([
  ["xterm-256color", "\x1b]9;Agent ada: completed\x07\x07"],
  ["foot-extra", "\x1b]777;notify;tool;Agent ada: completed\x07\x07"],
])("notifies with a text and the bell: %s", (term, bytes) => {
  expect(notification("Agent ada: completed", term)).toBe(bytes);
});

it("does not let a text end, split or change it", () => {
  const bytes = notification("4;1;\x07\x1b]2;mine\u202e\n", "xterm");
  expect(bytes.slice(4, -2)).not.toMatch(/[;\p{Cc}\u202e]/u);
  expect([bytes.startsWith("\x1b]9;"), bytes.endsWith("\x07\x07")]).toEqual([true, true]);
});
