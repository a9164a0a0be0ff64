// Determines what confines commands, from a trial and the settings, and what the user is told if nothing does.
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

/** One line for the start of every session or team; `doctor` is the command that says more. Undefined if commands run as the user chose. */
export function sandboxNotice(state: SandboxState, doctor: string): string | undefined {
  switch (state.kind) {
    case "active":
    case "off":
      return undefined;
    case "missing":
      return `Commands run without a sandbox: ${state.why}. For what this means: ${doctor}`;
    case "lost":
      return `The sandbox cannot be used: ${state.why}. You are asked for every command.`;
    case "refused":
      return `No command runs: "sandbox.required" is set, and there is no sandbox: ${state.why}.`;
  }
}
