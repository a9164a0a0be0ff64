// Names that some file systems take for the same file.

/** Case, Unicode form and characters that nobody sees make no other file, for some file systems at least. */
export function fold(path: string): string {
  return path
    .normalize("NFC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase() // ſ and s have the same capital
    .toLowerCase()
    .normalize("NFC");
}
