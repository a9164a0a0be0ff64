// The beginning of a sentence from words that stand inside one elsewhere.

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The reverse: the beginning of a sentence inside another one. */
export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
