// The flags of a team that its record stores for a resume.
import { expect, it } from "vitest";
import { flagsOfResume, keptOptions } from "../../../src/team/resume/kept-options.ts";

const flags = {
  model: "large",
  effort: "low",
  fallbackModel: "small",
  permissionMode: "acceptEdits",
  allow: ["Bash(npm test)"],
  deny: ["Read(secrets/**)"],
  addDir: ["../lib"],
  settings: ["ci.json"],
  maxTurns: 20,
  budgetUsd: 5,
  teammates: 3,
  leadMayEdit: true,
} as const;
const asFlags = { ...flags, allow: [...flags.allow], deny: [...flags.deny], addDir: [...flags.addDir], settings: [...flags.settings] };
const nothing = { allow: [], deny: [] };

it("a resume keeps the options that the team was started with", () => {
  const kept = JSON.parse(JSON.stringify({ where: "beside", ...keptOptions(asFlags) }));
  expect(flagsOfResume(nothing, kept)).toEqual({ ...asFlags, script: undefined });
});

it("options of the resume take precedence, and rules are combined", () => {
  const now = { model: "small", budgetUsd: 9, allow: ["Edit", "Bash(npm test)"], deny: [] };
  expect(flagsOfResume(now, keptOptions(asFlags))).toMatchObject({
    model: "small",
    budgetUsd: 9,
    maxTurns: 20,
    allow: ["Bash(npm test)", "Edit"],
    deny: ["Read(secrets/**)"],
  });
});

it("a record without options, or with invalid ones, leaves the flags unchanged", () => {
  const empty = { allow: [], deny: [], addDir: [], settings: [] };
  expect(flagsOfResume({ ...nothing, model: "small" }, { where: "beside" })).toMatchObject({ ...empty, model: "small" });
  expect(flagsOfResume(nothing, { allow: "all", budget_usd: "5", permission_mode: "none" })).toMatchObject(empty);
});
