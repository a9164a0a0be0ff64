// Texts that consist of git's own work alone: what it notes and moves is what a person reads there.
import { expect, it } from "vitest";
import { isGitAlone } from "../../../src/agent/rewind/git-alone.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const isAlone = (command: string) => isGitAlone(analyseCommand(command), (program) => program === "planted");

it.each([
  "git rebase main",
  "git rebase --onto main HEAD~2 2>&1 | tail -5",
  "git add -A && GIT_EDITOR=true git rebase --continue",
  "git checkout --ours a.txt && git add a.txt && git cherry-pick --continue",
  "git commit -qm 'fix: x' && git push -u origin feature",
  "git merge --no-ff -m \"$(cat <<'EOF'\n--exec\nEOF\n)\" feature || git merge --abort",
  "cd sub && git pull --rebase origin main; git status --short",
  "git bisect start HEAD HEAD~5; git bisect good",
  "git fetch -p --all",
])("takes %s for it", (command) => expect(isAlone(command)).toBe(true));

it.each([
  "sh s.sh",
  "npm test && git rebase --continue",
  "git rebase -x 'sh s.sh' main",
  "git rebase main | planted",
  "git rebase $branch",
  "git -c core.editor=./e.sh rebase --continue",
  "GIT_SEQUENCE_EDITOR='sed -i 1d' git rebase -i main",
  "export GIT_EDITOR=./e.sh; git rebase --continue",
  "PATH=. git rebase main",
  "git rev-parse HEAD > .git/ORIG_HEAD; git rebase --abort",
  "git bisect run ./test.sh",
  "git update-ref refs/remotes/origin/x HEAD",
  "git push . feature:refs/remotes/origin/feature",
  "git fetch . +feature:refs/remotes/origin/feature",
  "git fetch --upload-pack=./evil.sh origin",
  "git merge -s mine feature",
  "git commit -m $words",
  "git constructor",
])("does not take %s for it", (command) => expect(isAlone(command)).toBe(false));
