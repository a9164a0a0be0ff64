// Finds hundreds of short keywords in one pass over a text: where two characters begin none of them, nothing more is done; elsewhere the next one, two
// and three characters say which keywords may begin there.

/** The number of each keyword that the text contains, with the places where it begins. */
export type Places = Map<number, number[]>;

/** `apart`: a keyword is not looked for again within so many characters of its last place. */
export function keywordSearch(keywords: readonly string[], apart = 1): (text: string) => Places {
  const begins = beginningsOf(keywords);
  return (text) => {
    const places: Places = new Map();
    const meet = (bucket: readonly number[] | undefined, at: number) => {
      if (bucket === undefined) return;
      for (const number of bucket) {
        const known = places.get(number);
        if (known !== undefined && at < known[known.length - 1]! + apart) continue;
        if (!text.startsWith(keywords[number]!, at)) continue;
        if (known) known.push(at);
        else places.set(number, [at]);
      }
    };
    const lowest = lowestBytes(text);
    let first = lowest[0]! & mask;
    let second = lowest[1]! & mask;
    for (let at = 0; at < text.length; at++) {
      const third = lowest[at + 2]! & mask;
      const pair = pairOf(first, second);
      if (begins.any[pair] !== 0) {
        const one = begins.one[first]!;
        if (one !== 0) meet(begins.buckets[one], at);
        const two = begins.two[pair]!;
        if (two !== 0) meet(begins.buckets[two], at);
        const three = begins.three[tripleOf(first, second, third)]!;
        if (three !== 0) meet(begins.buckets[three], at);
      }
      first = second;
      second = third;
    }
    return places;
  };
}

/**
 * The same for rules of which each is worth applying only where one of its keywords stands: the numbers of the rules whose keywords the text
 * contains, with the places of these, in the order of the rules.
 */
export function ruleSearch(
  rules: readonly { keywords?: readonly string[] | undefined }[],
  apart = 1,
): (text: string) => [number, number[]][] {
  const rulesOf = new Map<string, number[]>();
  for (const [number, { keywords = [] }] of rules.entries())
    for (const keyword of keywords) {
      const known = rulesOf.get(keyword);
      if (known) known.push(number);
      else rulesOf.set(keyword, [number]);
    }
  const search = keywordSearch([...rulesOf.keys()], apart);
  const numbers = [...rulesOf.values()];
  return (text) => {
    const places: Places = new Map();
    for (const [keyword, found] of search(text))
      for (const rule of numbers[keyword]!) places.set(rule, [...(places.get(rule) ?? []), ...found]);
    return [...places].toSorted(([one], [other]) => one - other);
  };
}

/**
 * Numbers of buckets by the first characters of the keywords in them; 0 is none. Characters share places: a bucket only may have the keyword.
 * `any`: 1 where a keyword may begin with these two.
 */
type Beginnings = { any: Uint8Array; one: Uint16Array; two: Uint16Array; three: Uint16Array; buckets: (number[] | undefined)[] };

function beginningsOf(keywords: readonly string[]): Beginnings {
  const begins: Beginnings = {
    any: new Uint8Array(2 ** 14),
    one: new Uint16Array(mask + 1),
    two: new Uint16Array(2 ** 14),
    three: new Uint16Array(2 ** 15),
    buckets: [undefined],
  };
  for (const [number, keyword] of keywords.entries()) {
    const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) => keyword.charCodeAt(at) & mask);
    const [table, place] =
      keyword.length === 1
        ? [begins.one, first]
        : keyword.length === 2
          ? [begins.two, pairOf(first, second)]
          : [begins.three, tripleOf(first, second, third)];
    if (table[place] === 0) table[place] = begins.buckets.push([]) - 1;
    begins.buckets[table[place]!]!.push(number);
    if (keyword.length > 1) begins.any[pairOf(first, second)] = 1;
    else begins.any.fill(1, pairOf(first, 0), pairOf(first, mask) + 1);
  }
  return begins;
}

const mask = 127;
const pairOf = (first: number, second: number) => (first << 7) | second;
const tripleOf = (first: number, second: number, third: number) => ((first * 37 + second) * 37 + third) & (2 ** 15 - 1);

/** The lowest eight bits of each character, and two zeros: quicker to look through than a text. */
function lowestBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length + 2);
  bytes.write(text, "latin1");
  return bytes.fill(0, text.length);
}
