// The rule to offer for one simple command beside the exact one: its program with its subcommand, and any other words. Offered only for programs
// that are known to do the work of one project and to run no other program that their words name.
import { marksOf, unknownGit, wantsNetwork } from "../uses/marks.ts";
import type { SimpleCommand } from "../words/analysis.ts";
import { nameOf, subcommandAt, withoutPlace } from "../words/invocation.ts";

/** Texts for Bash(…); none for what is not known here, since a wildcard covers all its uses, nor for what deletes or overwrites. */
export function subcommandRule(command: SimpleCommand): string[] {
  const { unclear } = command;
  const words = withoutPlace(command.words); // as covered
  const values = words.map(({ value }) => value);
  const [program = ""] = values;
  // A reading `gh` counts as sending, too, and its second word tells.
  if (unclear !== undefined || marksOf(command).some((mark) => mark !== "sends" || !/^(?:gh|glab)$/.test(program))) return [];
  const sub = subcommandAt(program, words);
  if (wantsNetwork(command) && sub === undefined) return []; // any host, with anything
  const said = program === "git" && unknownGit(command) ? sub : saidBy(program, values.slice(1), (sub ?? 1) - 1);
  const list = said === undefined ? [] : values.slice(0, said + 1);
  return list.length > 0 && list.every((word) => word !== undefined && /^[\w@./:+-]+$/.test(word)) ? [`${list.join(" ")} *`] : [];
}

type Words = (string | undefined)[];

/** How many words behind the program say what it does; undefined if others could make it run anything. `at`: where its subcommand is. */
function saidBy(program: string, rest: Words, at: number): number | undefined {
  const name = nameOf(program);
  const [first = "", second = ""] = rest;
  const runner = runners.find((words) => words[0] === name && words.slice(1).every((word, index) => rest[index] === word));
  if (runner) return saidInside(rest.slice(runner.length - 1), runner.length);
  if (scripted.test(name)) return scriptFile.test(first) ? 1 : first === "-m" && modules.has(second) ? 2 : undefined;
  if (targeted.test(name)) return /^[A-Za-z][\w:.-]*$/.test(first) ? 1 : undefined;
  const uses = subcommands.get(name);
  if (uses) return saidBySubcommand(uses, rest, at);
  return programs.has(name) || ofTree.test(program) ? (rest.length > 1 && /^[a-z][a-z-]*$/.test(first) ? 1 : 0) : undefined;
}

/** What a runner starts is one of the programs that are known here. */
function saidInside([program = "", ...rest]: Words, before: number): number | undefined {
  const said = /^\w[\w.-]*$/.test(program) ? saidBy(program, rest, 0) : undefined;
  return said === undefined ? undefined : before + said;
}

function saidBySubcommand(uses: Set<string>, rest: Words, at: number): number | undefined {
  const [verb = "", second = ""] = rest.slice(at);
  if (uses.has(`${verb} ${second}`) || (uses.has(`${verb} ?`) && isScript(second))) return at + 2;
  if (uses.has(verb)) return at + 1;
  return uses.has("?") ? saidInside(rest.slice(at), at + 1) : undefined; // `pnpm vitest`
}

/** The name of a script of the project, and of no interpreter. */
const isScript = (word: string) => /^(?!(?:.*sh|env|xargs|timeout|sudo)$)[A-Za-z@][\w:./@-]*$/.test(word) && !scripted.test(word);

const scriptFile = /^(?!.*\.\.\/)[\w@.][\w@./-]*\.\w+$/;

/** A program that the tree itself has, and not one that was installed into it. */
const ofTree = /^(?!\/|.*(?:\.\.|node_modules|v?env\/bin)\/)(?:.*\/)(?![^/]*(?:sh|env)$)[\w.-]+$|^\.\/(?:[\w-]+\/)*[\w-]+\.sh$/;

/** They run a program of the project, or of a registry, whose name follows. */
const runners = "npx,bunx,pnpx,uvx,uv run,poetry run,pdm run,pipenv run,hatch run,bundle exec,pnpm exec,yarn exec"
  .split(",")
  .map((words) => words.split(" "));

/** Interpreters: a script of the tree says what they do. */
const scripted =
  /^(?:node(?:js)?|deno|bun|i?python[\d.]*|pypy[\d.]*|ruby|perl5?|php|tsx|ts-node|pwsh|powershell|osascript|lua(?:jit)?[\d.]*|Rscript|julia|java|groovy|elixir)$/;
/** Their first operand is a target of the repository. */
const targeted = /^(?:g?make|just|task|rake|mvnw?|gradlew?|ant|ninja)$/;

const listed = (text: string) => new Set(text.split(/[ ,]+/));
const modules = listed("pytest unittest mypy ruff black isort flake8 pylint build compileall py_compile json.tool tabnanny");

/** Tests, checks, formats, compilers, and tools that work on the files that they are given. */
const programs = listed(
  `pytest jest mocha vitest ava tap playwright cypress tsc vue-tsc eslint prettier stylelint oxlint vite webpack rollup esbuild
  mypy pyright flake8 pylint black isort bandit vulture yapf rubocop rspec phpunit phpstan gofmt goimports gofumpt staticcheck govulncheck
  golangci-lint rustc rustfmt clang-format clang-tidy gcc g++ cc c++ clang shellcheck shfmt hadolint yamllint actionlint markdownlint protoc
  buf swiftlint ktlint cloc tokei scc loc cp mv mkdir touch ln cat ls wc head tail cut grep egrep fgrep zgrep uniq jq md5sum sha1sum sha256sum
  diff cmp gzip gunzip unzip iconv dos2unix tput ps lsof netstat bc printenv xmllint`.replaceAll("\n", " "),
);

/** Subcommands, some with the word behind them. `?`: the name of a script of the project, or a known program. */
const subcommands = new Map(
  `git: add,apply,blame,branch,checkout,cherry-pick,commit,diff,log,merge,mv,notes,reset,restore,revert,show,stash,stash pop,stash push,status,switch,tag,bisect start,bisect good,bisect bad,bisect reset
npm: test,t,run ?,run-script ?,start,ci,install,i,ls,list,why,outdated,audit,view
pnpm yarn: ?,test,run ?,start,build,dev,lint,typecheck,format,check,install,add,ls,list,why,outdated,audit
cargo: add,audit,bench,build,check,clean,clippy,doc,expand,fetch,fmt,insta,llvm-cov,locate-project,metadata,miri,nextest,package,pkgid,read-manifest,run,search,test,tree,update,verify-project
go: build,doc,env,fmt,generate,help,install,list,mod graph,mod tidy,mod verify,mod why,mod download,test,tool cover,tool nm,version,vet
docker podman: build,ps,images,logs,inspect,compose ps,compose up,compose down,compose logs,compose build,compose config
gh: pr view,pr list,pr diff,pr checks,pr status,issue view,issue list,run view,run list
uv pip pip3: build,lock,sync,tree,install,list,show,freeze,check,pip list,pip show,pip freeze,pip install
ruff biome coverage poetry dotnet swift: build,check,ci,format,html,install,lint,lock,report,restore,show,test,xml
pre-commit: run
alembic: upgrade,downgrade,revision,history,current,check
rustup openssl: show,toolchain list,rand,dgst,x509
mise turbo nx: run ?`
    .split("\n")
    .flatMap((line) => {
      const [names = "", uses = ""] = line.split(": ");
      return names.split(" ").map((name) => [name, new Set(uses.split(","))] as const);
    }),
);
