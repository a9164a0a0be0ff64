// Words of a command of the person's that may be files of the tree: such a file decides what the command does. Read generously, because only what
// is there counts.

/** `folders`: those words that stand where a program runs a folder, as in `node tools/server`; data may be in any other. */
export type NamedWords = { words: string[]; folders: string[] };

export function namedWords(command: string): NamedWords {
  // What a variable stands for is not known; it is mostly the root of the project.
  const text = command.replaceAll(/\$(?:\w+|\{[^}]*\})/g, "");
  const quoted = [...text.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single ?? "");
  const folders = [...text.matchAll(runsFolder), ...text.matchAll(namesFolder)].map((found) => found[1] ?? "");
  return { words: [...new Set([...quoted, ...(text.match(word) ?? [])])], folders };
}

const word = /[^\s"'`;|&<>()={},:!]+/g;
/** An interpreter takes a folder for the program in it. */
const runsFolder = /(?<![\w-])(?:node|tsx|ts-node|python[\d.]*|php|ruby|go run)(?:\s+-(?!-test\b)\S*)*\s+["']?([^\s"'`;|&<>()]+)/g;
/** Options by which a program works in another folder, whose files say what it runs. */
const namesFolder = /\s(?:--(?:directory|prefix|cwd|project|manifest-path)[\s=]|-C\s*)["']?([^\s"'`;|&<>()]+)/g;
