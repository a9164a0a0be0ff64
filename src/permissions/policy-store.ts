// The only place that changes what an agent may do while it runs. Everything else reads the policy live; each change has a name.
import type { Narrowing, PermissionMode, Policy, SandboxState } from "./policy.ts";

/** The part of the policy that changed settings replace. */
export type ReplacedRules = Pick<Policy, "allow" | "ask" | "deny" | "ignore" | "trusted" | "autoAllow">;

export type PolicyStore = {
  /** Always the same object, so that a decision reads the current rules. */
  readonly current: Policy;
  /** Grants and the mode stay as they are. */
  replaceRules(rules: ReplacedRules): void;
  /** No effect for a sub-agent, whose mode follows its parent's. */
  changeMode(mode: PermissionMode): void;
  /** `proxied`: absent, as before. */
  setSandbox(state: SandboxState, proxied?: boolean): void;
  /** What the repositories that a command works in make git start. */
  sawPrograms(gitRuns: Policy["gitRuns"]): void;
  /** From now on calls must pass this too, until `widen`. */
  narrow(by: Narrowing): void;
  /** Removes every `narrow` of this store; the policy's initial limits stay. */
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
    setSandbox(state, proxied = now.proxied) {
      now.sandbox = state;
      now.proxied = proxied;
    },
    sawPrograms(gitRuns) {
      now.gitRuns = gitRuns;
    },
    narrow(by) {
      now.narrowed = [...now.narrowed, by];
    },
    widen() {
      now.narrowed = narrowed;
    },
  };
}
