// Which short marks may stand in a text, by the pairs of characters it has: to look for hundreds of marks one after another takes many
// times longer than to go through the text once.

/** The pairs of neighbouring characters that a text has, in small letters. What is not ASCII is taken for something that is. */
export type Pairs = Uint8Array;

export function pairsOf(small: string): Pairs {
  const pairs = new Uint8Array(2 ** 14);
  let last = 0;
  for (let at = 0; at < small.length; at++) {
    const code = small.charCodeAt(at) & 127;
    pairs[(last << 7) | code] = 1;
    last = code;
  }
  return pairs;
}

/** Whether a text with these pairs may have the mark: never no where it has. */
export function mayHave(pairs: Pairs, mark: string): boolean {
  let last = -1;
  for (let at = 0; at < mark.length; at++) {
    const given = mark.charCodeAt(at);
    const code = given >= 65 && given <= 90 ? given + 32 : given & 127;
    if (last !== -1 && pairs[(last << 7) | code] !== 1) return false;
    last = code;
  }
  return true;
}
