// What confines commands, as it follows from a trial run and the settings, and what the person is told when nothing does.
import type { SandboxFinding, SandboxState } from "./policy.ts";

type Setting = { enabled?: boolean | undefined; required?: boolean | undefined };

/**
 * Only the first process of a session or team may find that this machine has no sandbox. `first`: what that one found, for those after it:
 * where it had one, a trial that fails means that something has changed since, and only the person decides.
 */
export function stateAfterTrial(trial: SandboxFinding, first: SandboxFinding | undefined): SandboxState {
  if (trial.kind === "works") return { kind: "active" };
  const isMissing = trial.kind === "missing" && (first === undefined || first.kind === "missing");
  return { kind: isMissing ? "missing" : "lost", why: trial.why };
}

/** Of the first process, before anything else is known. */
export function openingState(setting: Setting, trial: SandboxFinding): SandboxState {
  return setting.enabled === false ? { kind: "off" } : underSettings(stateAfterTrial(trial, undefined), setting);
}

/** As the settings have it: who requires a sandbox refuses commands without one. */
export function underSettings(state: SandboxState, { required }: Setting): SandboxState {
  return required && (state.kind === "missing" || state.kind === "lost") ? { kind: "refused", why: state.why } : state;
}

/** One line at the start of a session or team, since it comes with each of them; the rest is the doctor's. Undefined if commands are as the person chose. `doctor`: the command that says more. */
export function sandboxNotice(state: SandboxState, doctor: string): string | undefined {
  switch (state.kind) {
    case "active":
    case "off":
      return undefined;
    case "missing":
      return `Commands run without a sandbox: ${state.why}. What follows from that: ${doctor}`;
    case "lost":
      return `The sandbox cannot be used: ${state.why}. You are asked for every command.`;
    case "refused":
      return `No command runs: "sandbox.required" is set, and there is no sandbox: ${state.why}.`;
  }
}
