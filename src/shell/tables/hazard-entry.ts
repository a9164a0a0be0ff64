// A row of the tables of hazards: uses of a program that a wildcard rule does not cover.

export type HazardEntry = [
  /** One or several programs; with a second word, only that subcommand. */
  program: string,
  /**
   * Options: `--long`, `-s`, `-name` for long ones with one dash, `-B*` with any suffix. `*` is every use, and `**` even if a rule names
   * the program; `=1` is any operand, `=2` a second one; `=word` an operand that begins with the word; `-` reads the program from standard
   * input.
   */
  uses: string,
  /** Says to the user what the use does: "it …". */
  does: string,
  source?: string,
];

export const runs = "runs a program that its options name";
export const runsOrWrites = "runs a program or writes a file";

/** One row for each subcommand that a row names. */
export function subcommandRows(program: string, rows: HazardEntry[]): HazardEntry[] {
  return rows.flatMap(([names, uses, does]) => names.split(" ").map((name): HazardEntry => [`${program} ${name}`, uses, does]));
}
