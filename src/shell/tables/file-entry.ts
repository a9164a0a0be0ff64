// What the tables say of the files of a program.

export type FileEntry = {
  options: string;
  operands: string[];
  values?: Record<string, "r" | "w">;
  /** With one of these options everything below its operands is meant as well; `always`: without one, too. */
  recursive?: string[];
  always?: true;
  /** It changes files where they are, if its options say so, and a rule that allows it does not speak of that. */
  edits?: true;
};

export const from = (options: string, operands: string, more: Partial<FileEntry> = {}): FileEntry => ({
  options,
  operands: operands.split(" "),
  ...more,
});
