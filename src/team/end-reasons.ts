// Why a task is blocked whose owner has ended: the words, and how a resume knows them again.

/** The lead's process is gone and did not come back in time. */
export const leadGoneReason = "the lead is gone";

/** Somebody stopped the whole team. */
export const stoppedTeam = "the team was stopped";

/** Somebody asked its owner to end. */
export const stoppedReason = (name: string) => `${name} was stopped`;

/** How the end of a member's process is recorded that somebody asked for, or that had nothing left to do. */
export const asWished = "stopped";

/** Somebody closed the place in which it was shown. */
export const closedPane = "its pane was closed";

/** How a member ended, for the reason of a task that it held. */
export function endWords(name: string, how: string): string {
  return how === asWished ? `${name} has ended` : `${name} is gone: ${how}`;
}

/** Whether a task is blocked only because its owner ended, whatever was added to the reason. */
export function saysOwnersEnd(reason: string | undefined, owner: string): boolean {
  const beginnings = [leadGoneReason, stoppedReason(owner), endWords(owner, asWished), endWords(owner, "")];
  return reason !== undefined && beginnings.some((beginning) => reason.startsWith(beginning));
}
