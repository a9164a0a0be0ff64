// What a unit has changed of its own test: the harness runs that test as the unit leaves it, so whoever merges is told before they read its result.
import { tidyPath } from "./plan/file-patterns.ts";
import type { Unit } from "./plan/plan.ts";
import type { ChangedFile } from "./repository.ts";

/** The text of a file before and after the unit; undefined where there is none. */
export type Versions = (path: string) => Promise<{ before: string | undefined; after: string | undefined }>;

/**
 * Changed and deleted tests, and changed, deleted or new files that say which tests run and how. A new test is no change of one. In doubt a
 * file is among them.
 */
export async function changedTests(
  { test }: Pick<Unit, "test">,
  files: readonly ChangedFile[],
  versions: Versions,
): Promise<ChangedFile[]> {
  const found: ChangedFile[] = [];
  for (const file of files) {
    const isTest = file.kind !== "added" && (isNamedBy(test, file.path) || looksLikeTest(file.path));
    if (isTest || (decidesTests.test(file.path) && (await saysOtherwise(file.path, versions)))) found.push(file);
  }
  return found;
}

/** Whether the command names the file, or a folder that it is in; not one whose syntax alone it checks. */
function isNamedBy(test: string, path: string): boolean {
  const words = test
    .replaceAll(syntaxCheck, "")
    .split(/[\s=:,]+/)
    .map((word) => tidyPath(word.replaceAll(/["']/g, "")));
  return words.some((word) => word !== "" && word !== "." && (path === word || path.startsWith(`${word}/`)));
}

/** A use of an interpreter that runs nothing of the files behind it, up to the end of that command. */
const syntaxCheck = /(?<=^|[\s;&|(])(?:node (?:--check|-c)|php -l|ruby -w?c|perl -w?c|(?:ba|z)?sh -n|python3? -m py_compile)\s[^;&|]*/g;

/** By a folder or a part of its name, in any language: `tests/`, `a.test.js`, `a_spec.rb`, `test_a.py`, `ATest.java`, `__snapshots__`. */
function looksLikeTest(path: string): boolean {
  return path.split("/").some((name) => testWord.test(name) || /[a-z](?:Tests?|Spec)\.\w+$|^[A-Z]\w*(?:Tests?|Spec)\.\w+$/.test(name));
}

const testWord = /(?:^|[._-])(?:tests?|specs?|testing|snapshots?|snap|fixtures?)(?:[._-]|$)/i;

/** Files that runners, build tools and scripts read to know what a test is. */
const decidesTests =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|noxfile\.py|pytest\.ini|conftest\.py|phpunit\.xml(?:\.dist)?|(?:GNU)?[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|Rakefile|build\.gradle(?:\.kts)?|pom\.xml|Cargo\.toml|go\.mod|BUILD(?:\.bazel)?|\.[\w-]+rc(?:\.\w+)?|[\w.-]+\.config\.\w+)$/;

/** In a package.json only what is no dependency counts; any other of these files counts whatever is changed in it. */
async function saysOtherwise(path: string, versions: Versions): Promise<boolean> {
  if (!/(?:^|\/)package\.json$/.test(path)) return true;
  const { before, after } = await versions(path);
  return JSON.stringify(settingsOf(before)) !== JSON.stringify(settingsOf(after));
}

function settingsOf(text: string | undefined): unknown {
  try {
    const entries = Object.entries(JSON.parse(text ?? "{}") as Record<string, unknown>);
    return entries
      .filter(([key]) => !/dependencies$|^(?:version|description|keywords|license|author)$/i.test(key))
      .toSorted(([one], [other]) => one.localeCompare(other));
  } catch {
    return text;
  }
}

/** `its test was changed: test/a.js (deleted), package.json`. Undefined if nothing was. */
export function changedTestsText(files: readonly ChangedFile[] | undefined): string | undefined {
  if (!files?.length) return undefined;
  const named = files
    .slice(0, mostNamed)
    .map(({ path, kind }) => (kind === "changed" ? path : `${path} (${kind === "added" ? "new" : kind})`));
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return `its test was changed: ${named.join(", ")}${more}`;
}

const mostNamed = 5;
