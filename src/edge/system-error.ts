// Error codes of the operating system.

/** The code of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
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
