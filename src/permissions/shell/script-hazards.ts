// Small languages inside arguments: the scripts of sed and awk can run programs and write files.
import type { Hazard, Word } from "./analysis.ts";
import type { Invocation } from "./invocation.ts";
import { readOptions } from "./options.ts";

export function scriptHazards(invocation: Invocation): Hazard[] {
  const { program, words } = invocation;
  switch (program) {
    case "sed":
    case "gsed":
      return sed(words);
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
    case "original-awk":
      return awk(words);
    case "tool":
    case "tool.js":
      return ourselves(words);
    case "unzip":
      return unzip(words);
    case "git":
      return applied(invocation);
    case "make":
    case "gmake":
      return settingsOfMake(words);
    case "go":
      return go(words);
    case "python":
    case "python2":
    case "python3":
    case "pypy":
    case "pypy2":
    case "pypy3":
      return modules(words);
    case "curl":
      return [...others(program, words), ...furtherAddresses(words)];
    case "rsync":
    case "scp":
    case "http":
    case "https":
    case "xh":
      return others(program, words);
    default:
      return [];
  }
}

/** Words that name a file to be sent, or a place elsewhere. */
function others(program: string, words: Word[]): Hazard[] {
  const sends = program === "rsync" || program === "scp" ? /:/ : /(^|=)[@<]|%output|^file:|^-(d|F|H|b|-data[\w-]*|-form)=?@/;
  return words.flatMap(({ value, start }, at) =>
    at > 0 && (sends.test(value ?? start) || (value === undefined && start === ""))
      ? [{ at, option: true, does: "it may send a file elsewhere" }]
      : [],
  );
}

/** A rule with an address in it speaks of that one alone. */
function furtherAddresses(words: Word[]): Hazard[] {
  const addresses = words.flatMap(({ value, start }, at) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(value ?? start) ? [at] : []));
  return addresses.slice(1).map((at) => ({ at, option: false, does: "it goes to a further address" }));
}

/** What is no command that looks is a prompt, and starts another agent. */
function ourselves(words: Word[]): Hazard[] {
  const values = words.slice(1).map(({ value }) => value ?? "");
  const looks = lookingCommands.some((command) => command.every((word, at) => values[at] === word));
  return looks ? [] : [{ at: words.length, option: false, does: "it starts another agent" }];
}

const lookingCommands = [
  ["team", "status"],
  ["team", "list"],
  ["team", "log"],
  ["team", "report"],
  ["permissions", "list"],
  ["permissions", "check"],
  ["ignore", "check"],
  ["secrets", "scan"],
  ["privacy"],
  ["doctor"],
  ["help"],
  ["completion"],
  ["--version"],
  ["-v"],
  ["--help"],
];

/** Listing and testing aside, it writes files whose names are not seen. */
function unzip(words: Word[]): Hazard[] {
  const only = words.slice(1).some(({ value }) => /^-[a-zA-Z]*[lptvzZ]/.test(value ?? ""));
  return only ? [] : [{ at: words.length, option: false, does: "unzip writes files whose names are not seen" }];
}

/** What is set beside a target stands in the lines that a shell is given. */
function settingsOfMake(words: Word[]): Hazard[] {
  return words.flatMap(({ value, start }, at) =>
    at > 0 && /^[\w.]+[:?+]?=.*[`$;&|<>()\n]/s.test(value ?? start)
      ? [{ at, option: false, does: "make hands a setting to a shell that may run what it holds" }]
      : [],
  );
}

/** A patch that is only looked at changes nothing. */
function applied({ words, sub, verb }: Invocation): Hazard[] {
  if (sub === undefined || verb !== "apply") return [];
  const rest = words.slice(sub + 1).map(({ value }) => value ?? "");
  const looks = rest.some((value) => /^--(check|stat|numstat|summary)$/.test(value)) && !rest.includes("--apply");
  return looks ? [] : [{ at: words.length, option: false, does: "git apply changes files as a patch says" }];
}

/** What the linker is told, and which of its own tools it runs. */
function go(words: Word[]): Hazard[] {
  return words.flatMap(({ value = "" }, at): Hazard[] => {
    const [, attached] = /^--?ldflags(?:=(.*))?$/s.exec(value) ?? [undefined];
    const told = attached ?? words[at + 1]?.value ?? "-";
    if (/^--?ldflags(=|$)/.test(value) && !/^(\s|-s\b|-w\b|-X[ =]'?[\w./-]+=[\w.:+-]*'?)*$/.test(told))
      return [{ at, option: true, does: "go runs what the flags of its linker name" }];
    if (at === 1 && value === "tool" && !/^(cover|vet|nm|objdump|version)$/.test(words[2]?.value ?? ""))
      return [{ at, option: true, does: "go runs one of its tools, which run and write what they are told" }];
    return [];
  });
}

/** Modules that check, test and format are as good as the programs of their name; their own hazards count beside this. */
function modules(words: Word[]): Hazard[] {
  const at = words.findIndex(({ value }, index) => index > 0 && /^-[a-zA-Z]*m/.test(value ?? ""));
  const plain =
    at === 1 &&
    words[1]!.value === "-m" &&
    /^(pytest|unittest|mypy|black|ruff|flake8|isort|pylint|coverage|venv|compileall|py_compile|json\.tool|timeit|django|build|tox|nox)$/.test(
      words[2]?.value ?? "",
    );
  return at === -1 || plain ? [] : [{ at, option: true, does: "it runs code that it is given" }];
}

const sedOptions =
  "-n --quiet --silent -e: --expression= -f: --file= -i? --in-place? -E -r --regexp-extended -l: --line-length= -s --separate -u --unbuffered -z --null-data --posix --debug --sandbox --follow-symlinks -b --binary -I?";

function sed(words: Word[]): Hazard[] {
  const { given, operands } = readOptions(words, sedOptions);
  const scripts = given.filter(({ name }) => name === "-e" || name === "--expression").map(({ value }) => value);
  const first = operands[0];
  if (scripts.length === 0 && !given.some(({ name }) => name === "-f" || name === "--file"))
    scripts.push(first === undefined ? undefined : words[first]);
  const at = first ?? 0;
  return scripts.some((script) => script?.value === undefined || !plainSed(script.value))
    ? [{ at, option: true, does: "its script may run programs or read and write files" }]
    : [];
}

/** Commands that only print, delete and replace. Anything that is not surely one of them is none. */
function plainSed(script: string): boolean {
  let rest = script;
  while (rest.length > 0) {
    const separators = /^[\s;{}]+/.exec(rest);
    if (separators) rest = rest.slice(separators[0].length);
    else if (rest.startsWith("#")) rest = rest.replace(/^[^\n]*/, "");
    else {
      const next = oneSedCommand(rest);
      if (next === undefined) return false;
      rest = next;
    }
  }
  return true;
}

const address = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]\n]*\])*\/[IM]*)/;

function oneSedCommand(text: string): string | undefined {
  let rest = text;
  const first = address.exec(rest);
  if (first) {
    rest = rest.slice(first[0].length).trimStart();
    if (rest.startsWith(",")) {
      rest = rest.slice(1).trimStart();
      const second = address.exec(rest) ?? /^[+~]\d+/.exec(rest);
      if (!second) return undefined;
      rest = rest.slice(second[0].length);
    }
  }
  rest = rest.replace(/^[\s!]*/, "");
  if (/^[{}]/.test(rest)) return rest.slice(1);
  if (/^[dDgGhHnNpPxlq=zF](?=[\s;}]|$)/.test(rest)) return rest.slice(1);
  const exit = /^[qQlL]\s*\d+(?=[\s;}]|$)/.exec(rest);
  if (exit) return rest.slice(exit[0].length);
  if (/^[btT:]\s*\w*\s*(?=[\n;}]|$)/.test(rest)) return rest.replace(/^[btT:]\s*\w*\s*/, "");
  if (/^[aic]\\?\s*/.test(rest) && !/^[aic]\\?\s*$/.test(rest)) return rest.replace(/^(?:[^\n\\]|\\[\s\S])*/, "");
  const kind = rest[0];
  const mark = rest[1];
  if ((kind !== "s" && kind !== "y") || mark === undefined || /[\w\s\\;{}]/.test(mark)) return undefined;
  const middle = partEnd(rest, 2, mark, kind === "s");
  if (middle === -1) return undefined;
  const end = partEnd(rest, middle + 1, mark, false);
  if (end === -1) return undefined;
  const flags = /^[gpiIM\d]*(?=\s*(?:[;}#\n]|$))/.exec(rest.slice(end + 1));
  return flags ? rest.slice(end + 1 + flags[0].length) : undefined;
}

/** A mark inside brackets is read in different ways by different programs; then it is not surely plain. */
function partEnd(text: string, from: number, mark: string, pattern: boolean): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === mark) return at;
    else if (text[at] === "\n") return -1;
    else if (pattern && text[at] === "[") {
      const close = /^\[\^?\]?(?:\[:\w+:\]|[^\]\\\n])*\]/.exec(text.slice(at));
      if (!close || close[0].includes(mark)) return -1;
      at += close[0].length - 1;
    }
  }
  return -1;
}

const awkOptions =
  "-F: --field-separator= -v: --assign= -f: --file= -e: --source= -i: --include= -l: --load= -E: --exec= -o? -p? -d? -D? -b -c -C -g -h -I -k -L? -M -n -N -O -P -r -s -S -t -V";

function awk(words: Word[]): Hazard[] {
  const { given, operands } = readOptions(words, awkOptions, { leading: true });
  if (given.some(({ name }) => /^-[fEile]$|^--/.test(name) && name !== "--assign" && name !== "--field-separator")) return [];
  const at = operands[0];
  const program = at === undefined ? undefined : words[at]!.value;
  return program !== undefined && plainAwk(program)
    ? []
    : [{ at: at ?? 0, option: true, does: "its program may run other programs or read and write files" }];
}

/** No pipes, no output into files, no reading of others, no way to call what is not written there. */
function plainAwk(program: string): boolean {
  const bare = program.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""').replaceAll(/\|\|/g, " ");
  if (/\||\bsystem\b|\bgetline\b|@|\bclose\b|\bfflush\b|\bARGV\b|\bENVIRON\b|\bPROCINFO\b|\bBEGINFILE\b|`/.test(bare)) return false;
  // ">" compares within conditions; in front of what may be a name of a file it writes.
  return !/(?:print|printf)[^;{}\n]*>/.test(bare) && !/>>/.test(bare);
}
