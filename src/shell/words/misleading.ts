// Characters that make a command look different from what it does.

/**
 * Control characters except tab and newline, invisible characters, characters that change the text direction, and spaces that bash treats
 * as letters.
 */
export const misleading = /(?![\t\n])\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Co}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/u;
