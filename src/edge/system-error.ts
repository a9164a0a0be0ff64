// Error codes of the operating system.

/** The code of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The result of `act`, or undefined if it fails in any way: for questions to which a failure is an answer, and for cleaning up. */
export function ifPossible<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined; // the caller says what that means
  }
}

/** Runs `act`; if it fails with `code`, returns `otherwise`. */
export function unless<T>(code: string, act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if (codeOf(error) === code) return otherwise;
    throw error;
  }
}
