// An entry of the tables that say which files a program uses.

export type FileEntry = {
  options: string;
  operands: string[];
  values?: Record<string, "r" | "w">;
  /** Options that include everything below the operands; `always`: no option is needed. */
  recursive?: string[];
  always?: true;
  /** Options can make it edit files in place, which a rule for the program does not cover. */
  edits?: true;
  /** Options with which it prints what it would otherwise put in place of its operands. */
  prints?: string[];
};

export const from = (options: string, operands: string, more: Partial<FileEntry> = {}): FileEntry => ({
  options,
  operands: operands.split(" "),
  ...more,
});
