// Error codes of the operating system.
import { errorCode as codeOf } from "../wording/error-text.ts";

export { codeOf };

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
