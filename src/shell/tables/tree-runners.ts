// Programs that follow the same settings of a tree, with the rules that let code of the tree run, and the other rules for programs that follow
// those settings. One family a line.

type Family = [programs: string, runs: RegExp, follows: RegExp];

const never = /^(?!)/;
const families: Family[] = [
  [
    "cargo rustc rustup",
    /^cargo (?:\+\S+ )?(?:build|check|test|clippy|run|bench|nextest)\b/,
    /^(?:cargo (?:tree|metadata|pkgid|locate-project|read-manifest|verify-project)|rustup show)\b/,
  ],
  ["npm npx pnpm yarn node", /^(?:npm|pnpm|yarn) (?:t|test|run|build|exec)\b|^npx [\w-]/, /^(?:pnpm|yarn) (?:list|ls|why)\b/],
  [
    "python python3 source . pip pip3 uv poetry pdm flake8 pylint tox nox",
    /^(?:(?:uv|poetry|pdm|pipenv) run|python3? -m (?:pytest|unittest|tox|nox)|pytest|tox|nox|\.?venv\/bin\/(?:pytest|python3?))\b/,
    /^(?:python3? -m (?:pip (?:list|show|freeze|check|--version)|json\.tool)|uv (?:pip|tree)|poetry (?:check|show))\b/,
  ],
  ["go gofmt", /^go (?:test|run|generate)\b/, never],
  ["make gmake", /^g?make [A-Za-z]/, /^g?make -n\b/],
];

/** Whether the rule lets code of the tree run: what the program would follow, or any if none is named. */
export function letsTreeRun(rule: string, program?: string): boolean {
  return families.some(([programs, runs]) => (program === undefined || programs.split(" ").includes(program)) && runs.test(rule));
}

/** Whether the rule is for a program that follows the same settings of the tree. */
export function followsSame(rule: string, program: string | undefined): boolean {
  return families.some(([programs, , follows]) => programs.split(" ").includes(program ?? "") && follows.test(rule));
}
