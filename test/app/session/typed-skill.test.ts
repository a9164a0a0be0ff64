import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { typedSkill } from "../../../src/app/session/typed-skill.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { isInRepository } from "../../../src/settings/files.ts";
import { builtInSkills } from "../../../src/skills/built-in.ts";
import { scratchFolder } from "../../scratch.ts";

const [init, review] = ["init", "review"].map((wanted) => builtInSkills.find(({ name }) => name === wanted)!);
const line = { text: "/x main", given: "main" };
const source = (name: string) => ({ kind: "skill", name, arguments: "main" });

it("refuses a review without a repository, but not other skills", () => {
  const outside = { cwd: "/home/me/notes", inRepository: false };
  expect(() => typedSkill(review!, line, outside)).toThrow(
    "/review needs a git repository, and /home/me/notes is not in one. Start in a repository, or make one here: git init",
  );
  expect(typedSkill(init!, line, outside)).toEqual({ source: source("init"), text: "/x main" });
});

it("gives a skill that limits the agent its own run, unless a separate agent does it", () => {
  const inside = { cwd: "/repo", inRepository: true };
  expect(typedSkill(review!, line, inside)).toEqual({ source: source("review"), text: "/x main", ownRun: true });
  expect(typedSkill({ ...review!, context: "fork" }, line, inside).ownRun).toBeUndefined();
});

it("finds the repository around a folder", () => {
  const folder = scratchFolder();
  const inner = join(folder, "a/b");
  mkdirSync(inner, { recursive: true });
  expect(isInRepository(disk, inner)).toBe(false);
  mkdirSync(join(folder, ".git"));
  expect([isInRepository(disk, inner), isInRepository(disk, folder)]).toEqual([true, true]);
});
