// Tells quickly which short keywords a text may contain, from its pairs and triples of characters: one pass over the text is many times
// faster than searching it for hundreds of keywords.

/** A set of the pairs of adjacent characters in a lower-case text, followed by its triples, which are hashed and may collide. */
export type Trigrams = Uint8Array;

const allPairs = 2 ** 14;
const triplePlaces = 2 ** 15;

/** Characters outside ASCII are mapped to ASCII ones. */
export function trigramsOf(small: string): Trigrams {
  const pairs = new Uint8Array(allPairs + triplePlaces);
  let before = 0;
  let last = 0;
  for (let at = 0; at < small.length; at++) {
    const code = small.charCodeAt(at) & 127;
    pairs[(last << 7) | code] = 1;
    pairs[tripleAt(before, last, code)] = 1;
    before = last;
    last = code;
  }
  return pairs;
}

const tripleAt = (first: number, second: number, third: number) => allPairs + (((first * 37 + second) * 37 + third) & (triplePlaces - 1));

/** Whether a text with these pairs may contain the keyword. May report false positives, never false negatives. */
export function mightContain(pairs: Trigrams, keyword: string): boolean {
  let before = -1;
  let last = -1;
  for (let at = 0; at < keyword.length; at++) {
    const given = keyword.charCodeAt(at);
    const code = given >= 65 && given <= 90 ? given + 32 : given & 127;
    if (last !== -1 && pairs[(last << 7) | code] !== 1) return false;
    if (before !== -1 && pairs[tripleAt(before, last, code)] !== 1) return false;
    before = last;
    last = code;
  }
  return true;
}
