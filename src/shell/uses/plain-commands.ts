// Commands that do nothing but read or change their files. They need no rule of their own if each of those files may be read or changed. A
// narrow table: no language, no service, nothing that prints the environment.
import { lookingInGit } from "../tables/git-subcommands.ts";
import type { Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { readOptions } from "../words/options.ts";
import { gitChanges } from "./git-changes.ts";
import { saysVersion } from "./says-version.ts";

/** Only for commands without hazards in which nothing is unclear; uses such as `sort -o` are in the tables of hazards. */
export function isPlain(invocation: Invocation): boolean {
  const { program, words, sub, verb } = invocation;
  if (saysVersion(words)) return true;
  if (program === "git") return sub !== undefined && (gitLooks(words, sub, verb) || gitChanges(invocation) !== undefined);
  const fits = plain.get(program);
  return fits?.(words.slice(1)) ?? false;
}

/** Settings of go that contain no address and no credentials. */
const printsSettings = ([verb, ...names]: Word[]) =>
  verb?.value === "env" && names.length > 0 && names.every(({ value }) => /^(?!GOPROXY|GOAUTH)C?GO_?[A-Z_]+$/.test(value ?? ""));

/** Prints the environment, which may contain more than the caller meant to reveal. */
export function showsEnvironment({ program, words }: Invocation): boolean {
  const rest = words.slice(1);
  if (program === "jq")
    return rest.some(({ value }, at) => (value === undefined ? !isInput(rest, at) : /\benv\b|\$ENV\b|\$__prog/.test(value)));
  if (declaring.has(program)) return !rest.some(({ value, start }) => /^[A-Za-z_]\w*/.test(value ?? start));
  return program === "set" && rest.length === 0;
}

/** Whether the word follows jq's filter, with only options before it that take no value. */
function isInput(rest: Word[], at: number): boolean {
  const before = rest.slice(0, at).map(({ value }) => value ?? "-");
  const filter = before.findIndex((value) => !/^-[A-Za-z]*$|^--(?:raw-output|compact-output|slurp|exit-status|tab|sort-keys)$/.test(value));
  return filter !== -1 && !before[filter]!.startsWith("-") && !before.slice(0, filter).some((value) => /[fL]/.test(value));
}

const declaring = new Set(["export", "declare", "typeset", "readonly", "local"]);

type Fits = (rest: Word[]) => boolean;

const always: Fits = () => true;
const without =
  (option: RegExp): Fits =>
  (rest) =>
    rest.every(({ value, start }) => (value === undefined ? !/^[-@]/.test(start) : !option.test(value)));
const isOperand = ({ value, start }: Word) => !(value ?? start).startsWith("-");
const isKnown = (word: Word) => word.value !== undefined && isOperand(word);
/** Without a file these would be useless, or take their files from elsewhere. */
const onFiles =
  (fits: Fits): Fits =>
  (rest) =>
    rest.some(isOperand) && fits(rest);

const named = (names: string, fits: Fits = always): [string, Fits][] => names.split(" ").map((name) => [name, fits]);

const plain = new Map<string, Fits>([
  // Read-only programs.
  ...named("cat tac head tail nl wc cut paste join comm fold fmt expand unexpand tr rev column tsort od hexdump hd xxd"),
  ["strings", without(/^@/)], // it reads its options from that file
  ...named("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 base32 sort uniq diff cmp"),
  ...named("grep egrep fgrep rg find fd fdfind ls dir vdir tree du df stat file readlink realpath basename dirname"),
  ...named("pwd echo printf true false : test [ cd seq expr nproc arch uname whoami id which type sleep jq awk gawk mawk nawk"),
  ["go", printsSettings],
  ["command", ([first]) => first?.value === "-v" || first?.value === "-V"],
  ["mktemp", (rest) => /^(?:(?:-[dq]|--directory|-t [\w.-]+) ?)*$/.test(rest.map(({ value }) => value ?? "/").join(" "))],
  ["date", datePrints],
  // Programs that only read, or change the files that they name.
  ["sed", plainSuffix],
  ...named("mkdir rmdir touch tee truncate unlink", onFiles(always)),
  ["cp", onFiles(without(/^-[a-zA-Z]*[lsZ]|^--(?:l|sy|cont)/))],
  ["mv", onFiles(without(/^-[a-zA-Z]*Z|^--cont/))],
  [
    "rm",
    onFiles((rest) => rest.every((word) => isOperand(word) || /^(?:-[rRfvd]+|--|--force|--recursive|--verbose)$/.test(word.value ?? ""))),
  ],
  ["ln", ([option, ...places]) => /^-s[vn]*$/.test(option?.value ?? "") && places.length === 2 && places.every(isKnown)],
  ["chmod", ([mode, ...files]) => /^(?:[0-7]{3}|[ugoa]*[-+=][rwxX]+)$/.test(mode?.value ?? "") && files.some(isOperand)],
]);

/** An operand that is not a format would set the clock. */
function datePrints(rest: Word[]): boolean {
  const { operands, unknown } = readOptions([{ text: "date", value: "date", start: "date" }, ...rest], dateOptions);
  return !unknown && operands.every((at) => rest[at - 1]!.start.startsWith("+"));
}

const dateOptions = "-d: --date= -I? --iso-8601? -R --rfc-email --rfc-3339= -r: --reference= -u --utc --universal --debug -j -v: -n";

/** The backup is kept next to the file. */
function plainSuffix(rest: Word[]): boolean {
  return rest.every(({ value, start }) => {
    if (value === undefined && start.startsWith("-")) return false;
    const [, suffix = ""] = /^(?:-[nErsuz]*i|--in-place=?)(.*)$/s.exec(value ?? "") ?? [];
    return /^\.?\w{0,8}$/.test(suffix);
  });
}

/** `sub` is the index of the subcommand. */
function gitLooks(words: Word[], sub: number, verb: string | undefined): boolean {
  const rest = words.slice(sub + 1);
  if (rest.some(({ value, start }) => runsOrWrites.test(value ?? start))) return false;
  const values = rest.map(({ value }) => value);
  if (verb === undefined) return false;
  if (lookingInGit.has(verb)) return true;
  return listing[verb]?.(values) ?? false;
}

/** Options of every git command that walks through history, also abbreviated. */
const runsOrWrites = /^--(?:ou|ext|textc|open|no-index|exec|upload|receive|contents|filters|show-sig)/;

type Values = (string | undefined)[];

/** These change something unless they are told to list. */
const listing: Record<string, (values: Values) => boolean> = {
  branch: (values) => lists(values, /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at|--show-current)(?:=|$)/),
  tag: (values) => lists(values, /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at|-n\d*)(?:=|$)/),
  remote: (values) =>
    values.every((value) => /^(?:-v|--verbose)$/.test(value ?? "")) || values.join(" ") === "show" || values[0] === "get-url",
  submodule: ([first, ...rest]) => first === undefined || (first === "status" && only(rest, /^--(?:cached|recursive)$/)),
  stash: ([first]) => first === "list" || first === "show",
  worktree: ([first]) => first === "list",
  "symbolic-ref": (values) => only(values, /^(?:-q|--quiet|--short)$/, { operands: 1 }),
  apply: (values) => values.some((value) => checks.test(value ?? "")) && only(values, checkOptions),
  clean: (values) => values.some((value) => /^(?:-[dxX]*n[dxX]*|--dry-run)$/.test(value ?? "")) && only(values, /^(?:-[ndxX]+|--dry-run)$/),
  bisect: ([first, ...rest]) => first === "log" && rest.length === 0,
  notes: (values) => values.length <= 2 && /^(?:list|show)$/.test(values[0] ?? "list") && only(values, /^(?!)/),
  fsck: (values) => only(values, /^--(?:full|no-dangling|connectivity-only|no-progress|strict)$/, { operands: 0 }),
  var: (values) => values.length === 1 && /^GIT_[A-Z_]+$/.test(values[0] ?? ""),
  reflog: ([first]) => first === undefined || first === "show" || /^-(?:n?\d+|-\w.*)$/.test(first),
  config: (values) =>
    (values.length === 1 && /^[\w-]+\.[\w.-]*\w$/.test(values[0] ?? "")) ||
    (values.some((value) => /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list)$/.test(value ?? "")) &&
      values.every((value) => value !== undefined && (!value.startsWith("-") || readsSettings.test(value)))),
};

/** Only these options, and operands that are plain names in the tree. */
function only(values: Values, options: RegExp, { operands = Infinity } = {}): boolean {
  const named = values.filter((value) => !value?.startsWith("-"));
  return named.length <= operands && values.every((value) => options.test(value ?? "") || inTree.test(value ?? ""));
}

const inTree = /^(?![-/~])(?!.*\.\.(?:\/|$))[\w@+./-]+$/;
/** With one of these `git apply` changes nothing. */
const checks = /^--(?:check|stat|numstat|summary)$/;
const checkOptions = /^(?:--(?:check|stat|numstat|summary|reverse|verbose|recount)|-[Rv]|-p\d)$/;

/** Without operands it lists; with one, only if an option says so. */
function lists(values: Values, tells: RegExp): boolean {
  const options = values.filter((value) => value?.startsWith("-"));
  const isKnown = options.every((value) => tells.test(value!) || listsAs.test(value!));
  return isKnown && !values.includes(undefined) && (options.length === values.length || options.some((value) => tells.test(value!)));
}

const listsAs =
  /^(?:-a|--all|-r|--remotes|-v|-vv|--verbose|--sort=.*|--format=.*|--color(?:=.*)?|--no-color|--column(?:=.*)?|--no-column|-i|--ignore-case)$/;
const readsSettings =
  /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|--local|--global|--system|--worktree|--show-origin|--show-scope|--name-only|-z|--null|--includes|--type=\w+|--bool|--int|--path|--default=?.*|--all|--regexp|--value=.*)$/;
