// The table of marks: the example of each row, similar commands that are not marked, and marked ones inside wrappers.
import { describe, expect, it } from "vitest";
import { effectsOf, marksOf } from "../../../src/shell/uses/marks.ts";
import { markRows } from "../../../src/shell/uses/marks-table.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const effects = (text: string) => [...new Set(analyseCommand(text).commands.flatMap((command) => [...effectsOf(command)]))];
const marked = (text: string) => [...new Set(analyseCommand(text).commands.flatMap(marksOf))].sort();

describe("the table of marks", () => {
  it.each(markRows.map(([command, uses, list, example]) => [example, list, `${command} ${uses}`] as const))(
    "%s has the effects of its line",
    (example, list) => {
      expect(effects(example)).toEqual(expect.arrayContaining(list));
    },
  );

  it.each(["rm -rf src && git push --force", "sh -c 'rm -rf src; git push -f'", "sudo rm -rf src | xargs git push origin +main"])(
    "%s deletes, overwrites history and sends",
    (text) => expect(marked(text)).toEqual(["deletes", "overwrites history", "sends"]),
  );

  it.each([
    ["find . -name '*.tmp' | xargs rm", ["deletes"]],
    ["env -i /bin/rm -r src", ["deletes"]],
    ["git -C sub push origin main", ["sends"]],
    ["/usr/lib/git-core/git-push origin +main", ["overwrites history", "sends"]],
    ["python3 -m twine upload dist/*", ["sends"]],
    ["npm --prefix web publish", ["sends"]],
    ["git clean -xdf", ["deletes"]],
    ["git push --forc", ["overwrites history", "sends"]],
    ["$RM -rf src", []],
  ])("%s has the marks %s", (text, wanted) => expect(marked(text)).toEqual(wanted));

  it.each([
    "git status",
    "git reset HEAD src/a.ts",
    "git restore --staged src/a.ts",
    "git clean -nd",
    "git stash list",
    "git commit -m 'delete --amend'",
    "git checkout main",
    "git checkout -b feature origin/main",
    "git rm --cached src/a.ts",
    "rsync -a src/ copy/",
    "find . -name '*.log'",
    "npm test",
    "npm run build",
    "echo rm -rf src",
  ])("%s has no mark", (text) => expect(marked(text)).toEqual([]));

  it.each([
    ...["merge", "rebase", "cherry-pick", "revert", "am"].flatMap((verb) => [`git ${verb} --abort`, `git ${verb} --quit`]),
    "git rebase --skip",
    "git apply --reverse a.patch",
  ])("%s may lose work", (text) => expect(effects(text)).toContain("loses work"));

  it.each(["git merge --continue", "git rebase main", "git apply a.patch"])("%s loses none", (text) =>
    expect(effects(text)).not.toContain("loses work"),
  );

  it.each([
    "git checkout HEAD~1 -- src",
    "git checkout HEAD~1 src/a.ts",
    "git checkout .",
    "git checkout src/",
    "git checkout 'src/*.ts'",
    "git restore src/a.ts",
  ])("%s deletes, and loses its files", (text) => expect(effects(text)).toEqual(expect.arrayContaining(["deletes", "loses its files"])));

  it.each(["git stash", "git stash pop"])("%s loses work", (text) => expect(effects(text)).toContain("loses work"));

  it.each([
    "git checkout main",
    "git switch -c x",
    "git branch feature",
    "git reset --soft HEAD~1",
    "git stash list",
    "rmdir build",
    "rm a.txt",
  ])("%s does not lose work by itself", (text) => expect(effects(text)).not.toContain("loses work"));

  it.each(["npm run build", "git clone ../other copy", "git log", "pip list", "go build ./...", "yarn test", "cargo build"])(
    "%s does not need the network",
    (text) => expect(effects(text)).not.toContain("network"),
  );
});
