// The only place that changes what an agent may do while it runs. Everything else reads the policy live; each change has a name.
import type { Narrowing, PermissionMode, Policy, SandboxState } from "../permissions/policy.ts";

/** The part of the policy that changed settings replace. */
export type ReplacedRules = Pick<Policy, "allow" | "ask" | "deny" | "ignore" | "trusted" | "autoAllow">;

export type PolicyStore = ReturnType<typeof policyStore>;

/** `current` is always the same object, so that a decision reads the current rules. */
export function policyStore(current: Policy) {
  const now: { -readonly [Field in keyof Policy]: Policy[Field] } = current;
  const { narrowed } = current;
  return {
    current,
    /** Grants and the mode stay as they are. */
    replaceRules({ allow, ask, deny, ignore, trusted, autoAllow }: ReplacedRules) {
      Object.assign(now, { allow, ask, deny, ignore, trusted, autoAllow });
    },
    /** The same array, which an open sandbox reads too. The facts are those that depend on the folders. */
    openFolders(folders: readonly string[], facts: Pick<Policy, "outliers" | "programs" | "settingsFiles">) {
      now.directories.push(...folders.filter((path) => !now.directories.includes(path)));
      Object.assign(now, facts);
    },
    /** No effect for a sub-agent, whose mode follows its parent's. */
    changeMode(mode: PermissionMode) {
      now.mode = mode;
    },
    /** `proxied`: absent, as before. */
    setSandbox(sandbox: SandboxState, proxied = now.proxied) {
      Object.assign(now, { sandbox, proxied });
    },
    /** What the repositories that a command works in make git start, and print. */
    sawRepositories(facts: Pick<Policy, "gitRuns" | "showsHidden">) {
      Object.assign(now, facts);
    },
    /** From now on calls must pass this too, until `widen`. */
    narrow(by: Narrowing) {
      now.narrowed = [...now.narrowed, by];
    },
    /** Removes every `narrow` of this store; the policy's initial limits stay. */
    widen() {
      now.narrowed = narrowed;
    },
  };
}
