// Characters that make a command another one than a person sees.

/** Control characters but tab and newline, characters that nobody sees or that turn the direction, and blanks that bash takes for letters. */
export const misleading = /(?![\t\n])\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Co}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/u;
