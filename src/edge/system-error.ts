// What the system says when it refuses.

/** The system's code of an error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Runs `act`; when the system answers with `code`, the answer is `otherwise`. */
export function unless<T>(code: string, act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if (codeOf(error) === code) return otherwise;
    throw error;
  }
}
