// Git may print a tracked file with secrets only after a question, on a real repository.
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { trackedFiles } from "../../../../src/edge/git/repository/tracked-files.ts";
import { outliers } from "../../../../src/edge/shell/outliers.ts";
import { isSensitiveName } from "../../../../src/permissions/paths/places.ts";
import { permit } from "../../../../src/permissions/permit.ts";
import { makePolicy } from "../../../../src/permissions/policy.ts";
import { scratchFolder } from "../../../scratch.ts";

const prints = [
  "git diff",
  "git diff HEAD~1",
  "git show",
  "git show HEAD",
  "git log -p -1",
  "git log --stat -p",
  "git grep KEY",
  "git stash show -p",
  "git diff -- web",
  "git log --oneline | head -3; git diff | cat",
];
const looks = [
  "git status; git log --oneline -5",
  "git diff --stat",
  "git diff --name-only HEAD",
  "git show --stat",
  "git show HEAD:src/a.ts",
  "git log -5",
  "git grep -l KEY",
  "git diff -- src",
  "git log -p -- src/a.ts",
  "git blame src/a.ts",
];

it.each([
  ["tracked", prints],
  ["ignored", []],
])("git may print a file with secrets only after a question if it is %s", async (kind, expected) => {
  const top = realpathSync(scratchFolder());
  for (const folder of ["web", "src"]) mkdirSync(join(top, folder));
  for (const [name, text] of Object.entries({ "web/.env": "KEY=1", "src/a.ts": "KEY", ".gitignore": kind === "ignored" ? ".env\n" : "" }))
    writeFileSync(join(top, name), text);
  execFileSync("git", ["init", "-q"], { cwd: top });
  execFileSync("git", ["add", "-A"], { cwd: top });
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: top, home: "/home/me", configDir: "/home/me/.tool" }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = { ...made.policy, outliers: outliers([top], isSensitiveName) };
  const may = permit({ policy, real, ask: undefined, tracked: trackedFiles });
  const allowed = await Promise.all(
    [...prints, ...looks].map((command) => may({ tool: "Bash", input: { command } }, new AbortController().signal)),
  );
  expect([...prints, ...looks].filter((_, at) => !allowed[at]!.allowed)).toEqual(expected);
});
