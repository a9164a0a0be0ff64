// Options that pass source code to a language, one language a line. A rule that ends in one of them, like `Bash(python3 -c *)`, allows any
// code of that language, however it is passed. Other options (a library, a port) keep their own hazards. Source: the manual page of each.

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

/** Whether the program takes source code after this word. */
export const handsCode = (program: string, word: string | undefined): boolean => byProgram.get(program)?.options.test(word ?? "") ?? false;

/** Whether both programs run the same language. */
export function sameLanguage(one: string | undefined, other: string | undefined): boolean {
  const language = byProgram.get(one ?? "")?.language;
  return language !== undefined && language === byProgram.get(other ?? "")?.language;
}
