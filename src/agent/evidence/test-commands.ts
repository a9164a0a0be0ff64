// Which command lines run tests, judged by their words alone: programs, subcommands and names of scripts.

/** `decides`: its exit code is that of the test, `success`: only an exit code of 0 says something about the test, `no`: none does. */
export type TestCommand = { exitCode: "decides" | "success" | "no" };

/** The last test that the command line runs; undefined if it runs none. */
export function testCommand(command: string): TestCommand | undefined {
  const steps = stepsOf(command);
  for (const [index, { words }] of [...steps.entries()].reverse()) {
    const inner = givenToShell(words);
    const found = inner === undefined ? isTest(words) && ({ exitCode: "decides" } as const) : testCommand(inner);
    if (found) return weaker(found, afterwards(steps, index));
  }
  return undefined;
}

type Separator = "&&" | "||" | ";" | "|" | "&" | "";
/** `next`: what stands between this simple command and the next. */
type Step = { words: string[]; next: Separator };

function weaker(a: TestCommand, b: TestCommand): TestCommand {
  const order: TestCommand["exitCode"][] = ["decides", "success", "no"];
  return order.indexOf(a.exitCode) > order.indexOf(b.exitCode) ? a : b;
}

/** What the exit code of the whole line says about the step at `index`. */
function afterwards(steps: Step[], index: number): TestCommand {
  const after = steps.slice(index).flatMap(({ next }) => (next === "" ? [] : [next]));
  const piped = steps.slice(0, index).some(({ words }) => words[0] === "set" && words.includes("pipefail"));
  const seen = piped ? after.filter((next) => next !== "|") : after;
  if (seen.length === 0) return { exitCode: "decides" };
  return { exitCode: seen.every((next) => next === "&&") ? "success" : "no" };
}

/** The simple commands of a command line. The bodies of here-documents are no commands. */
function stepsOf(command: string): Step[] {
  const steps: Step[] = [];
  const end = (words: string[], next: Separator) => {
    if (words.length > 0) steps.push({ words, next });
    else if (steps.length > 0 && next !== "" && next !== ";") steps[steps.length - 1] = { ...(steps.at(-1) as Step), next };
  };
  let words: string[] = [];
  for (const [token] of withoutHereDocuments(command).matchAll(tokens)) {
    if (/^\s+$/.test(token) && !token.includes("\n")) continue;
    const separator = separators[token] ?? (/^\s+$/.test(token) ? ";" : undefined);
    if (separator === undefined) {
      if (!token.startsWith("#")) words.push(unquoted(token));
      continue;
    }
    end(words, separator);
    words = [];
  }
  end(words, "");
  const last = steps.at(-1);
  if (last && last.next !== "&") steps[steps.length - 1] = { ...last, next: "" };
  return steps.map((step) => ({ ...step, words: withoutRedirections(step.words) }));
}

/** Comments, line ends, separators, redirections such as `2>&1`, words with their quotes, blanks. */
const tokens =
  /(?<=^|\s)#[^\n]*|\s*\n\s*|\d*[<>]+&?\d*-?|&>>?|&&|\|\|?&?|[;&(){}](?=[\s;&()]|$)|[;&()]|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\[\s\S]|[^\s;&|()<>'"\\])+|[ \t]+|./gs;
const separators: Record<string, Separator> = {
  "&&": "&&",
  "||": "||",
  "|": "|",
  "|&": "|",
  "&": "&",
  ";": ";",
  "(": ";",
  ")": ";",
  "{": ";",
  "}": ";",
};

function withoutHereDocuments(command: string): string {
  return command.replaceAll(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n[ \t]*\2[ \t]*(?=\n|$)|$)/g, "$3");
}

function unquoted(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\([\s\S])/g, (_all, single, double, escaped) => single ?? double ?? escaped ?? "");
}

function withoutRedirections(words: string[]): string[] {
  return words.filter(
    (word, index) => !isRedirection(word) && !(isRedirection(words[index - 1]) && !/&\d*-?$/.test(words[index - 1] ?? "")),
  );
}

const isRedirection = (word: string | undefined) => word !== undefined && /^(?:\d*[<>]+&?\d*-?|&>>?)$/.test(word);

/** The text of `sh -c text`. */
function givenToShell(words: string[]): string | undefined {
  const own = program(words);
  if (!own || !shells.has(own.name)) return undefined;
  const option = own.rest.findIndex((word) => /^-[a-z]*c$/.test(word));
  return option < 0 ? undefined : own.rest[option + 1];
}

const shells = new Set(["sh", "bash", "zsh", "dash"]);

/** The program without assignments, wrappers and package runners before it, by its file name. */
function program(words: string[]): { name: string; path: string; rest: string[] } | undefined {
  const path = words[0];
  if (path === undefined) return undefined;
  const name = path.replace(/^.*\//, "").replace(/\.(?:exe|cmd)$/, "");
  const rest = words.slice(1);
  if (/^\w+=/.test(path) || keywords.has(path)) return program(rest);
  if (wrappers.has(name))
    return program(
      rest.slice(
        Math.max(
          0,
          rest.findIndex((word) => !/^-|^\d+[smh]?$/.test(word)),
        ),
      ),
    );
  const through = runners.find(({ of, by }) => of.test(name) && (by === undefined || rest[0] === by));
  if (through) return program(withoutOptions(through.by === undefined ? rest : rest.slice(1)));
  return { name, path, rest };
}

/** From the first word on that is no option. */
function withoutOptions(words: string[]): string[] {
  const first = words.findIndex((word) => !word.startsWith("-"));
  return first < 0 ? [] : words.slice(first);
}

const keywords = new Set(["if", "then", "else", "do", "while", "!", "time"]);
const wrappers = new Set(["env", "timeout", "nice", "nohup", "command", "exec", "sudo", "xvfb-run", "cross-env", "stdbuf", "faketime"]);
/** Programs that run another one, which follows `by`. */
const runners: { of: RegExp; by?: string }[] = [
  { of: /^(?:npx|bunx|pnpx)$/ },
  { of: /^(?:npm|pnpm|yarn|bundle)$/, by: "exec" },
  { of: /^(?:pnpm|yarn)$/, by: "dlx" },
  { of: /^(?:uv|poetry|pipenv|pdm|hatch|rye)$/, by: "run" },
  { of: /^python[\d.]*$/, by: "-m" },
];

/** They run nothing when they are asked for this. */
const onlyShows = new Set([
  "--version",
  "--help",
  "-h",
  "-V",
  "--collect-only",
  "--co",
  "--listTests",
  "--list",
  "list",
  "--dry-run",
  "--no-run",
]);

function isTest(words: string[]): boolean {
  const own = program(words);
  if (!own || own.rest.some((word) => onlyShows.has(word))) return false;
  const { name, path, rest } = own;
  if (isTestScript(shells.has(name) || interpreters.test(name) ? rest.find((word) => !word.startsWith("-")) : path)) return true;
  return kinds.some(({ of, when }) => of.test(name) && when(rest));
}

const interpreters = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php)$/;

/** `test.sh`, `scripts/run-tests.py`, `parse.test.js`, `test_dates.py`, `dates_test.rb`. */
function isTestScript(path: string | undefined): boolean {
  const file = path?.includes("/") || /\.\w+$/.test(path ?? "") ? path?.replace(/^.*\//, "") : undefined;
  return file !== undefined && /^(?:.*[._-])?(?:tests?|specs?|e2e)(?:[._-].*)?$/i.test(file) && !file.endsWith(".d.ts");
}

type Kind = { of: RegExp; when: (rest: string[]) => boolean };

const first =
  (...names: string[]) =>
  (rest: string[]) =>
    names.includes(rest.find((word) => !/^[-+]|^.*=/.test(word)) ?? "");
const any = (name: RegExp) => (rest: string[]) => rest.some((word) => !word.startsWith("-") && name.test(word));
const always = () => true;
const testScript = /^(?:.*[:._-])?(?:tests?|specs?|e2e)(?:[:._-].*)?$/;

/** Programs that run tests, and the words with which they do. */
const kinds: Kind[] = [
  {
    of: /^(?:vitest|jest|mocha|ava|tap|tape|jasmine|karma|pytest|py\.test|unittest|tox|nox|nosetests|phpunit|pest|rspec|ctest|bats|busted|prove|nextest)$/,
    when: always,
  },
  { of: /^node$/, when: (rest) => rest.includes("--test") },
  {
    of: /^(?:deno|bun|cargo|go|dotnet|swift|zig|mix|dart|flutter|rails|bazel|bazelisk|buck2?|forge|stack|cabal|sbt|lein|playwright|ng|nx|turbo|meson|composer|gleam|crystal)$/,
    when: first("test", "nextest"),
  },
  { of: /^cypress$/, when: first("run") },
  { of: /^(?:npm|pnpm|yarn|bun)$/, when: (rest) => runsScript(rest) },
  { of: /^rake$/, when: any(/^(?:test|spec)(?::|$)/) },
  { of: /^(?:make|gmake|just|task|ninja|mage|invoke)$/, when: any(/^(?:.*[:_-])?(?:tests?|check|e2e)(?:[:_-].*)?$/) },
  { of: /^(?:mvnw?|gradlew?)$/, when: any(/(?:^|:)(?:test|verify|check|integration-?test)$/i) },
];

function runsScript(rest: string[]): boolean {
  const plain = rest.filter((word) => !word.startsWith("-"));
  const script = plain[0] === "run" || plain[0] === "run-script" ? plain[1] : plain[0];
  return script === "t" || script === "tst" || (script !== undefined && testScript.test(script));
}
