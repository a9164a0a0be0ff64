// A row of the tables of uses that a wildcard does not cover.

export type HazardEntry = [
  /** The program, or several; with a second word only that subcommand. */
  program: string,
  /**
   * Options: `--long`, `-s`, `-name` for long ones with one dash, `-B*` with whatever follows. `*` is every use, and `**` also when a rule
   * names the program; `=1` an operand at all, `=2` a second one; `=word` an operand that begins so; `-` reading the
   * program from the standard input.
   */
  uses: string,
  /** What such a use does, for a person: "it …". */
  does: string,
  source?: string,
];

export const runs = "runs a program that its options name";
export const runsOrWrites = "runs a program or writes a file";
