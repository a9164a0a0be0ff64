// Whether a pattern of names that a shell will expand can come to a file that a rule is about: `cat s*t/key` is a way to write
// `cat secret/key`. Nobody looks at the disk: what is not there yet may be there when the command runs.
import { fold } from "./fold.ts";
import { foldPattern, type PathPattern } from "./path-rules.ts";

/**
 * `spelled`: its own letters say the name that the rule is about, or the end of its way there. `possible`: only its signs leave room for
 * it, as `*` does for everything.
 */
export type Meeting = "spelled" | "possible";

/** `glob`: absolute, with the shell's `*`, `?` and `[…]`. Undefined when no file that it fits is one of the rule's. */
export function meeting(glob: string, { base, pattern }: Pick<PathPattern, "base" | "pattern">): Meeting | undefined {
  const rule = segments(fold(base)).map(literalSegment);
  const own = foldPattern(pattern.replace(/\/$/, ""));
  const wanted = [...rule, ...(own.includes("/") ? [] : ([depth] as const)), ...segments(own).map(ruleSegment)];
  return along(segments(fold(glob)).map(globSegment), wanted);
}

const segments = (path: string) => path.split("/").filter((part) => part !== "" && part !== ".");

/** One character, any one, or any run of them. */
type Sign = { is: string } | "one" | "run";
type Segment = { signs: Sign[]; isPlain: boolean; dotted: boolean };

/** `**`: any number of folders. */
const depth = "any depth";

const segment = (signs: Sign[]): Segment => ({
  signs,
  isPlain: signs.every((sign) => typeof sign === "object"),
  dotted: typeof signs[0] === "object" && signs[0].is === ".",
});

const literalSegment = (name: string) => segment(Array.from(name, (is) => ({ is })));

/** A class counts as any character: whoever writes `[s]ecret` means to be misread. */
function globSegment(name: string): Segment {
  const parts = name.match(/\\[\s\S]|\[[!^]?\]?[^\]]*\]|[\s\S]/gu) ?? [];
  return segment(parts.map((part): Sign => (part === "*" ? "run" : part === "?" || /^\[.+\]$/s.test(part) ? "one" : { is: bare(part) })));
}

function ruleSegment(name: string): Segment | typeof depth {
  return name === "**" ? depth : globSegment(name);
}

const bare = (part: string) => (part.length > 1 && part.startsWith("\\") ? part.slice(1) : part);

/** What lies below a folder that the rule covers is covered too, and so is the folder of a rule about all that is in it. */
function along(glob: Segment[], rule: (Segment | typeof depth)[]): Meeting | undefined {
  const known = new Map<number, Meeting | undefined>();
  const from = (at: number, of: number, last: Meeting): Meeting | undefined => {
    if (of === rule.length || (at === glob.length && rule[of] === depth && of === rule.length - 1)) return last;
    if (at === glob.length) return undefined;
    const key = (at * (rule.length + 1) + of) * 2 + (last === "spelled" ? 1 : 0);
    if (!known.has(key)) known.set(key, next(at, of, last));
    return known.get(key);
  };
  const next = (at: number, of: number, last: Meeting): Meeting | undefined => {
    const wanted = rule[of]!;
    if (wanted === depth) return better(from(at, of + 1, last), () => from(at + 1, of, last));
    const met = pair(glob[at]!, wanted);
    return met && from(at + 1, of + 1, met);
  };
  return from(0, 0, "possible");
}

const better = (one: Meeting | undefined, other: () => Meeting | undefined) => (one === "spelled" ? one : (other() ?? one));

function pair(glob: Segment, rule: Segment): Meeting | undefined {
  if (rule.dotted && !glob.dotted && !glob.isPlain) return undefined; // no sign stands for the dot at a name's beginning
  if (!intersect(glob.signs, rule.signs)) return undefined;
  if (glob.isPlain) return "spelled";
  if (!saysLetters(glob) || !saysLetters(rule)) return "possible";
  const isMeant =
    samples(rule.signs).some((name) => intersect(glob.signs, name)) || samples(glob.signs).some((name) => intersect(name, rule.signs));
  return isMeant ? "spelled" : "possible";
}

const saysLetters = ({ signs }: Segment) => signs.some((sign) => typeof sign === "object" && sign.is !== ".");

/** Names that a person would say it is about. */
const samples = (signs: Sign[]): Sign[][] => [
  signs.map((sign) => (typeof sign === "object" ? sign : { is: "x" })),
  signs.flatMap((sign) => (sign === "run" ? [] : typeof sign === "object" ? [sign] : [{ is: "x" }])),
];

/** Whether there is a name that fits both: sign by sign of the one, with every place in the other that a common beginning can end at. */
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
