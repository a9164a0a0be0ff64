// Recognizes awk programs that certainly only compute and print.
import type { Hazard, Word } from "../words/analysis.ts";
import { readOptions } from "../words/options.ts";

const awkOptions =
  "-F: --field-separator= -v: --assign= -f: --file= -e: --source= -i: --include= -l: --load= -E: --exec= -o? -p? -d? -D? -b -c -C -g -h -I -k -L? -M -n -N -O -P -r -s -S -t -V";

/** Hazards of awk programs that may run others, or read and write files. */
export function awkHazards(words: Word[]): Hazard[] {
  const { given, operands } = readOptions(words, awkOptions, { leading: true });
  if (given.some(({ name }) => /^-[fEile]$|^--/.test(name) && name !== "--assign" && name !== "--field-separator")) return [];
  const at = operands[0];
  const program = at === undefined ? undefined : words[at]!.value;
  return program !== undefined && plainAwk(program)
    ? []
    : [{ at: at ?? 0, option: true, does: "its program may run other programs or read and write files" }];
}

/** Whether no reading of the program has pipes, output to files, input from files, or indirect calls. */
function plainAwk(program: string): boolean {
  const readings = readingsOf(program, { at: 0, bare: "" });
  return readings !== undefined && readings.length > 0 && readings.every(onlyPrints);
}

function onlyPrints(bare: string): boolean {
  if (/\||\bsystem\b|\bgetline\b|@|\bclose\b|\bfflush\b|\bARGV\b|\bENVIRON\b|\bPROCINFO\b|\bBEGINFILE\b|`/.test(bare)) return false;
  // ">" compares inside conditions; after print it writes to a file.
  return !/(?:print|printf)[^;{}\n]*>/.test(bare) && !/>>/.test(bare);
}

/**
 * The program without its strings, regular expressions and comments, one statement per line, in every possible reading: whether a slash
 * divides or begins a regular expression depends on awk's grammar. A reading with an unterminated string is dropped. Undefined if there are
 * too many readings.
 */
function readingsOf(program: string, { at, bare }: { at: number; bare: string }, slashes = mostSlashes): string[] | undefined {
  let read = bare;
  for (let place = at; place < program.length; ) {
    const sign = program[place]!;
    if (sign === '"') {
      const text = matchAt(/"(?:[^"\\\n]|\\[\s\S])*"/y, program, place);
      if (text === undefined) return []; // not valid awk
      read += '""';
      place += text.length;
    } else if (sign === "#") place += matchAt(/[^\n]*/y, program, place)!.length;
    else if (sign === "/") {
      const before = read.slice(-30);
      const expression = divides.test(before) ? undefined : matchAt(/\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]/\n]*\])*\//y, program, place);
      if (mayDivide.test(before) && expression !== undefined) {
        if (slashes === 0) return undefined;
        const other = readingsOf(program, { at: place + 1, bare: `${read}/` }, slashes - 1);
        const rest = readingsOf(program, { at: place + expression.length, bare: `${read}0` }, slashes - 1);
        return other && rest && [...other, ...rest];
      }
      if (expression === undefined && !divides.test(before) && !mayDivide.test(before)) return undefined;
      if (expression === undefined && mayDivide.test(before) && /^\/[^\n]*\//.test(program.slice(place))) return undefined;
      read += expression === undefined ? "/" : "0";
      place += expression?.length ?? 1;
    } else {
      read += sign;
      place++;
    }
  }
  return [
    read
      .replaceAll("||", " or ")
      .replaceAll(/\\\r?\n/g, " ")
      .replaceAll(/(,|&&|\bor|\bdo|\belse)\s*\n\s*/g, "$1 "),
  ];
}

/** At most this many ambiguous slashes are followed. */
const mostSlashes = 4;

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}

/** After a value a slash divides; after these words no value has ended. */
const divides = /[\w\]"][ \t]*$(?<!\b(?:print|printf|return|in|case|do|else|exit|length|BEGIN|END|next|delete)[ \t]*)/;
/** These may precede a value or follow one. */
const mayDivide = /(?:\)|\$|\+\+|--|\blength)[ \t]*$/;
