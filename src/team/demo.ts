// The demo: a scripted team works for real on a scratch copy of a small program whose tests fail. What is real and what is scripted is said plainly.

export const demo = {
  repository: "fixtures/repos/access-report",
  script: "fixtures/scripts/demo.yaml",
  prompt: "Make the test suite of this repository green.",
  teammates: 3,
  /** What the teammates may do without asking. Nobody is asked in the demo. */
  allow: [
    "Read",
    "Write",
    "Edit",
    "Glob",
    "Grep",
    "Bash(node --test)",
    "Bash(node --test:*)",
    "Bash(npm test)",
    "Bash(node bin/access-report.js:*)",
  ],
  notice:
    "The replies of this team are scripted: no model, no key, no network. Everything else is real: processes, files, tests, messages.",
} as const;

/** The same team with two of its hands at places, in worktrees: `tool demo places`. */
export const placesDemo = {
  prompt: "Make the test suite of this repository green, with hands at two places.",
  /** Each with the place of its hands. The lead starts the third, which works here. */
  teammate: [
    { name: "ada", place: "east" },
    { name: "bo", place: "west" },
  ],
} as const;

/** Two places on this machine, in a folder of the demo. */
export type DemoPlaces = {
  /** A file of settings that has them, by these names. */
  settings: string;
  /** Over ssh, or for the reason why not with processes. */
  how: { kind: "ssh" } | { kind: "processes"; why: string };
  /** Ends what still runs there. */
  end(): Promise<void>;
};

export const placesWords = ({ how }: Pick<DemoPlaces, "how">) =>
  how.kind === "ssh"
    ? "The places east and west are reached over ssh, each link in a network namespace of its own, without a network."
    : `The places east and west are processes on this machine, not reached over ssh: ${how.why}.`;

/** Each command is alone on its line, so that it can be copied. */
export const afterDemo = (command: string) => `Other demos:
  ${command} demo places
  ${command} demo coordinator
  ${command} demo batch
A team in a repository of yours, with ANTHROPIC_API_KEY set:
  TOOL_EXPERIMENTAL_AGENT_TEAMS=1 ${command} team "what to do"`;

/** The demo of the coordinator: the same for a session and its workers. */
export const coordinatorDemo = {
  repository: "fixtures/repos/order-desk",
  script: "fixtures/scripts/coordinator.yaml",
  prompt: "Move every module of this repository to one logger.",
  agent: "coordinator",
  /** What the workers may do without asking. Nobody is asked in the demo. */
  allow: ["Read", "Write", "Edit", "Glob", "Grep", "Bash(node --test)", "Bash(node --test:*)"],
  notice: "The replies of these agents are scripted: no model, no key, no network. Everything else is real: files, tests, phases, reports.",
} as const;

/** Printed at once: on a busy machine nothing else appears for many seconds. */
export const preparing = "Copying a small program and running its tests …";

/** The same once the team has ended. */
export const testing = "Running the tests of the copy once more …";

/** A scratch copy of the repository, under git. */
export type ScratchRepository = {
  path: string;
  /** Runs the repository's own test suite, until the signal aborts. */
  test(signal?: AbortSignal): Promise<{ green: boolean; summary: string }>;
  /** Its files become those of that branch; HEAD stays. */
  take(branch: string): Promise<void>;
  /** Lines added and removed since the beginning: `8 files changed, 210 insertions(+), 12 deletions(-)`. */
  changes(): Promise<string>;
  /** Removes from this folder of projects what sessions in folders that begin with that name have left, but the files to keep. */
  forget(left: { projects: string; name: string; keep: readonly string[] }): void;
  remove(): void;
};
