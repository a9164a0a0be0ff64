// Options that pass source code to an interpreter. Source: the manual page of each.

const interpreters: [programs: string, options: RegExp][] = [
  ["python python3", /^(?:-c|-)$/],
  ["node nodejs", /^(?:-[ep]|-pe|--eval|--print|-)$/],
  ["perl perl5", /^(?:-[0-7lanwpi]+[eE]?|-[eE]|-)$/],
  ["ruby", /^(?:-[lanpi]*e|-)$/],
  ["php", /^-r$/],
  ["bun", /^(?:-[ep]|--eval|--print)$/],
];

const byProgram = new Map(interpreters.flatMap(([programs, options]) => programs.split(" ").map((program) => [program, options])));

/** Whether the program takes source code after this word. */
export const handsCode = (program: string, word: string | undefined): boolean => byProgram.get(program)?.test(word ?? "") ?? false;
