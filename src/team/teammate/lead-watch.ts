// How long a member has been without its lead.

export type LeadWatch = {
  leadIsAlive(): boolean;
  /** The lead's process is gone, or there is one again. */
  onLead(state: "gone" | "back"): void;
  leadGraceMs: number;
  now(): number;
};

/** `missing`: the lead's process is gone and may come back; `gone`: it did not within the grace period. */
export function leadWatch(watch: LeadWatch, memory: { leadGoneAt: number | undefined }): "alive" | "missing" | "gone" {
  if (watch.leadIsAlive()) {
    if (memory.leadGoneAt !== undefined) watch.onLead("back");
    memory.leadGoneAt = undefined;
    return "alive";
  }
  if (memory.leadGoneAt === undefined) watch.onLead("gone");
  memory.leadGoneAt ??= watch.now();
  return watch.now() - memory.leadGoneAt >= watch.leadGraceMs ? "gone" : "missing";
}
