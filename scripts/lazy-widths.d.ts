/** The text of pi-tui's utils.js with both changed. Throws when one of them is not there once. */
export function lazily(code: string): string;
