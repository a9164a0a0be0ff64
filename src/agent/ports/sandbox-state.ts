// How commands are confined after the trial of a sandbox, under the settings: what the policy of a session begins with, and what it falls to.
import type { SandboxFinding, SandboxState } from "../../permissions/policy.ts";

type Setting = { enabled?: boolean | undefined; required?: boolean | undefined };

/** Only a first process may find that there is no sandbox. `first`: its finding; where that was one, only the user decides from now on. */
export function stateAfterTrial(trial: SandboxFinding, first: SandboxFinding | undefined): SandboxState {
  if (trial.kind === "works") return { kind: "active" };
  const isMissing = trial.kind === "missing" && (first === undefined || first.kind === "missing");
  return { kind: isMissing ? "missing" : "lost", why: trial.why };
}

/** For the first process, before anything else is known. */
export function openingState(setting: Setting, trial: SandboxFinding): SandboxState {
  return setting.enabled === false ? { kind: "off" } : underSettings(stateAfterTrial(trial, undefined), setting);
}

/** Applies the settings: if a sandbox is required and missing, commands are refused. */
export function underSettings(state: SandboxState, { required }: Setting): SandboxState {
  return required && (state.kind === "missing" || state.kind === "lost") ? { kind: "refused", why: state.why } : state;
}
