// Whether a glob that a shell will expand can match a file that a rule covers: `cat s*t/key` is a way to write `cat secret/key`. Does not
// use the disk: the file may be created before the command runs.
import { fold } from "./fold.ts";
import { foldPattern, type PathPattern } from "./path-rules.ts";

/** `spelled`: its letters spell the name in the rule, or the end of its path. `possible`: only its wildcards leave room, as `*` does. */
export type Meeting = "spelled" | "possible";

/** A parsed glob: absolute, with the shell's `*`, `?` and `[…]`. */
export type Glob = Segment[];

/** Undefined if no file that the glob matches is covered by the rule. */
export type Meets = (glob: Glob) => Meeting | undefined;

export const readGlob = (path: string): Glob => segments(fold(path)).map(segmentOf);

/** Whether each of the first names of the path fits its segment of the glob; `deeper`: it may be longer than the glob. */
export function standsFor(glob: Glob, path: string, { deeper }: { deeper: boolean }): boolean {
  const names = segments(fold(path)).map(literalSegment);
  return (
    (deeper || names.length <= glob.length) &&
    glob.every((segment, at) => names[at] !== undefined && pair(segment, names[at]) !== undefined)
  );
}

/** Compiled once per rule: a long command has hundreds of globs. */
export function meets({ base, pattern }: Pick<PathPattern, "base" | "pattern">): Meets {
  const own = foldPattern(pattern.replace(/\/$/, ""));
  const wanted = [
    ...segments(fold(base)).map(literalSegment),
    ...(own.includes("/") ? [] : ([depth] as const)),
    ...segments(own).map((name) => (name === "**" ? depth : segmentOf(name))),
  ];
  return (glob) => along(glob, wanted, { at: 0, of: 0, last: "possible" });
}

const segments = (path: string) => path.split("/").filter((part) => part !== "" && part !== ".");

/** One character, any one, or any run of them. */
type Sign = { is: string } | "one" | "run";

/** `plain`: the only name it matches. `letters`: it has letters of a name. `names`: what a person would say. `odd`: it may match any. */
type Segment = { signs: Sign[]; plain: string | undefined; dotted: boolean; letters: boolean; names: Sign[][]; odd?: true };

/** `**`: any number of folders. */
const depth = "any depth";
type Wanted = (Segment | typeof depth)[];

function segmentFrom(signs: Sign[]): Segment {
  const letters = signs.flatMap((sign) => (typeof sign === "object" ? [sign.is] : []));
  return {
    signs,
    plain: letters.length === signs.length ? letters.join("") : undefined,
    dotted: typeof signs[0] === "object" && signs[0].is === ".",
    letters: letters.some((letter) => letter !== "."),
    names: samples(signs),
  };
}

const literalSegment = (name: string) => segmentFrom(Array.from(name, (is) => ({ is })));

/** A character class counts as any character, one that is not plain as any text: somebody who writes `[s]ecret` wants to be misread. */
function segmentOf(name: string): Segment {
  if (!/[*?[\\]/.test(name)) return literalSegment(name);
  const parts: string[] = name.match(/\\[\s\S]|\[[!^]?[\w.-]+\]|[\s\S]/gu) ?? [];
  const from = parts.indexOf("[");
  const to = parts.findLastIndex((part) => part.endsWith("]"));
  if (from === -1 || to < from) return segmentFrom(parts.map(signOf));
  return { ...segmentFrom([...parts.slice(0, from).map(signOf), "run", ...parts.slice(to + 1).map(signOf)]), odd: true };
}

function signOf(part: string): Sign {
  if (part.length === 1 || part.startsWith("\\")) return part === "*" ? "run" : part === "?" ? "one" : { is: bare(part) };
  return part.startsWith("[") ? "one" : { is: part };
}

const bare = (part: string) => (part.length > 1 && part.startsWith("\\") ? part.slice(1) : part);

const samples = (signs: Sign[]): Sign[][] => [
  signs.map((sign) => (typeof sign === "object" ? sign : { is: "x" })),
  signs.flatMap((sign) => (sign === "run" ? [] : typeof sign === "object" ? [sign] : [{ is: "x" }])),
];

type Step = { at: number; of: number; last: Meeting; known?: Map<number, Meeting | undefined> };

/** A covered folder includes everything below it, and a rule for everything in a folder includes the folder. */
function along(glob: Glob, rule: Wanted, { at, of, last, known }: Step): Meeting | undefined {
  for (; of < rule.length; at++, of++) {
    const wanted = rule[of]!;
    if (wanted === depth) return at === glob.length && of === rule.length - 1 ? last : anyDepth(glob, rule, { at, of, last, known });
    const met = at < glob.length ? pair(glob[at]!, wanted) : undefined;
    if (!met) return undefined;
    last = met;
  }
  return last;
}

/** Each combination is checked once. */
function anyDepth(glob: Glob, rule: Wanted, { at, of, last, known = new Map() }: Step): Meeting | undefined {
  const key = (at * (rule.length + 1) + of) * 2 + (last === "spelled" ? 1 : 0);
  if (known.has(key)) return known.get(key);
  const none = along(glob, rule, { at, of: of + 1, last, known });
  const deeper = none === "spelled" || at === glob.length ? undefined : along(glob, rule, { at: at + 1, of, last, known });
  const best = none === "spelled" ? none : (deeper ?? none);
  known.set(key, best);
  return best;
}

function pair(glob: Segment, rule: Segment): Meeting | undefined {
  if (glob.plain !== undefined && rule.plain !== undefined) return glob.plain === rule.plain ? "spelled" : undefined;
  if (rule.dotted && !glob.dotted && glob.plain === undefined) return undefined; // no wildcard matches a leading dot
  if (!intersect(glob.signs, rule.signs)) return undefined;
  if (glob.plain !== undefined || glob.odd) return "spelled";
  if (!glob.letters || !rule.letters) return "possible";
  const isMeant = rule.names.some((name) => intersect(glob.signs, name)) || glob.names.some((name) => intersect(name, rule.signs));
  return isMeant ? "spelled" : "possible";
}

/** Whether some name matches both: walks along one, keeping every position that the other can be at. */
function intersect(one: Sign[], other: Sign[]): boolean {
  let row = [true, ...other.map((_, at) => other.slice(0, at + 1).every((sign) => sign === "run"))];
  for (const sign of one) {
    const next = row.map((there) => sign === "run" && there);
    for (const [at, wanted] of other.entries()) {
      const isBoth =
        sign === "one" || wanted === "one" || (typeof sign === "object" && typeof wanted === "object" && sign.is === wanted.is);
      if (wanted === "run") next[at] ||= row[at]!;
      if (wanted === "run" || sign === "run") next[at + 1] ||= next[at]!;
      else if (isBoth) next[at + 1] ||= row[at]!;
    }
    row = next;
  }
  return row.at(-1)!;
}
