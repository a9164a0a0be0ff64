// The rows of docs/specification.md, and whether what a row says of a test can be read in that test.
import { parseAst } from "rolldown/parseAst";

/** What a row says of one test: its title, and what it asserts. */
export type Claim = { title: string; sentence: string };
export type Row = { statement: string; where: string; claims: Claim[]; unshown: string | undefined; broken: string[] };

/** The rows of the tables of this page. `broken`: the parts of "shown by" that are neither a title with a sentence nor the mark. */
export function rowsOf(page: string): Row[] {
  return page
    .split("\n")
    .filter((line) => /^\| (?!statement )/.test(line))
    .map((line) => {
      const [, statement = "", where = "", shownBy = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
      const parts = shownBy.split(/<br>/);
      const claims = parts.flatMap((part) => {
        const [, title = "", sentence = ""] = /^"([^"]+)": (.+)$/.exec(part) ?? [];
        return title && sentence ? [{ title, sentence }] : [];
      });
      const [, unshown] = /^no test shows this: (.+)$/.exec(shownBy) ?? [];
      const broken = unshown === undefined && claims.length < parts.length ? parts.filter((part) => !/^"[^"]+": ./.test(part)) : [];
      return { statement, where, claims, unshown, broken };
    });
}

type Node = { type: string; start: number; end: number; [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/**
 * The source of each titled call of a test file, such as `it("title", …)`, by its title: without the title itself, and with the lists that the call
 * names, such as that of `it.each(cases)`.
 */
export function blocksOf(source: string): Map<string, string[]> {
  const lists = new Map<string, string>();
  const titled: { title: string; block: string; names: string[] }[] = [];
  visit(parseAst(source, { lang: "ts" }), (node) => {
    const { id, init } = node;
    if (isNode(id) && typeof id["name"] === "string" && isNode(init) && /^(?:Array|TSAs)Expression$/.test(init.type))
      lists.set(id["name"], source.slice(node.start, node.end));
    const [first, ...rest] = node.type === "CallExpression" ? (node["arguments"] as Node[]) : [];
    const title = first?.["value"];
    if (first?.type !== "Literal" || typeof title !== "string" || rest.length === 0) return;
    if (!/^(?:it|describe)\b/.test(source.slice(node.start))) return;
    const block = source.slice(node.start, first.start) + source.slice(first.end, node.end);
    titled.push({ title, block, names: namesIn(node) });
  });
  const blocks = new Map<string, string[]>();
  for (const { title, block, names } of titled) {
    const named = [...new Set(names)].flatMap((name) => lists.get(name) ?? []);
    blocks.set(title, [...(blocks.get(title) ?? []), [block, ...named].join("\n")]);
  }
  return blocks;
}

/** What is wrong with this claim, given the sources of the tests with its title; undefined if nothing is. */
export function faultOf({ title, sentence }: Claim, blocks: readonly string[] = []): string | undefined {
  if (blocks.length === 0) return `There is no test "${title}".`;
  const fragments = [...sentence.matchAll(/`([^`]+)`/g)].map(([, fragment = ""]) => fragment);
  if (fragments.length === 0) return `"${title}": the sentence quotes nothing of the test.`;
  const short = fragments.find((fragment) => fragment.length < 3);
  if (short !== undefined) return `"${title}": \`${short}\` is too short to be found only where it is meant.`;
  const missingIn = (block: string) => fragments.filter((fragment) => !block.includes(fragment));
  const [missing = []] = blocks.map(missingIn).toSorted((a, b) => a.length - b.length);
  return missing.length > 0 ? `"${title}": the test does not have ${missing.map((one) => `\`${one}\``).join(", ")}.` : undefined;
}

function namesIn(value: unknown): string[] {
  const names: string[] = [];
  visit(value, (node) => {
    if (node.type === "Identifier" && typeof node["name"] === "string") names.push(node["name"]);
  });
  return names;
}

function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, look);
  else if (isNode(value)) {
    look(value);
    for (const each of Object.values(value)) visit(each, look);
  }
}
