// Words for a command line that a shell reads: for people to paste, and for shells that we start.

/** One word of a command line, in quotes only if it needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text));

/**
 * One word, always in quotes. Single quotes mean the same in sh, bash, zsh, csh and fish, for words without a backslash, a line break or an
 * exclamation mark; in sh and bash for all.
 */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
