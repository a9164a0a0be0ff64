// The beginning of a sentence from words that stand inside one elsewhere.

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
