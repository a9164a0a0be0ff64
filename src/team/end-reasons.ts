// Why a task is blocked whose owner has ended: the words, and how a resume knows them again.

/** The lead's process is gone and did not come back in time. */
export const leadGoneReason = "the lead is gone";

/** Somebody stopped the whole team. */
export const stoppedTeam = "the team was stopped";

/** Somebody asked its owner to end. */
export const stoppedReason = (name: string) => `${name} was stopped`;

/** How a member ended, for the reason of a task that it held. */
export function endWords(name: string, how: string): string {
  return how === "stopped" ? `${name} has ended` : `${name} is gone: ${how}`;
}

/** Whether a task is blocked only because its owner ended, whatever was added to the reason. */
export function saysOwnersEnd(reason: string | undefined, owner: string): boolean {
  const beginnings = [leadGoneReason, stoppedReason(owner), endWords(owner, "stopped"), endWords(owner, "")];
  return reason !== undefined && beginnings.some((beginning) => reason.startsWith(beginning));
}
