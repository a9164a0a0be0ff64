// Names of files and folders that builds, tests and linters create and can create again. A name counts only where git ignores it.

const folders = new Set(
  [
    "dist build out bin target obj _build .next .nuxt .svelte-kit .output .turbo .vite .parcel-cache .angular storybook-static .docusaurus",
    "coverage htmlcov .nyc_output .coverage test-results playwright-report .pytest_cache .mypy_cache .ruff_cache .hypothesis __pycache__",
    ".tox .nox .eggs .gradle .cache .eslintcache .stylelintcache .sass-cache",
  ].flatMap((line) => line.split(" ")),
);

const files = /\.(?:py[co]|o|obj|class|tsbuildinfo|gcda|gcno|egg-info|profraw)$/;

/** Names used for nothing else, in the form that a search takes: they count even if git does not ignore them. */
const sure = new Set(
  "__pycache__ *.pyc *.pyo .pytest_cache .mypy_cache .ruff_cache .nyc_output .eslintcache *.tsbuildinfo *.egg-info .DS_Store".split(" "),
);

export const isSureOutput = (name: string) => sure.has(name);

/** `path` is relative to a working directory. A path inside an output counts too. */
export function isBuildOutput(path: string): boolean {
  const names = path.split("/");
  return names.some((name) => folders.has(name)) || files.test(names.at(-1)!);
}
