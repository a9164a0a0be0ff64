// By which options languages are handed a program with the command: one language a line. A rule that ends in one of them means just that:
// `Bash(python3 -c *)` is about any code of that language, however it is handed over. From the manual page of each; what else stands beside
// these options (a library, a port) keeps its own hazard.

const languages: [programs: string, options: RegExp][] = [
  ["python python3", /^(?:-c|-)$/],
  ["node nodejs", /^(?:-[ep]|-pe|--eval|--print|-)$/],
  ["perl perl5", /^(?:-[0-7lanwpi]+[eE]?|-[eE]|-)$/],
  ["ruby", /^(?:-[lanpi]*e|-)$/],
  ["php", /^-r$/],
  ["bun", /^(?:-[ep]|--eval|--print)$/],
];

const byProgram = new Map(
  languages.flatMap(([programs, options], language) => programs.split(" ").map((program) => [program, { language, options }] as const)),
);

/** Whether the program takes that word for the sign that a program of its language follows. */
export const handsCode = (program: string, word: string | undefined): boolean => byProgram.get(program)?.options.test(word ?? "") ?? false;

/** Whether both are programs of one language. */
export function sameLanguage(one: string | undefined, other: string | undefined): boolean {
  const language = byProgram.get(one ?? "")?.language;
  return language !== undefined && language === byProgram.get(other ?? "")?.language;
}
