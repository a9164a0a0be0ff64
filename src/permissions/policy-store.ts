// The one place that changes what an agent may do while it runs. Everybody else reads the policy, live; each change has a name.
import type { Narrowing, PermissionMode, Policy, SandboxState } from "./policy.ts";

/** What settings say again when they have changed. */
export type ReplacedRules = Pick<Policy, "allow" | "ask" | "deny" | "ignore" | "trusted" | "autoAllow">;

/** What a look at the repositories that a command works in has found. */
export type SeenRepositories = Partial<Pick<Policy, "gitRuns" | "remotes" | "hiddenInGit">>;

export type PolicyStore = {
  /** The same object from beginning to end, so that a decision always reads what holds now. */
  readonly current: Policy;
  /** What was granted and the mode stay as they are. */
  replaceRules(rules: ReplacedRules): void;
  /** No effect for a sub-agent, whose mode follows that of the agent that started it. */
  changeMode(mode: PermissionMode): void;
  setSandbox(state: SandboxState): void;
  sawRepositories(seen: SeenRepositories): void;
  /** From now on a call passes this too, until `widen`. */
  narrow(by: Narrowing): void;
  /** Takes back every `narrow` of this store; what the policy began with stays. */
  widen(): void;
};

export function policyStore(start: Policy): PolicyStore {
  const now: { -readonly [Field in keyof Policy]: Policy[Field] } = start;
  const { narrowed } = start;
  return {
    current: start,
    replaceRules({ allow, ask, deny, ignore, trusted, autoAllow }) {
      Object.assign(now, { allow, ask, deny, ignore, trusted, autoAllow });
    },
    changeMode(mode) {
      now.mode = mode;
    },
    setSandbox(state) {
      now.sandbox = state;
    },
    sawRepositories(seen) {
      Object.assign(now, seen);
    },
    narrow(by) {
      now.narrowed = [...now.narrowed, by];
    },
    widen() {
      now.narrowed = narrowed;
    },
  };
}
