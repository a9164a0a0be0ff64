// The settings that git has when we start it: those below that a repository may decide, because they only describe its files, and ours. All
// others of the repository never reach our git; the person's own, in their home folder and the system's, do.

/** As `git config --list` prints it: the key with its section and name in lower case, and the value. */
export type Setting = readonly [key: string, value: string];

/** What is taken over from a repository; with a pattern, only such values. Anything that names a program or a file is not among them. */
const described: readonly (readonly [key: RegExp, value?: RegExp])[] = [
  [/^core\.(?:repositoryformatversion|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|sharedrepository)$/],
  [/^core\.(?:autocrlf|eol|safecrlf|bigfilethreshold|compression|logallrefupdates|quotepath|longpaths|trustctime|checkstat)$/],
  [/^core\.(?:sparsecheckout|sparsecheckoutcone)$/],
  [/^extensions\.(?:objectformat|refstorage|noop)$/],
  [/^remote\..+\.(?:url|pushurl|fetch)$/s],
  [/^branch\..+\.(?:remote|merge)$/s],
  [/^(?:user|author|committer)\.(?:name|email)$/],
  [/^i18n\.(?:commitencoding|logoutputencoding)$/],
  // What git-lfs itself writes there; another program under its name is not taken over.
  [/^filter\.lfs\.(?:clean|smudge|process|required)$/, /^(?:git-lfs (?:clean|smudge) -- %f|git-lfs filter-process|true|false)$/],
];

/** No program that the repository or the person has set is wanted in work of ours, but for the person's filters and merge drivers. */
const ours: readonly Setting[] = [
  ["core.bare", "false"],
  ["core.hookspath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "true"],
  ["core.splitindex", "false"],
  ["core.untrackedcache", "false"],
  ["core.commitgraph", "false"],
  ["core.multipackindex", "false"],
  ["pack.usebitmaps", "false"],
  ["diff.external", ""],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recursesubmodules", "false"],
  ["commit.gpgsign", "false"],
  ["tag.gpgsign", "false"],
  ["log.showsignature", "false"],
  ["merge.verifysignatures", "false"],
  ["rerere.enabled", "false"],
  ["protocol.allow", "never"],
  ["worktree.userelativepaths", "false"],
];

/** The text of a settings file, with those of the repository that only describe it, and then ours. */
export function ownConfig(repository: readonly Setting[]): string {
  return [...repository.filter(isDescription), ...ours].map(settingText).join("");
}

export function isDescription([key, value]: Setting): boolean {
  return described.some(([keys, values]) => keys.test(key) && (values?.test(value) ?? true));
}

/** git-config(1), "Syntax": `[section "subsection"] name = "value"`. */
function settingText([key, value]: Setting): string {
  const [, section = "", subsection, name = ""] = /^([^.]+)(?:\.(.*))?\.([^.]+)$/s.exec(key) ?? [];
  if (/[\n\0]/.test(subsection ?? "") || value.includes("\0")) return "";
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
  return `[${section}${subsection === undefined ? "" : ` ${quoted(subsection)}`}]\n\t${name} = ${quoted(value)}\n`;
}

/** From the output of `git config --list -z`. A key without a value counts as true. */
export function parseSettings(output: string): Setting[] {
  return output
    .split("\0")
    .filter(Boolean)
    .map((entry): Setting => {
      const end = entry.indexOf("\n");
      return end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    });
}
