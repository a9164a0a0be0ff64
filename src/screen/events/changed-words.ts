// Which words of two lines differ.

/** From a character to another, which is not included. */
export type Range = [from: number, to: number];

/** More words would take noticeably long, and a line in which nearly everything differs has no marks: they would say nothing. */
const mostWords = 200;
const leastKept = 0.3;

/** The words of each line that the other one does not have in that order; none if the lines have little in common. */
export function changedWords(before: string, after: string): [Range[], Range[]] {
  const [old, next] = [wordsOf(before), wordsOf(after)];
  if (old.length > mostWords || next.length > mostWords) return [[], []];
  const lengths = commonLengths(old, next);
  const keptOld = new Set<number>();
  const keptNext = new Set<number>();
  for (let at = 0, other = 0; at < old.length && other < next.length; ) {
    if (old[at] === next[other]) {
      keptOld.add(at++);
      keptNext.add(other++);
    } else if (lengths[at + 1]![other]! >= lengths[at]![other + 1]!) at++;
    else other++;
  }
  const kept = [...keptOld].reduce((sum, index) => sum + old[index]!.trim().length, 0);
  if (kept < leastKept * Math.max(before.trim().length, after.trim().length)) return [[], []];
  return [rangesBut(old, keptOld), rangesBut(next, keptNext)];
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** For each pair of positions, how many words the rests have in common. */
function commonLengths(old: string[], next: string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => Array.from({ length: next.length + 1 }, () => 0));
  for (let at = old.length - 1; at >= 0; at--)
    for (let other = next.length - 1; other >= 0; other--)
      lengths[at]![other] =
        old[at] === next[other] ? lengths[at + 1]![other + 1]! + 1 : Math.max(lengths[at + 1]![other]!, lengths[at]![other + 1]!);
  return lengths;
}

function rangesBut(words: string[], kept: Set<number>): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  for (const [index, word] of words.entries()) {
    const to = from + word.length;
    const last = ranges.at(-1);
    if (!kept.has(index) && last?.[1] === from) last[1] = to;
    else if (!kept.has(index)) ranges.push([from, to]);
    from = to;
  }
  return ranges;
}
