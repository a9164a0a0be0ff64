// Why a request was refused: a stable code for programs, and one sentence for people and models.

/** If several apply to one request, the first one here is reported. */
export const refusalOrder = [
  "unknown_field",
  "bad_id",
  "bad_title",
  "bad_status",
  "not_found",
  "unknown_agent",
  "not_lead",
  "unknown_dependency",
  "self_dependency",
  "cycle",
  "already_claimed",
  "assigned_to_other",
  "not_assignee",
  "bad_transition",
  "busy",
  "dependency_incomplete",
  "missing_summary",
  "verify_failed",
] as const;

/** Not in the order: the request could not be read, its text cannot be sent, or the disk failed. */
type OtherRefusal = "bad_request" | "bad_text" | "too_large" | "too_many" | "lock_timeout" | "list_damaged" | "write_failed";

export type RefusalCode = (typeof refusalOrder)[number] | OtherRefusal;

/** An answer, not an error: the model reads the reason and tries something else. */
export type Refusal = { ok: false; code: RefusalCode; reason: string };

/** One reason to refuse. Checks are listed in the order of refusals. */
export type Check<Attempt> = {
  code: RefusalCode;
  /** The sentence if the check applies; undefined otherwise. */
  reason: (attempt: Attempt) => string | undefined;
};

export function refuse(code: RefusalCode, reason: string): Refusal {
  return { ok: false, code, reason };
}

export function firstRefusal<Attempt>(checks: Check<Attempt>[], attempt: Attempt): Refusal | undefined {
  for (const { code, reason } of checks) {
    const sentence = reason(attempt);
    if (sentence !== undefined) return refuse(code, sentence);
  }
  return undefined;
}
