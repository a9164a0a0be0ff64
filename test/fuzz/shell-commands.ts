// Random commands from the constructs of bash: each construct is one line, and any may be nested in any other.
import type { Random } from "./random.ts";

/** Programs that exist as stubs; nothing else can run. */
export const stubs = ["p0", "p1", "p2", "p3", "p4", "p5", "ls", "cat", "git", "npm"] as const;

type Make = (chance: Random, depth: number) => string;

/** One command of up to `depth` nested constructs; now and then one of its characters is damaged. */
export function shellCommand(chance: Random, depth: number): string {
  const command = list(chance, depth);
  return chance.chance(0.15) ? damaged(command, chance) : command;
}

const list: Make = (chance, depth) => (depth <= 0 ? simple(chance, 0) : chance.of(constructs)(chance, depth - 1));

const program: Make = (chance, depth) => {
  const name = chance.of(stubs);
  return chance.of<() => string>([
    () => name,
    () => name,
    () => name,
    () => `'${name}'`,
    () => `"${name}"`,
    () => `\\${name}`,
    () => `${name[0]}''${name.slice(1)}`,
    () => `${name[0]}\\${name.slice(1)}`,
    () => `$'${escaped(name.charCodeAt(0), chance)}${name.slice(1)}'`,
    () => `${name[0]}\\\n${name.slice(1)}`,
    () => `${name[0]}"${name.slice(1)}"`,
    () => (depth > 0 ? `$(echo ${name})` : name),
    () => `{${name},x}`,
  ])();
};

/** One of the ways to write a character in `$'…'`; now and then one that stands for no character, or only in part. */
function escaped(code: number, chance: Random): string {
  const [hex, octal] = [code.toString(16), code.toString(8)];
  const plain = [`\\x${hex}`, `\\x{${hex}}`, `\\${octal}`, `\\u${hex.padStart(4, "0")}`, `\\U${hex.padStart(8, "0")}`, `\\u${hex}`];
  const odd = [
    "\\UFFFFFFFF",
    "\\U00110000",
    "\\ud800",
    "\\xc3",
    "\\xff",
    "\\\n",
    "\\x{",
    "\\x",
    "\\u",
    "\\c",
    "\\001",
    "\\177",
    "\\q",
    "\\400",
    "\\0",
  ];
  return chance.chance(0.4) ? `${chance.of(odd)}${String.fromCharCode(code)}` : chance.of(plain);
}

const argument: Make = (chance, depth) =>
  chance.of<() => string>([
    () => chance.of(["a", "b", "-x", "--y=z", "a.b", "c/d", "1"]),
    () => `$'${escaped(32 + chance.below(95), chance)}${chance.of(["", "a", "6b}", "'b'c"])}'`,
    () => chance.of(["'a b'", '"a b"', "a\\ b", "$'a\\tb'", "''", '""', '"a\\"b"', "'a\"b'", "a\\\nb", '"$"', "a#b", "x'y'z"]),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for the shell
    () => chance.of(["$x", '"$x"', "${x}", "$y", '"${y}z"', "$#", "$?", "$*", '"$@"', "$((1+2))", "~/a", "{a,b}", "*.q", "a{1..3}", "a?"]),
    () => (depth > 0 ? `$(${list(chance, depth - 1)})` : "w"),
    () => (depth > 0 ? `"$(${list(chance, depth - 1)})"` : "w"),
    () => (depth > 0 ? `\`${backquoted(list(chance, depth - 1))}\`` : "w"),
    () => (depth > 0 ? `<(${list(chance, depth - 1)})` : "w"),
    () => (depth > 0 ? `\${u:-$(${list(chance, depth - 1)})}` : "w"),
    () => (depth > 0 ? `"\${u:=$(${list(chance, depth - 1)})}"` : "w"),
    () => (depth > 0 ? `\${x:+$(${list(chance, depth - 1)})}` : "w"),
    () => (depth > 0 ? `$(( $(${list(chance, depth - 1)}; echo 1) + 1 ))` : "w"),
    () => (depth > 0 ? `\${x/$(${list(chance, depth - 1)})/b}` : "w"),
    () => (depth > 0 ? `\${x#$(${list(chance, depth - 1)})}` : "w"),
  ])();

/** Inside backquotes, a backquote, dollar or backslash must be escaped to reach the inner command. */
const backquoted = (text: string) => text.replaceAll(/[\\`]/g, "\\$&");

const simple: Make = (chance, depth) => {
  const words = [program(chance, depth)];
  for (let count = chance.below(3); count > 0; count--) words.push(argument(chance, depth));
  return words.join(chance.chance(0.05) ? " \\\n " : " ");
};

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const constructs: Make[] = [
  simple,
  simple,
  (c, d) => `${list(c, d)}; ${list(c, d)}`,
  (c, d) => `${list(c, d)} && ${list(c, d)}`,
  (c, d) => `${list(c, d)} || ${list(c, d)}`,
  (c, d) => `${simple(c, d)} | ${simple(c, d)}`,
  (c, d) => `${simple(c, d)} |& ${simple(c, d)}`,
  (c, d) => `${simple(c, d)} & ${list(c, d)}; wait`,
  (c, d) => `${list(c, d)}\n${list(c, d)}`,
  (c, d) => `${simple(c, d)} # ${c.of(["p9", "; p9", "$(p9)"])}\n${list(c, d)}`,
  (c, d) => `(${list(c, d)})`,
  (c, d) => `( ( ${list(c, d)} ) )`,
  (c, d) => `{ ${list(c, d)}\n}`,
  (c, d) => `! ${list(c, d)}`,
  (c, d) => `time ${simple(c, d)}`,
  (c, d) => `if ${list(c, d)}\nthen ${list(c, d)}\nfi`,
  (c, d) => `if ! ${simple(c, d)}; then ${list(c, d)}\nelif ${simple(c, d)}; then ${list(c, d)}\nelse ${list(c, d)}\nfi`,
  (c, d) => `while ! ${simple(c, 0)}; do ${list(c, d)}\nbreak; done`,
  (c, d) => `until ${simple(c, 0)}; do ${list(c, d)}\nbreak; done`,
  (c, d) => `for x in ${argument(c, d)} ${argument(c, 0)}; do ${list(c, d)}\ndone`,
  (c, d) => `for x in p0 p1; do $x ${argument(c, d)}; done`,
  (c, d) => `for ((i=0; i<2; i++)); do ${list(c, d)}\ndone`,
  (c, d) => `case ${argument(c, d)} in a|b) ${list(c, d)};; *) ${list(c, d)}\n;; esac`,
  (c, d) => `case a in (a) ${list(c, d)};& b) ${list(c, d)};;& *) ${list(c, d)}\nesac`,
  (c, d) => `[[ -n ${argument(c, d)} && a == a* ]] && ${list(c, d)}`,
  (c, d) => `[[ a =~ ^a|b$ || $(${list(c, d)}) ]]`,
  (c, d) => `(( 1 + $(${list(c, d)}; echo 1) ))`,
  (c, d) => `f${d} () { ${list(c, d)}\n}; f${d} a`,
  (c, d) => `function g${d} { ${list(c, d)}\n}\ng${d}`,
  (c, d) => `h${d}() ( ${list(c, d)} ) ; h${d}`,
  (c, d) => `coproc { ${list(c, d)}\n}; wait`,
  (c, d) => `eval ${quoted(list(c, d))}`,
  (c, _d) => `eval ${simple(c, 0)}`,
  (c, d) => `bash -c ${quoted(list(c, d))}`,
  (c, d) => `bash -ec ${quoted(list(c, d))} name`,
  (c, d) => `sh -c ${quoted(simple(c, Math.min(d, 0)))}`,
  (c, d) => `bash <<'E${d}'\n${list(c, d)}\nE${d}\n`,
  (c, d) => `bash <<< ${quoted(list(c, d))}`,
  (c, d) => `env ${simple(c, d)}`,
  (c, d) => `env NODE_ENV=a ${simple(c, d)}`,
  (c, d) => `env -u q ${simple(c, d)}`,
  (c, d) => `timeout 5 ${simple(c, d)}`,
  (c, d) => `timeout -k 1 --signal=TERM 5 ${simple(c, d)}`,
  (c, d) => `nice -n 1 ${simple(c, d)}`,
  (c, d) => `nohup ${simple(c, d)}`,
  (c, d) => `stdbuf -oL ${simple(c, d)}`,
  (c, d) => `command ${simple(c, d)}`,
  (c, d) => `command -- ${simple(c, d)}`,
  (c, d) => `exec ${simple(c, d)}`,
  (c, d) => `(exec -a z ${simple(c, d)})`,
  (c, _d) => `echo a b | xargs ${simple(c, 0)}`,
  (c, _d) => `echo a b | xargs -n 1 ${simple(c, 0)}`,
  (c, _d) => `echo a | xargs -I{} ${simple(c, 0)} {}`,
  (c) => `find . -maxdepth 0 -exec ${simple(c, 0)} {} \\;`,
  (c) => `find . -maxdepth 0 -exec ${simple(c, 0)} {} +`,
  (c, d) => `trap ${quoted(list(c, d))} EXIT`,
  (c, d) => `${simple(c, d)} > out`,
  (c, d) => `${simple(c, d)} 2>&1 >> out`,
  (c, d) => `> out ${simple(c, d)} 2> /dev/null`,
  (c, d) => `${simple(c, d)} &> out < a`,
  (c, d) => `${simple(c, d)} > >(${list(c, d)})`,
  (c, d) => `${simple(c, d)} <<E${d}\nx $(${list(c, d)}) \`${backquoted(simple(c, 0))}\`\nE${d}\n`,
  (c, d) => `${simple(c, d)} <<-'E${d}'\n\t$(p9) \`p9\`\n\tE${d}\n`,
  (c, d) => `${simple(c, d)} <<< "$(${list(c, d)})"`,
  (c, d) => `{ ${list(c, d)}\n} > out 2>&1`,
  (c, d) => `x=${argument(c, d)}; ${list(c, d)}`,
  (c, d) => `x=p1; $x ${argument(c, d)}`,
  (c, d) => `x=a ${simple(c, d)}`,
  (c, d) => `x=(${argument(c, d)} b); ${list(c, d)}`,
  (c, d) => `x[0]=${argument(c, d)}; ${list(c, d)}`,
  (c, d) => `x+=${argument(c, d)}; ${list(c, d)}`,
  (c, d) => `local x=${argument(c, d)}; export NODE_ENV=${argument(c, d)}; ${list(c, d)}`,
  (c, d) => `echo ${argument(c, d)} ${argument(c, d)}`,
  (c, d) => `printf '%s' ${argument(c, d)} | ${simple(c, d)}`,
  (c, d) => `read x < a; ${list(c, d)}`,
  (c, d) => `test -f ${argument(c, d)} && ${list(c, d)}`,
  (c, d) => `[ ${argument(c, d)} = a ] || ${list(c, d)}`,
  (c, d) => `cd . && ${list(c, d)}`,
  (c, d) => `set -e; ${list(c, d)}`,
  (c, d) => `: ${argument(c, d)}; ${list(c, d)}`,
  (c, d) => `while read -r l; do ${list(c, d)}\ndone < a`,
];

export const constructCount = constructs.length;

/** Adds, removes or replaces one character that has a meaning to a shell. */
function damaged(command: string, chance: Random): string {
  const at = chance.below(command.length + 1);
  const special = chance.of("'\"\\`$(){}[];&|<>#!*?~= \n\t".split(""));
  const cut = chance.below(3);
  return command.slice(0, at) + (cut === 2 ? "" : special) + command.slice(at + (cut === 0 ? 0 : 1));
}
