// Skills that every session has without a file. A person types /init or /review; models do not use them by themselves.
import { createHash } from "node:crypto";
import type { Skill } from "./skill.ts";

const initBody = `Write down in AGENTS.md, in the root of this repository, what every agent that works here needs and cannot guess. $ARGUMENTS

Look first, and take in only what you have found: README, package.json or Makefile and the like, CI files, the layout of the folders, tests, instructions for other tools (CLAUDE.md, .cursorrules, .github/copilot-instructions.md).

- The commands for build, tests (all of them, and a single one), lint and types, exactly as they are run here.
- What lies where, in a few lines, and what depends on what.
- Conventions that differ from what is usual for this language.
- What must not be touched, and what easily goes wrong.

No general advice, nothing that the code says at a glance, no secret, at most 60 lines.

If there is an AGENTS.md, extend it with Edit: keep what people have written, and name what has become untrue before you change it. Else make it with Write. The person sees the change and answers before it is written; end with what you have left out.`;

const reviewBody = `Review a change, and change nothing yourself. What to review: $ARGUMENTS

Where nothing is named, it is everything that is not committed: git status, git diff HEAD, and the files that git does not have yet. A branch is compared with the point where it left the main branch (git diff main...branch); a commit is git show.

Read around each change: who calls it, which tests cover it, what it does with empty, huge, wrong and repeated input, when it fails half way, and when two do it at once.

Report faults, the worst first: path:line, what is wrong, the input or the state that shows it, and how to mend it. Leave out taste and praise. Then say what you looked at and what you did not. Where you found nothing, say so.`;

type Given = Pick<Skill, "name" | "description" | "body"> & Partial<Skill>;

const builtIn = (given: Given): Skill => ({
  context: "inline",
  byModel: false,
  byPerson: true,
  kind: "command",
  scope: "built-in",
  file: "built-in",
  sha256: createHash("sha256").update(given.body).digest("hex"),
  bytes: Buffer.byteLength(given.body),
  ...given,
});

/** A skill file with the same name replaces the built-in one. */
export const builtInSkills: readonly Skill[] = [
  builtIn({
    name: "init",
    description: "write or extend AGENTS.md, which you see before it is written",
    argumentHint: "[what matters]",
    body: initBody,
  }),
  builtIn({
    name: "review",
    description: "review what is not committed, or a branch or commit",
    argumentHint: "[branch or commit]",
    allowedTools: [
      "Read",
      "Glob",
      "Grep",
      ...["status", "diff", "log", "show", "merge-base", "branch", "ls-files"].map((verb) => `Bash(git ${verb} *)`),
    ],
    needsGit: true,
    body: reviewBody,
  }),
];
