// Finds tools by words, for a model that does not have them all in its request.
import type { OfferedTool } from "./catalog.ts";

/** The best first; a word in the name counts more than one in the description. Without words: all, in their order. */
export function findTools(tools: readonly OfferedTool[], query: string): OfferedTool[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...tools];
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function scoreOf({ name, called, description }: OfferedTool, words: readonly string[]): number {
  const [inName, inText] = [wordsOf(`${name} ${called}`), wordsOf(description)];
  const among = (list: readonly string[], word: string) => (list.includes(word) ? 2 : list.some((one) => one.startsWith(word)) ? 1 : 0);
  return words.reduce((sum, word) => sum + 3 * among(inName, word) + among(inText, word), 0);
}

/** `createIssue` and `create_issue` are the same two words. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=..)s$/, ""));
}
