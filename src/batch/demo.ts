// The demo of batches: a scripted one works for real on a scratch copy of a small program, with a forge of its own on this machine.

export const batchDemo = {
  repository: "fixtures/repos/order-desk",
  script: "fixtures/scripts/batch.yaml",
  instruction: "Move every module of this repository to one logger.",
  /** Where nobody can approve the plan; a person who does grants exactly the test commands that it shows. */
  allow: ["Bash(node --test:*)"],
  notice:
    "The replies of these agents are scripted: no model, no key, no network. Everything else is real: worktrees, files, tests, commits, pushes to a bare repository, and pull requests at a forge on this machine.",
} as const;

export type DemoForge = {
  /** Variables by which the program finds it. */
  env: Record<string, string>;
  /** The pull requests that are open there. */
  pulls(): { head: string; base: string; title: string }[];
  close(): Promise<void>;
};
