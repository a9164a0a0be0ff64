import { expect, it } from "vitest";
import { type SessionStatus, sessionStatusTable } from "../../../src/screen/commands/session-status.ts";
import { createStyle } from "../../../src/screen/style.ts";

const status: SessionStatus = {
  version: "1.2.3",
  id: "7f3a1c2e-0000",
  folder: "/repo",
  model: "claude-sonnet-5-5",
  effort: "default",
  mode: "acceptEdits",
  sandbox: "on, network off",
  settings: ["/home/me/.tool/settings.json", "/repo/.tool/settings.json"],
  repository: "untrusted",
  instructions: [],
  turns: 1,
  costUsd: 0.02,
};

it("/status says where the session works, with which model and by which settings", () => {
  const { text, hang } = sessionStatusTable(status, createStyle({ NO_COLOR: "1" }));
  expect([text.split("\n")[1]?.slice(hang), hang]).toEqual(["/repo", 16]); // where a long value continues
  expect(text.split("\n")).toEqual([
    "  session       7f3a1c2e, 1 turn, $0.02, tool 1.2.3",
    "  folder        /repo",
    "  model         claude-sonnet-5-5, effort default",
    "  mode          acceptEdits",
    "  sandbox       on, network off",
    "  settings      /home/me/.tool/settings.json, /repo/.tool/settings.json",
    "  repository    its settings may only restrict, since you have not trusted them",
    "  instructions  none",
  ]);
});

it.each([
  ["trusted", "its settings are trusted"],
  ["empty", "has no settings, agents or skills to trust"],
] as const)("/status says of a repository that is %s: %s", (repository, words) => {
  expect(sessionStatusTable({ ...status, repository }, createStyle({ NO_COLOR: "1" })).text).toContain(`\n  repository    ${words}\n`);
});
