// The batch demo: a scripted batch that really runs, on a scratch copy of a small program and with a local forge.

export const batchDemo = {
  repository: "fixtures/repos/order-desk",
  script: "fixtures/scripts/batch.yaml",
  instruction: "Move every module of this repository to one logger.",
  /** Needed only where nobody can approve the plan; a person's approval grants exactly the test commands of the plan. */
  allow: ["Bash(node --test:*)"],
  notice:
    "The replies of these agents are scripted: no model, no key, no network. Everything else is real: worktrees, files, tests, commits, pushes to a bare repository, and pull requests at a forge on this machine.",
} as const;

export type DemoForge = {
  /** The variables through which the program finds the forge. */
  env: Record<string, string>;
  /** The open pull requests at the forge. */
  pulls(): { head: string; base: string; title: string }[];
  close(): Promise<void>;
};
