// The spellings of one kind of command: `python -m pytest` and `uv run pytest` run the same tool, `npm t` and `pnpm test` the same script. One
// way to run a tool a line.

/** `kind`: what is run. `taken`: how many words say so. `local`: it is what the tree has installed or wrote down. */
export type Spelling = { kind: string; taken: number; local: boolean };

/** Tools that repositories install for themselves. Those in the first line run code of the tree, wherever they are installed. */
const running = new Set("pytest tox nox coverage mypy pylint flake8 jest vitest mocha eslint prettier".split(" "));
const tools = new Set([...running, ..."ruff black isort pyright tsc".split(" ")]);

/** What precedes a tool, the longest first. */
const runners = [
  "npm exec --",
  "python -m",
  "python3 -m",
  "uv run",
  "poetry run",
  "pdm run",
  "pipenv run",
  "npm exec",
  "npx",
  "pnpm exec",
  "pnpm",
  "yarn run",
  "yarn exec",
  "yarn",
].map((runner) => runner.split(" "));

/** Nobody starts a tool through more words. */
const mostWords = 8;

const installed = /^(?:\.\/)?(?:\.?venv\/bin|node_modules\/\.bin)\/([\w-]+)$/;

/** The first words of all of these, to tell most commands quickly. */
const heads = new Set([...tools, ...runners.map(([head]) => head), "bash", "sh", "node", "cargo"]);

/** Undefined for a command that has one spelling. */
export function spellingOf(words: (string | undefined)[]): Spelling | undefined {
  const [head = ""] = words;
  if (!heads.has(head) && !head.includes("/")) return undefined;
  return scriptIn(words) ?? fileIn(words) ?? builtIn(words) ?? toolIn(words);
}

/** Whether a rule for the first spelling lets at least as much of the tree run as the second. */
export const runsAsMuch = (one: Spelling, other: Spelling) =>
  one.kind === other.kind && (one.local || !other.local || running.has(one.kind));

/** A script of package.json. */
function scriptIn([program = "", verb = "", name = ""]: (string | undefined)[]): Spelling | undefined {
  if (!/^(?:npm|pnpm|yarn)$/.test(program)) return undefined;
  if (verb === "test" || (verb === "t" && program !== "yarn")) return { kind: "run test", taken: 2, local: true };
  if (!/^run(?:-script)?$/.test(verb) || !/^[A-Za-z][\w:.-]*$/.test(name) || tools.has(name)) return undefined;
  return { kind: `run ${name}`, taken: 3, local: true };
}

/** A script of the tree, started by itself or by the usual program for its language: `./scripts/a.sh` and `bash scripts/a.sh`. */
function fileIn([head = "", next = ""]: (string | undefined)[]): Spelling | undefined {
  const isStarted = !head.includes("/");
  const [, path, ending = ""] = scriptFile.exec(isStarted ? next : head) ?? [];
  if (path === undefined || (isStarted && !starters[ending]?.test(head))) return undefined;
  return { kind: `file ${path}`, taken: isStarted ? 2 : 1, local: true };
}

const scriptFile = /^(?:\.\/)?((?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(sh|py|[mc]?js))$/;
const starters: Record<string, RegExp> = { sh: /^(?:ba)?sh$/, py: /^python3?$/, js: /^node$/, mjs: /^node$/, cjs: /^node$/ };

/** `cargo run` builds a program and starts it: its rule covers the program, whose own rule covers nothing else. */
function builtIn([head = "", verb = ""]: (string | undefined)[]): Spelling | undefined {
  if (head === "cargo" && verb === "run") return { kind: "cargo run", taken: 2, local: true };
  return /^(?:\.\/)?target\/(?:debug|release)\/[\w-]+$/.test(head) ? { kind: "cargo run", taken: 0, local: false } : undefined;
}

function toolIn(words: (string | undefined)[], at = 0, isLocal = false): Spelling | undefined {
  const [, own] = installed.exec(words[at] ?? "") ?? [];
  const name = own ?? words[at] ?? "";
  const local = isLocal || own !== undefined;
  if (tools.has(name)) return { kind: name, taken: at + 1, local };
  const runner = runners.find((each) => each.every((word, index) => (index === 0 ? name : words[at + index]) === word));
  return runner && at < mostWords ? toolIn(words, at + runner.length, true) : undefined;
}
