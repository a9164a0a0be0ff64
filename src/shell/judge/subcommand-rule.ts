// The rule to offer for one simple command beside the exact one: its program with its subcommand, and any other words.
import { wrappers } from "../tables/wrappers.ts";
import { marksOf, wantsNetwork } from "../uses/marks.ts";
import { shells } from "../walk/given-to-shell.ts";
import type { SimpleCommand } from "../words/analysis.ts";
import { nameOf, subcommandAt, withoutPlace } from "../words/invocation.ts";

/** Texts for Bash(…); none for a program that runs others, since a wildcard covers all its uses, nor for what deletes or overwrites. */
export function subcommandRule(command: SimpleCommand): string[] {
  const { unclear } = command;
  const words = withoutPlace(command.words); // as covered
  const values = words.map(({ value }) => value);
  const [program = ""] = values;
  // A reading `gh` counts as sending, too, and its second word tells.
  if (unclear !== undefined || marksOf(command).some((mark) => mark !== "sends" || !/^(?:gh|glab)$/.test(program))) return [];
  const sub = subcommandAt(program, words);
  if (wantsNetwork(command) && sub === undefined) return []; // any host, with anything
  const said = saidBy(nameOf(program), values.slice(1), sub);
  const list = said === undefined ? [] : values.slice(0, said + 1);
  return list.length > 0 && list.every((word) => word !== undefined && /^[\w@./:+-]+$/.test(word)) ? [`${list.join(" ")} *`] : [];
}

/** How many words behind the program say what it does; undefined if others could make it run anything. `sub`: the index of its subcommand. */
function saidBy(name: string, rest: (string | undefined)[], sub: number | undefined): number | undefined {
  const [first = "", second = ""] = rest;
  const runner = runners.find((words) => words[0] === name && words.slice(1).every((word, at) => rest[at] === word));
  if (runner) return saidInside(rest.slice(runner.length - 1), runner.length);
  if (scripted.test(name)) return scriptFile.test(first) ? 1 : modules.test(`${first} ${second}`) ? 2 : undefined;
  if (running.has(name) || wrappers.has(name) || shells.has(name)) return undefined;
  if (targeted.test(name)) return /^[A-Za-z][\w:.-]*$/.test(first) ? 1 : undefined;
  if (sub !== undefined) return saidBySubcommand(`${name} ${rest[sub - 1]}`, rest.slice(sub), sub);
  if ((asksVersion.test(first) && rest.length === 1) || rest.some(isText)) return undefined;
  if (!/^[a-z][a-z-]*$/.test(first) || rest.length === 1) return 0;
  // Here `run` may be followed by files: `vitest run a.test.ts`.
  return first === "run" && !/^\w[\w:-]*$/.test(second) ? 1 : saidBySubcommand(`${name} ${first}`, rest.slice(1), 1);
}

/** Whether it is what an option such as `-c` or `-e` is given, and no name: text in some language. */
const isText = (word: string | undefined, at: number, rest: (string | undefined)[]) =>
  /[\s;(){}$|]/.test(word ?? "") && /^(?:-[a-z]*[cefx]|--(?:command|eval|execute?|expression|script))$/i.test(rest[at - 1] ?? "");

/** What a runner starts is one of the project's programs. */
function saidInside([program = "", ...rest]: (string | undefined)[], before: number): number | undefined {
  const said = /^\w[\w.-]*$/.test(program) ? saidBy(program, rest, undefined) : undefined;
  return said === undefined ? undefined : before + said;
}

function saidBySubcommand(begin: string, [further = "", ...rest]: (string | undefined)[], sub: number): number | undefined {
  if (runsAnything.test(begin)) return undefined;
  if (!twoWords.test(begin)) return sub;
  if (!/^[A-Za-z@][\w:./@-]*$/.test(further)) return runsLater.test(begin) ? undefined : sub;
  if (runsAnything.test(` ${further}`) || (runsLater.test(` ${further}`) && !begin.endsWith(" run"))) return undefined;
  return begin.endsWith(" run") && saidInside([further, ...rest], 0) === undefined ? undefined : sub + 1;
}

const asksVersion = /^(?:-v|-V|--version|--help)$/;
const scriptFile = /^(?!.*\.\.\/)[\w@.][\w@./-]*\.\w+$/;

/** Subcommands that run what is behind them, change what later ones run, or send to a place that is not said. */
const runsAnything =
  / (?:exec|x|dlx|config|alias|eval|api|foreach|shell|develop|console|runner)$|^(?:docker|podman|nerdctl|kubectl) run$|^git (?:push|difftool|mergetool)$/;

/** The word behind these says what they do. */
const twoWords = /^(?!cargo)\S+ (?:run|run-script|mod|tool|compose|pip|pr|issue|stash|submodule|remote|bisect|hook)$/;

/** Among those, the ones of which a word runs what is behind it. */
const runsLater = / (?:run|compose|submodule|bisect|hook)$/;

/** They run a program of the project, or of a registry, whose name follows. */
const runners = "npx,bunx,pnpx,uvx,uv run,poetry run,pdm run,pipenv run,hatch run,bundle exec,pnpm exec,yarn exec"
  .split(",")
  .map((words) => words.split(" "));

/** Interpreters: a script of the tree says what they do. */
const scripted =
  /^(?:node(?:js)?|deno|bun|i?python[\d.]*|pypy[\d.]*|ruby|perl5?|php|tsx|ts-node|pwsh|powershell|osascript|lua(?:jit)?[\d.]*|Rscript|julia|java|groovy|elixir)$/;
const modules = /^-m (?!pip$|http|code|pdb|timeit|trace|runpy|venv|ensurepip|doctest)[a-z_]\w*(?:\.\w+)*$/i;
/** Their first operand is a target of the repository. */
const targeted = /^(?:g?make|just|task|rake|mvnw?|gradlew?|ant|ninja)$/;

/** Programs that run what their words say, wherever in them. */
const running = new Set(
  [
    "cmake find gfind fd fdfind xargs parallel awk gawk mawk nawk sed vim vi nvim emacs ed git-bisect tmux screen at batch crontab rm",
    "volta nix tar gtar bsdtar rsync zip man less more gdb lldb psql mysql sqlite3 ansible R",
  ].flatMap((line) => line.split(" ")),
);
