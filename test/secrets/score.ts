// How well a scanner classifies the labelled lines.
import type { Scanner } from "../../src/secrets/secrets.ts";
import { scanText, scanWith } from "../../src/secrets/secrets.ts";
import { type LabelledSet, labelled } from "./labelled.ts";

export type Score = {
  /** Secrets, and how many of them were covered completely. */
  secrets: number;
  covered: number;
  harmless: number;
  /** Findings that are not secrets. */
  wrong: number;
  recall: number;
  precision: number;
  /** The lines that were judged wrongly, as they are in the file. */
  mistakes: string[];
};

/** With `scanner`, its findings are added to those of our own rules. Each line is scanned by itself, as if it were a file. */
export async function score(half: LabelledSet, { seed, scanner }: { seed: number; scanner?: Scanner }): Promise<Score> {
  const lines = labelled(half, seed);
  const result = { secrets: 0, covered: 0, harmless: 0, wrong: 0, mistakes: [] as string[] };
  for (const line of lines) {
    const found = scanner ? await scanWith(scanner, line.text, { path: line.path }) : scanText(line.text, { path: line.path });
    const missed = line.secrets.filter((secret) => !covers(line.text, secret, found));
    const wrong = found.filter(({ start, end }) => line.secrets.every((secret) => end <= secret.start || start >= secret.end));
    result.secrets += line.secrets.length;
    result.covered += line.secrets.length - missed.length;
    if (line.secrets.length === 0) result.harmless++;
    result.wrong += wrong.length;
    if (missed.length > 0) result.mistakes.push(`missed ${line.template}`);
    if (wrong.length > 0) result.mistakes.push(`wrong ${wrong.map(({ kind }) => kind).join(",")} ${line.template}`);
  }
  return {
    ...result,
    recall: result.covered / result.secrets,
    precision: result.covered / (result.covered + result.wrong),
  };
}

/** Whether findings cover the whole secret, except for white space in it. */
function covers(text: string, secret: Span, found: Span[]): boolean {
  for (let at = secret.start; at < secret.end; at++) {
    if (!found.some(({ start, end }) => at >= start && at < end) && !/\s/.test(text[at]!)) return false;
  }
  return true;
}

type Span = { start: number; end: number };
