// Characters that make a command look different from what it does.

/** Control characters but tab and newline, invisible ones, those that change the text direction, and spaces that are letters to bash. */
export const misleading = /(?![\t\n])\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Co}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/u;
