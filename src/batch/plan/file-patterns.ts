// Decides whether two units may change the same file, from the paths and patterns in the plan. May report false overlaps, never misses one.

/** A path or pattern that both may change; undefined if they cannot overlap. */
export function commonFile(these: string[], others: string[]): string | undefined {
  for (const one of these) for (const other of others) if (mayOverlap(one, other)) return isPattern(one) ? other : one;
  return undefined;
}

/** Whether the plan's paths and patterns cover a changed file. */
export function isNamed(path: string, files: string[]): boolean {
  return files.some((file) => covers(file, path));
}

function mayOverlap(one: string, other: string): boolean {
  if (!isPattern(one)) return covers(other, one) || covers(one, other);
  if (!isPattern(other)) return covers(one, other);
  // Two patterns overlap only if one fixed prefix begins with the other and one fixed suffix ends with the other.
  const [beginnings, endings] = [[beginning(one), beginning(other)] as const, [ending(one), ending(other)] as const];
  const startAlike = beginnings[0].startsWith(beginnings[1]) || beginnings[1].startsWith(beginnings[0]);
  return startAlike && (endings[0].endsWith(endings[1]) || endings[1].endsWith(endings[0]));
}

/** A path also covers everything below it. */
function covers(pattern: string, path: string): boolean {
  const plain = tidyPath(pattern);
  if (!isPattern(plain)) return tidyPath(path) === plain || tidyPath(path).startsWith(`${plain}/`);
  return expressionOf(plain).test(tidyPath(path));
}

function expressionOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
  return new RegExp(`^${source}(?:/.*)?$`, "s");
}

const isPattern = (text: string) => /[*?]/.test(text);
/** Without `./` before and slashes behind. */
export const tidyPath = (path: string) => path.replace(/^\.\//, "").replace(/\/+$/, "");
const beginning = (pattern: string) => /^[^*?]*/.exec(tidyPath(pattern))?.[0] ?? "";
const ending = (pattern: string) => /[^*?/]*$/.exec(tidyPath(pattern))?.[0] ?? "";
