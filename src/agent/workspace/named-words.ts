// Words of a command of the person's that may be files of the tree: such a file decides what the command does. Read generously, because only what
// is there counts.

/**
 * `folders`: those words that stand where a program runs a folder, as in `node tools/server`; data may be in any other. `scripts`: those that
 * are run, so that a file counts that is made later.
 */
export type NamedWords = { words: string[]; folders: string[]; scripts: string[] };

export function namedWords(command: string): NamedWords {
  // What a variable stands for is not known; it is mostly the root of the project.
  const text = command.replaceAll(/\$(?:\w+|\{[^}]*\})/g, "");
  const quoted = [...text.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single ?? "");
  const all = (...patterns: RegExp[]) => patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((found) => found[1] ?? ""));
  const scripts = all(runsFolder, runsScript, isProgram);
  return { words: [...new Set([...quoted, ...(text.match(word) ?? [])])], folders: all(runsFolder, namesFolder), scripts };
}

const word = /[^\s"'`;|&<>()={},:!]+/g;
/** An interpreter takes a folder for the program in it. */
const runsFolder = /(?<![\w-])(?:node|tsx|ts-node|python[\d.]*|php|ruby|go run)(?:\s+-(?!-test\b)\S*)*\s+["']?([^\s"'`;|&<>()]+)/g;
const runsScript = /(?<![\w-])(?:(?:ba|da|z|k|fi)?sh|source|bun|deno run)(?:\s+-\S+)*\s+["']?([^\s"'`;|&<>()]+)/g;
/** Where a command begins, behind variables that are set for it. */
const isProgram = /(?:^|[;&|({!`]|\b(?:then|do|else|exec|env|time|nohup)\s)\s*(?:\w+=\S*\s+)*["']?([^\s"'`;|&<>()=]*\/[^\s"'`;|&<>()]+)/g;
/** Options by which a program works in another folder, whose files say what it runs. */
const namesFolder = /\s(?:--(?:directory|prefix|cwd|project|manifest-path)[\s=]|-C\s*)["']?([^\s"'`;|&<>()]+)/g;
