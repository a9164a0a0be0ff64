// Programs asked only for their version, which they print without reading any files.
import type { Word } from "../words/analysis.ts";

/** Exactly one word after the program, which can mean nothing else. This use has no hazard, whatever else the program can do. */
export function saysVersion([program, word, ...rest]: Word[]): boolean {
  return rest.length === 0 && (versions.get(program?.value ?? "")?.test(word?.value ?? "") ?? false);
}

/**
 * Any program asked for its version or its options. Some of them start what the tree names for this (yarn the release of `yarnPath`), so in
 * the sandbox alone, or once code of the tree may run.
 */
export const onlySaysVersion = ([, word, ...rest]: Word[]) => rest.length === 0 && /^(?:--version|--help|-V)$/.test(word?.value ?? "");

/**
 * The same for a program of the tree that is named as such, rather than one that takes the name of another. A script may do its work whatever
 * its arguments are.
 */
export const asksTreeForVersion = (words: Word[]) =>
  onlySaysVersion(words) &&
  /^(?!.*\.\.(?:\/|$))(?!.*\.(?:(?:ba|z|k|fi)?sh|py|rb|pl|php|lua|ps1|[cm]?[jt]s)$)(?:\.\/)?[\w.-]+(?:\/[\w.-]+)+$|^\.\/[\w.-]+$/.test(
    words[0]?.value ?? "",
  );

const versions = new Map(
  Object.entries({
    "node npm ruby php perl make gmake docker gcc g++ cc c++ clang clang++": /^(?:--version|--help|-v)$/,
    "python python2 python3 pip pip3 uv ruff rustfmt": /^(?:--version|--help|-V)$/,
    "mypy black isort golangci-lint protoc buf meson ctest tsc prettier eslint npx vim nvim emacs less tokei cloc scc delta": /^--version$/,
    rustc: /^(?:--version|--help|-V|-vV)$/,
    cargo: /^(?:--version|--help|-V|--list)$/,
    "java javac": /^(?:--version|--help|-version)$/,
    "deno bun gem cmake ninja gh jq rg fd fdfind bash zsh curl wget tar sqlite3 psql shellcheck just": /^(?:--version|--help)$/,
    "bat ctags hyperfine strace valgrind gdb lldb zip unzip xz zstd ssh rsync podman": /^(?:--version|-V)$/,
    "corepack pre-commit xmllint pandoc ffmpeg gzip iconv": /^--version$/,
    openssl: /^(?:--version|version)$/,
    git: /^--version$/,
    go: /^version$/,
    tmux: /^-V$/,
  }).flatMap(([programs, words]) => programs.split(" ").map((program): [string, RegExp] => [program, words])),
);
