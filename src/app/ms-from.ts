// A number of seconds that the environment may set.

/** In milliseconds; `otherwiseMs` where the value is absent or not a number of seconds. */
export function msFrom(value: string | undefined, otherwiseMs: number): number {
  const seconds = value === undefined || value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : otherwiseMs;
}
