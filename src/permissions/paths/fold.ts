// Names that some file systems treat as the same file.

/** Removes differences in case, Unicode form and invisible characters, which do not distinguish files on some file systems. */
export function fold(path: string): string {
  if (/^[ -~]*$/.test(path)) return path.toLowerCase(); // the same, many times faster: a long command folds thousands of paths
  return path
    .normalize("NFC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase() // ſ and s have the same capital
    .toLowerCase()
    .normalize("NFC");
}
