// Hazards that depend on the arguments: scripts of sed and awk, archives, requests, make, go and others.
import type { Hazard, Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { awkHazards } from "./awk-programs.ts";
import { addressesOf } from "./loopback.ts";
import { sedHazards } from "./sed-scripts.ts";

/** What a script runs or writes appears nowhere else in the command. */
const unseen = (found: Hazard[]) => found.map((hazard): Hazard => ({ ...hazard, unseen: true }));

export function scriptHazards(invocation: Invocation): Hazard[] {
  const { program, words } = invocation;
  switch (program) {
    case "sed":
    case "gsed":
      return unseen(sedHazards(words));
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
    case "original-awk":
      return unseen(awkHazards(words));
    case "tool":
    case "tool.js":
      return ourselves(words);
    case "kill":
      return ended(words);
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
    case "sqlite3":
    case "sqlite":
      return statements(words);
    case "jq":
    case "gojq":
    case "jaq":
    case "yq":
      return imports(words);
    case "curl":
      return [...others(program, words), ...furtherAddresses(words)];
    case "tar":
    case "gtar":
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

/** Words that name a file to send, or another machine. */
function others(program: string, words: Word[]): Hazard[] {
  const sends = /^g?tar$/.test(program)
    ? /^(?:--f[a-z]*=)?[^/=]*:/ // an archive on another host
    : program === "rsync" || program === "scp"
      ? /:/
      : /(^|=)[@<]|^[\w.-]+@[^:]*$|%output|^file:|^-(d|F|H|b|-data[\w-]*|-form)=?[\w.-]*@/i;
  return words.flatMap(({ value, start }, at) =>
    at > 0 && (sends.test(value ?? start) || (value === undefined && start === ""))
      ? [{ at, option: true, does: "it may send a file elsewhere" }]
      : [],
  );
}

/** A rule that spells out one address covers no further ones. */
function furtherAddresses(words: Word[]): Hazard[] {
  const spoken = words.flatMap(({ value, start }, at) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(value ?? start) ? [at] : []));
  return [...spoken.slice(1), ...addressesOf(words).slice(1)].map((at) => ({ at, option: false, does: "it contacts another address" }));
}

/** A word that is not a read-only command of this program is a prompt, and starts another agent. */
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

/** A command may end processes that the same text started, and no others. */
function ended(words: Word[]): Hazard[] {
  const isOwn = ({ value, job }: Word) => job === true || /^%[\d%+-]*$/.test(value ?? "");
  const processes = words.slice(/^-(?:[A-Z][A-Z\d]+|\d+|l)$/.test(words[1]?.value ?? "") ? 2 : 1);
  return processes.every(isOwn) ? [] : [{ at: 0, option: false, does: "kill ends processes" }];
}

/** Except for listing and testing, it writes files whose names are not in the command. */
function unzip(words: Word[]): Hazard[] {
  const only = words.slice(1).some(({ value }) => /^-[a-zA-Z]*[lptvzZ]/.test(value ?? ""));
  return only ? [] : [{ at: words.length, option: false, does: "unzip writes files that the command does not name" }];
}

/** A variable set for make ends up in lines that a shell runs. */
function settingsOfMake(words: Word[]): Hazard[] {
  const told = words.flatMap(({ value }, at): Hazard[] =>
    /^(-\w*f|--(make)?file=?)-?$/.test(value ?? "") && (words[at + 1]?.value === "-" || value!.slice(2).endsWith("-"))
      ? [{ at, option: true, does: "make runs the text on its standard input" }]
      : [],
  );
  const set = words.flatMap(({ value, start }, at) =>
    at > 0 && (/^[\w.]+[:?+!]*=.*[`$;&|<>()\n]/s.test(value ?? start) || runBy.test(value ?? start))
      ? [{ at, option: false, does: "make passes a variable to a shell, which may run its value" }]
      : [],
  );
  return [...told, ...set];
}

/** Variables that make runs, or reads as its own options. */
const runBy = /^(\.?SHELL|\.SHELLFLAGS|MAKE|MAKEFILES|(GNU)?MAKEFLAGS|MFLAGS|CC|CXX)[:?+!]*=/;

/** Checking a patch changes nothing. */
function applied({ words, sub, verb }: Invocation): Hazard[] {
  if (sub === undefined || verb !== "apply") return [];
  const rest = words.slice(sub + 1).map(({ value }) => value ?? "");
  const looks = rest.some((value) => /^--(check|stat|numstat|summary)$/.test(value)) && !rest.includes("--apply");
  return looks ? [] : [{ at: words.length, option: false, does: "git apply changes the files that the patch names" }];
}

/** Flags for the linker, and which of go's own tools it runs. */
function go(words: Word[]): Hazard[] {
  return words.flatMap(({ value = "" }, at): Hazard[] => {
    const [, attached] = /^--?ldflags(?:=(.*))?$/s.exec(value) ?? [undefined];
    const next = words[at + 1];
    const told = attached ?? next?.value ?? next?.text.replace(/^"(.*)"$/s, "$1").replaceAll(saysRevision, "x") ?? "-";
    if (/^--?ldflags(=|$)/.test(value) && !/^(\s|-s\b|-w\b|-X[ =]'?[\w./-]+=[\w.:+-]*'?)*$/.test(told))
      return [{ at, option: true, does: "go runs programs named in its linker flags" }];
    if (at === 1 && value === "tool" && !/^(cover|vet|nm|objdump|version)$/.test(words[2]?.value ?? ""))
      return [{ at, option: true, does: "go runs one of its tools, which can run programs and write files" }];
    const fetched = at > 0 && words[1]?.value !== "mod" && /^[\w.-]+\.[\w.-]+\/.*@/.test(value);
    return fetched ? [{ at, option: false, does: "go fetches that version of the package" }] : [];
  });
}

/** What git and date print for these is one word, which no option of the linker begins. */
const saysRevision = /\$\((?:git rev-parse(?: --short)? HEAD|git describe(?: --(?:tags|always|dirty|long))*|date(?: -u)? \+[%\w:.-]+)\)/g;

/** Python modules that check, test and format count as the programs of the same name, with their hazards. */
function modules(words: Word[]): Hazard[] {
  const at = words.findIndex(({ value }, index) => index > 0 && /^-[a-zA-Z]*m/.test(value ?? ""));
  const plain =
    at === 1 &&
    words[1]!.value === "-m" &&
    /^(pytest|unittest|mypy|black|ruff|flake8|isort|pylint|coverage|venv|compileall|py_compile|json\.tool|django|build|tox|nox)$/.test(
      words[2]?.value ?? "",
    );
  const looks = words[at + 1]?.value === "pip" && /^(list|show|freeze|check|--version)$/.test(words[at + 2]?.value ?? "");
  return at === -1 || plain || (at === 1 && looks) ? [] : [{ at, option: true, does: "it runs code from its arguments" }];
}

/** SQL functions that touch files, and other databases that are opened; without a statement it reads statements from elsewhere. */
function statements(words: Word[]): Hazard[] {
  const operands = words.flatMap(({ value }, at) => (at > 0 && !value?.startsWith("-") ? [at] : []));
  const reaching = operands.find((at, index) => index > 0 && touchesFiles.test(words[at]!.value ?? "attach"));
  const at = reaching ?? (operands.length < 2 ? words.length : undefined);
  return at === undefined ? [] : [{ at, option: true, does: "its statements may touch files or load a library" }];
}

const touchesFiles = /\b(readfile|writefile|load_extension|edit|fsdir|lsdir|zipfile|attach|vacuum\s+(\w+\s+)?into|fts3_tokenizer)\b/i;

/** jq modules are files, and so is the data that `import "x" as $data` reads, and what yq loads. */
function imports(words: Word[]): Hazard[] {
  return words.flatMap(({ value = "" }, at) =>
    at > 0 && ((/\b(import|include|modulemeta|get_search_list)\b/.test(value) && /"/.test(value)) || /\b(load\w*|system)\s*\(/.test(value))
      ? [{ at, option: true, does: "its program may read another file" }]
      : [],
  );
}
