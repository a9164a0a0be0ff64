// Determines what confines commands, from a trial and the settings.
import type { SandboxFinding, SandboxState } from "../policy.ts";

type Setting = { enabled?: boolean | undefined; required?: boolean | undefined };

/**
 * Only the first process of a session or team may decide that this machine has no sandbox. `first`: its finding, for later processes: if it
 * had one, a trial that fails means that something has changed since, and only the user decides.
 */
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
