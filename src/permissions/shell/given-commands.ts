// Commands that a program is given: behind a wrapper, as text for a shell, between -exec and ";".
import { runsFile, type SimpleCommand, type Word } from "./analysis.ts";
import { isHarmlessInEnvironment } from "./environment-names.ts";
import { literal } from "./literal.ts";
import { readOptions } from "./options.ts";
import { appended, found } from "./stand-ins.ts";
import type { State, Walk } from "./state.ts";
import { subcommandAt } from "./subcommand.ts";
import { subWrappers, type Wrapper, wrappers } from "./wrappers.ts";

export type Given = {
  program: string;
  words: Word[];
  command: SimpleCommand;
  state: State;
  walk: Walk;
  unclear: (reason: string) => void;
};

export function givenCommands(given: Given): void {
  const { program, words } = given;
  const name = program.replace(/\.exe$/i, "");
  const [, part] = /^git-(.+)$/.exec(name) ?? [];
  if (part) given.command.suspects.push([literal("git"), literal(part), ...words.slice(1)]);
  if (shells.has(name)) {
    shell(given);
    return;
  }
  switch (name) {
    case "eval":
      text(joined(words.slice(1)), "given to eval", given);
      return;
    case "trap": {
      const [first, ...signals] = words.slice(1).filter(({ value }) => value !== "--");
      if (first && signals.length > 0 && first.value !== "-") text(first.value, "given to trap", given);
      else if (words.slice(1).some(({ value }) => value === undefined)) given.unclear("what it traps is not known");
      return;
    }
    case "source":
    case ".":
      given.unclear(runsFile);
      return;
    case "find":
    case "gfind":
      find(given);
      return;
    case "fd":
    case "fdfind":
      behind(["-x", "-X", "--exec", "--exec-batch"], given);
      return;
    case "git": {
      textOptions(["-x", "--exec"], "rebase", given);
      // What `git push` does, by its other names.
      const at = subcommandAt("git", words);
      const verb = at === undefined ? undefined : words[at]!.value;
      if (at !== undefined && ["send-pack", "http-push", "subtree"].includes(verb ?? ""))
        given.command.suspects.push([words[0]!, literal("push"), ...words.slice(at + 1)]);
      break;
    }
    case "yarn":
    case "yarnpkg":
    case "bun": {
      // A name that is no script is looked for among programs.
      const named = words.findIndex(({ value }, at) => at > 0 && !value?.startsWith("-") && value !== "run");
      if (named > 0) given.command.suspects.push(words.slice(named));
      break;
    }
    case "parallel":
      if (words.every(({ value }, at) => at === 0 || value?.startsWith("-")))
        given.unclear("what parallel runs is not known before it runs");
      break;
    case "python":
    case "python2":
    case "python3":
      if (words[1]?.value === "-m" && words[2]) given.command.suspects.push(words.slice(2));
      break;
  }
  const sub = leadsOn.has(name) ? (subcommandAt(name, words) ?? (words[1]?.value?.startsWith("-") ? undefined : 1)) : undefined;
  const inner = sub === undefined ? undefined : subWrappers[`${name} ${words[sub]?.value}`];
  if (inner && sub !== undefined) {
    wrapped(inner, sub + 1, given);
    return;
  }
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper) wrapped(wrapper, 1, given);
}

const leadsOn = new Set(Object.keys(subWrappers).map((names) => names.split(" ")[0]));

const shells = new Set(
  "sh bash dash zsh ksh ksh93 mksh lksh pdksh ash rbash fish csh tcsh yash posh elvish nu xonsh osh ysh rc es hush".split(" "),
);
const bourne = new Set("sh bash dash ash rbash".split(" "));

function shell(given: Given): void {
  const { program, words, command, state, unclear } = given;
  const options =
    "-a -b -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -E -H -P -T -D -c -o: -O: --login --posix --norc --noprofile --noediting --restricted --verbose --debugger --rcfile= --init-file= --version --help";
  const read = readOptions(words, options, { leading: true });
  // `+x` is an option too, and a dash alone ends them.
  for (let at = read.operands[0]; at !== undefined && /^\+\w+$|^-$/.test(words[at]!.value ?? ""); at = read.operands[0]) {
    const more = readOptions(words, options, {
      from: words[at]!.value === "+O" || words[at]!.value === "+o" ? at + 2 : at + 1,
      leading: true,
    });
    read.given.push(...more.given);
    read.operands = more.operands;
    read.unknown ||= more.unknown;
  }
  if (read.given.some(({ name }) => ["--rcfile", "--init-file", "-i", "-l", "--login"].includes(name))) unclear("it reads a start file");
  const { operands } = read;
  const first = operands[0] === undefined ? undefined : words[operands[0]];
  if (read.given.some(({ name }) => name === "-c")) {
    if (read.unknown) {
      unclear(`the options of ${program} are not understood`);
      for (const word of words.slice(1))
        if (word.value !== undefined && !word.value.startsWith("-")) text(word.value, `given to ${program} -c`, given);
      return;
    }
    if (!bourne.has(program) && !/^[\w ./=:@,%+-]*$/.test(first?.value ?? "$")) unclear(`${program} reads its text in another way`);
    text(first?.value, `given to ${program} -c`, given);
    return;
  }
  if (read.unknown) unclear(`the options of ${program} are not understood`);
  if (first && !read.given.some(({ name }) => name === "-s")) {
    if (first.value === undefined) unclear(`what ${program} runs is not known before it runs`);
    // A script without a folder is looked for on PATH as well.
    command.suspects.push(words.slice(operands[0]));
    command.files.push({
      access: "read",
      ...(first.value !== undefined && !first.value.startsWith("~") && state.folders.length === 1 && state.folders[0] !== undefined
        ? { path: first.value }
        : {}),
    });
    return;
  }
  if (read.given.some(({ name }) => name === "--version" || name === "--help")) return;
  text(state.stdin?.text, `read by ${program}`, given);
}

/** Text that a shell will run. */
function text(script: string | undefined, where: string, { state, walk, command, unclear, program }: Given): void {
  if (script === undefined) {
    unclear(`what ${program} runs is not known before it runs`);
    return;
  }
  if (!grammarians.has(program) && otherInSh.test(script)) unclear("it is text for sh, which reads a part of it in another way than bash");
  const inner: State = { ...state, where, parent: command, depth: state.depth + 1, definite: new Set(), functions: new Set() };
  delete inner.stdin;
  walk.script(script, inner);
}

/** These read text as bash does; all others may hand it to a shell that knows less. */
const grammarians = new Set(["bash", "rbash", "eval", "trap"]);

/** What sh reads in another way: there `[[ a || b ]]` runs b. */
const otherInSh =
  /\$['"[]|[<>]\(|\[\[|\(\(|<<<|&>|\|&|;&|\{[^}]*(,|\.\.)|\b(function|select|coproc|time|source)\b|\$\{[^}]*[/^,@!:]|\+=|\w\[|^\s*\w+=\(|!\s*\(/m;

const joined = (words: Word[]) => (words.every(({ value }) => value !== undefined) ? words.map(({ value }) => value).join(" ") : undefined);

function wrapped(wrapper: Wrapper, from: number, given: Given): void {
  const { words, command, unclear, program } = given;
  const read = readOptions(words, wrapper.options, { from, leading: true });
  let rest = read.operands;
  const has = (...names: string[]) => read.given.some(({ name }) => names.includes(name));
  for (const { name, value } of read.given) if (wrapper.text?.includes(name)) text(value?.value, `given to ${program} ${name}`, given);
  if (has(...(wrapper.idle ?? [])) && !read.unknown) return;
  if (has("-C", "--chdir") && ["env", "sudo"].includes(program)) unclear(`${program} goes to another folder`);
  // A dash alone is `env -i` and `su -l`.
  if (rest[0] !== undefined && words[rest[0]]!.value === "-" && wrapper.text) rest = rest.slice(1);
  const before = wrapper.operands ?? 0;
  // Where an operand may be left out, the command begins one word earlier.
  if (before > 0 && rest[0] !== undefined) command.suspects.push(words.slice(rest[0]));
  const setting = (at: number | undefined) =>
    at !== undefined && wrapper.assigns && /^[A-Za-z_]\w*=/.test(words[at]!.value ?? words[at]!.start);
  while (setting(rest[0])) {
    const { value, start } = words[rest[0]!]!;
    const [, name = "", set] = /^(\w+)(?:=(.*))?/s.exec(value ?? start)!;
    command.assignments.push({ name });
    rest = rest.slice(1);
    if (!isHarmlessInEnvironment(name, value === undefined ? undefined : set))
      unclear(`it sets ${name} for the program, which may change what that does`);
  }
  rest = rest.slice(before);
  while (setting(rest[0])) rest = rest.slice(1);
  if (read.unknown) {
    unclear(`the options of ${program} are not understood`);
    for (let at = 1; at < words.length; at++) command.suspects.push(words.slice(at));
  }
  if (wrapper.text && rest[0] !== undefined && words[rest[0]]!.value?.startsWith("-")) {
    // Options may stand behind the operand: `flock file -c text`, `su person -c text`.
    const more = readOptions(words, wrapper.options, { from: rest[0] });
    if (more.unknown) unclear(`the options of ${program} are not understood`);
    for (const { name, value } of more.given) if (wrapper.text.includes(name)) text(value?.value, `given to ${program} ${name}`, given);
    return;
  }
  const inner = rest.map((at) => words[at]!);
  if (inner.length === 0) {
    if (wrapper.light) command.harmless = command.unclear === undefined && !wrapper.appends;
    return;
  }
  if (wrapper.runner && !read.unknown) command.runner = true;
  if (wrapper.elsewhere) command.suspects.push(inner);
  if (wrapper.joined && !has("-x", "--exec", "-N", "--shell=none")) {
    if (program === "parallel") unclear("what parallel appends is not known before it runs");
    text(joined(inner), `given to ${program}`, given);
    return;
  }
  const name = given.state.stdin?.prefixed ? found : appended;
  run(wrapper.appends ? [...inner.map((word) => replaced(word, read.given, name)), name] : inner, rest[0]!, given);
  if (wrapper.light && !read.unknown && command.unclear === undefined) command.harmless = true;
}

/** With -I each word that has the mark gets a name in its place. */
function replaced(word: Word, given: { name: string; value?: Word }[], name: Word): Word {
  const option = given.find(({ name }) => ["-I", "-i", "--replace", "-J"].includes(name));
  const mark = option && (option.value?.value || "{}");
  if (!mark || !word.value?.includes(mark)) return word;
  const start = word.value.slice(0, word.value.indexOf(mark));
  return word.value === mark ? name : { text: word.text, start };
}

function run(words: Word[], offset: number, { state, walk, command, program }: Given): void {
  const where = `run by ${program}`;
  const inner: State = {
    ...state,
    where,
    parent: command,
    depth: state.depth + 1,
    functions: new Set(),
  };
  walk.simple({ text: words.map(({ text }) => text).join(" "), words, assignments: [], files: [], offset }, inner);
}

function find(given: Given): void {
  const { words, command, state, unclear } = given;
  for (let at = 1; at < words.length; at++) {
    const value = words[at]!.value;
    if (!/^-(exec|execdir|ok|okdir)$/.test(value ?? "")) continue;
    let end = at + 1;
    while (end < words.length && words[end]!.value !== ";" && !(words[end]!.value === "+" && words[end - 1]!.value === "{}")) end++;
    const roots = command.files.map(({ path }) => path);
    const inner = words
      .slice(at + 1, end)
      .map((word) =>
        word.value === "{}"
          ? appended
          : word.value?.includes("{}")
            ? { text: word.text, start: word.value.slice(0, word.value.indexOf("{}")) }
            : word,
      );
    const folders = value!.includes("dir") ? [undefined] : state.folders;
    const stdin = roots.every((root) => root !== undefined) ? { listed: { roots: roots as string[], from: folders } } : {};
    // Names begin with the root that they were found below, so they are no options unless it is one.
    const safe = roots.every((root) => root !== undefined && !root.startsWith("-")) && !value!.includes("dir");
    if (inner.length > 0)
      run(
        inner.map((word) => (word === appended && safe ? found : word)),
        at + 1,
        { ...given, state: { ...state, stdin, folders } },
      );
    else unclear("what find runs is not known before it runs");
    at = end;
  }
}

function behind(options: string[], given: Given): void {
  const at = given.words.findIndex(({ value }) => options.includes(value ?? ""));
  if (at === -1) return;
  const inner = given.words.slice(at + 1).map((word) => (/\{[./]*\}/.test(word.value ?? "") ? appended : word));
  if (inner.length > 0) run([...inner, appended], at + 1, given);
}

/** `git rebase --exec "npm test"`. */
function textOptions(options: string[], subcommand: string, given: Given): void {
  const { words, program } = given;
  if (!words.some(({ value }) => value === subcommand)) return;
  for (const [at, { value }] of words.entries()) {
    const [name = "", attached] = (value ?? "").split(/=(.*)/s);
    if (options.includes(name)) text(attached ?? words[at + 1]?.value, `given to ${program} ${subcommand} ${name}`, given);
  }
}
