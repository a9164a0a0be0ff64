// The rules that a person would write for one simple command: the words that say what it does, followed by any others.
import type { SimpleCommand } from "../words/analysis.ts";
import { subcommandAt } from "../words/subcommand.ts";
import { loopbackOrigin } from "./loopback.ts";
import { marksOf } from "./marks.ts";

/** Texts for the parentheses of Bash(…), the best first. None if a wildcard would also cover uses that delete or run something else. */
export function naturalRules(command: SimpleCommand): string[] {
  const { words, readOnly } = command;
  const own = inlineRule(command) ?? localRule(command) ?? moduleRule(command);
  if (own !== undefined) return [own];
  if (!isOrdinary(command)) return [];
  const values = words.map(({ value }) => value);
  const [program = ""] = values;
  if (values.length === 2 && !program.includes("/") && /^(--version|--help|-V|-v|-h)$/.test(values[1] ?? "")) return []; // a rule for this would say nothing about other uses of the program
  const sub = subcommandAt(program, words);
  const verb = sub ?? targetAt(program, values);
  const spoken = readOnly ? readOnlyWords(sub) : spokenWords(program, values.slice(verb));
  if (spoken === undefined) return [];
  // Options before the subcommand may change what the rule covers, so the words are tried without and with them.
  const short = [program, ...values.slice(verb, verb + spoken)];
  const long = values.slice(0, spoken === 0 ? 1 : verb + spoken);
  return [...new Set([short, long].filter(isPlain).map((list) => `${list.join(" ")} *`))];
}

/** A rule for one server of this machine, with any path. */
function localRule({ words, hazards, unclear }: SimpleCommand): string | undefined {
  const origin = unclear === undefined && hazards.every(({ at }) => at === 0) ? loopbackOrigin(words) : undefined;
  return origin === undefined ? undefined : `curl ${origin}/*`;
}

/** A rule for a Python package of the tree, with any arguments. */
function moduleRule({ words, hazards, unclear }: SimpleCommand): string | undefined {
  const [program, option, name] = words.map(({ value }) => value);
  if (unclear !== undefined || !/^python3?$/.test(program ?? "") || option !== "-m" || !hazards.every(({ at }) => at === 1))
    return undefined;
  return hazards.length > 0 && /^[a-z_]\w*(?:\.\w+)*$/i.test(name ?? "") && !runsOthers.has(name!.split(".")[0]!)
    ? `${program} -m ${name} *`
    : undefined;
}

/** Modules that run code from their arguments, install, or serve. */
const runsOthers = new Set(
  "pip ensurepip venv virtualenv pipx http code pdb bdb timeit trace profile cProfile runpy idlelib zipapp asyncio doctest ipdb IPython jupyter smtpd twine pyperformance".split(
    " ",
  ),
);

/** Inline code is all alike to a rule: the rule ends where the code begins. */
function inlineRule({ words, hazards, unclear }: SimpleCommand): string | undefined {
  const last = hazards.at(-1);
  if (unclear !== undefined || !last || !hazards.every(({ code }) => code)) return undefined;
  const end = Math.max(...hazards.map(({ at }) => at));
  const spoken = end === 0 ? [words[0]?.value, "-"] : words.slice(0, end + 1).map(({ value }) => value);
  return isPlain(spoken) ? `${spoken.join(" ")} *` : undefined;
}

/** A rule for the program's subcommand with any arguments, for a command that has no natural rule. */
export function widerRule(command: SimpleCommand): string[] {
  const { words } = command;
  if (!isOrdinary(command) || naturalRules(command).length > 0) return [];
  const [program = "", verb = "", ...rest] = words.map(({ value }) => value ?? "");
  if (!verbed.has(program) || runsAnything.has(verb) || verb === "run" || rest.length === 0) return [];
  return isPlain([program, verb]) && /^[a-z]/.test(verb) ? [`${program} ${verb} *`] : [];
}

/** The index of make's target, after its folder and options that only change how it runs. */
function targetAt(program: string, values: (string | undefined)[]): number {
  const how = Object.entries(howOptions).find(([programs]) => programs.split(" ").includes(program))?.[1];
  let at = 1;
  while (how?.test(values[at] ?? "")) at += values[at] === "-C" ? 2 : 1;
  return at;
}

const howOptions: Record<string, RegExp> = {
  "make gmake": /^-(?:C|j\d*|k|s|B)$/,
  "mvn mvnw": /^-(?:q|B|o|ntp)$/,
  "npx bunx": /^(?:-y|--yes|--no|--no-install|--bun)$/,
};

function isOrdinary(command: SimpleCommand): boolean {
  const { hazards, unclear } = command;
  return unclear === undefined && hazards.length === 0 && marksOf(command).every((mark) => mark === "sends");
}

const isPlain = (list: (string | undefined)[]): list is string[] => list.every((word) => word !== undefined && /^[\w@./:+-]+$/.test(word));

const verbed = new Set(["git", "npm", "pnpm", "yarn", "cargo", "go", "gh", "kubectl", "docker"]);
const runsAnything = new Set(["exec", "x", "dlx", "config", "alias"]);

const readOnlyWords = (sub: number | undefined) => (sub === undefined ? 0 : 1);

/** How many words after the program say what it does; undefined if other arguments might do anything else. */
function spokenWords(program: string, [first = "", second = "", ...rest]: (string | undefined)[]): number | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (whole.has(name) || /^(?:\.\/)?[\w.-]*\w\/(?!\.\.)[\w./-]+$|^\.\/[\w-]/.test(program)) return 0;
  if (/^(node|deno|python3?|ruby|bash|sh|tsx|ts-node)$/.test(name) && /^[\w@./-]+\.\w+$/.test(first)) return 1; // a script of the repository
  if (/^python3?$/.test(name) && first === "-m")
    return modules.has(second) ? 2 : second === "pip" && /^(?:list|show|freeze|check)$/.test(rest[0] ?? "") ? 3 : undefined;
  if (targets.has(name)) return /^-n$|^[A-Za-z][\w:.-]*$/.test(first) ? 1 : undefined;
  const verbs = verbsOf.get(name);
  if (first === "exec" && verbs?.has("+")) return whole.has(second) ? 2 : undefined;
  if (verbs?.has(first)) return 1;
  if (/^[A-Za-z@][\w:./@-]*$/.test(second) && (verbs?.has(`${first}+`) || verbs?.has(`${first}+${second}`))) return 2;
  const inner = verbs?.has("+") && /^[\w@-]+$/.test(first) && !verbs.has(first) ? spokenWords(first, [second, ...rest]) : undefined;
  return inner === undefined ? undefined : 1 + inner;
}

/** Programs whose uses are all alike: they test, lint, build, format, or create and move files inside the working directory. */
const whole = new Set(
  [
    "pytest py.test ruff mypy pyright black flake8 isort pylint tox nox coverage tsc eslint prettier vitest jest mocha ava biome stylelint",
    "rustfmt gofmt gofumpt goimports golangci-lint staticcheck govulncheck errcheck gotestsum ctest ninja clang-format clang-tidy",
    "shellcheck shfmt hadolint yamllint actionlint oxlint tsup knip markdownlint cspell bandit vulture autopep8 yapf",
    "rspec rubocop phpunit phpstan mkdir cp mv",
  ].flatMap((line) => line.split(" ")),
);

/** Programs whose first operand is a target of the repository. */
const targets = new Set("make gmake just task rake mvn mvnw gradle gradlew".split(" "));

const modules = new Set(
  "pytest unittest py_compile mypy ruff black flake8 isort pylint build compileall coverage tox doctest json.tool".split(" "),
);

/** `run+`: the next word belongs to it. `pr+view`: that word alone. `+`: any program that has a rule of its own here. */
const verbsOf = new Map(
  Object.entries({
    npm: "test t lint build format typecheck check run+",
    "pnpm yarn bun": "test t lint build format typecheck check run+ +",
    cargo:
      "test build check clippy fmt doc bench nextest run llvm-cov audit deny machete expand pkgid locate-project read-manifest verify-project",
    rustup: "show which",
    go: "test build vet fmt list doc env generate mod+ tool+",
    flask: "routes",
    rustc: "--explain",
    alembic: "history current heads branches show",
    git: "add commit mv stash switch fetch pull push+ submodule+status",
    gh: "pr+list pr+view pr+status pr+diff pr+checks issue+list issue+view issue+status",
    docker: "ps images logs compose+",
    node: "--test --check",
    "npx bunx pnpx uvx": "+",
    uv: "run+ build tree pip+list pip+show pip+freeze pip+check pip+tree",
    "poetry pdm": "run+ build check show env+info",
    "hatch pipenv": "run+ build",
    "turbo lerna": "run+",
    nx: "test build lint run+",
    playwright: "test",
    cmake: "--build -S",
    deno: "test lint fmt check",
    dotnet: "build test format",
    mix: "test format compile",
    swift: "build test",
    zig: "build test",
    "cabal stack dune": "build test",
  }).flatMap(([programs, verbs]) => programs.split(" ").map((program) => [program, new Set(verbs.split(" "))] as const)),
);
