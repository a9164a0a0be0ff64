// How well a scanner tells the labelled lines apart.
import type { Scanner } from "../../src/permissions/secrets.ts";
import { scanText, scanWith } from "../../src/permissions/secrets.ts";
import { type Half, type Labelled, labelled } from "./labelled.ts";

export type Score = {
  /** Lines with a secret, and those of them in which all of it was covered. */
  secrets: number;
  covered: number;
  harmless: number;
  /** Findings where nothing is a secret. */
  wrong: number;
  recall: number;
  precision: number;
  /** The lines that were judged wrongly, as they stand in the file. */
  mistakes: string[];
};

/** With `scanner`, its findings are joined to those of our own rules. Each line is scanned by itself, as if it were a file. */
export async function score(half: Half, { seed, scanner }: { seed: number; scanner?: Scanner }): Promise<Score> {
  const lines = labelled(half, seed);
  const result = { secrets: 0, covered: 0, harmless: 0, wrong: 0, mistakes: [] as string[] };
  for (const line of lines) {
    const found = scanner ? await scanWith(scanner, line.text, { path: line.path }) : scanText(line.text, { path: line.path });
    const covered = line.secret !== undefined && covers(line, found);
    if (line.secret) result.secrets++;
    else result.harmless++;
    if (covered) result.covered++;
    const wrong = found.filter(({ start, end }) => !line.secret || end <= line.secret.start || start >= line.secret.end);
    result.wrong += wrong.length;
    if (line.secret && !covered) result.mistakes.push(`missed ${line.template}`);
    if (wrong.length > 0) result.mistakes.push(`wrong ${wrong.map(({ kind }) => kind).join(",")} ${line.template}`);
  }
  return {
    ...result,
    recall: result.covered / result.secrets,
    precision: result.covered / (result.covered + result.wrong),
  };
}

/** All of the secret, but for line ends within it, lies in findings. */
function covers({ secret, text }: Labelled, found: { start: number; end: number }[]): boolean {
  if (!secret) return false;
  for (let at = secret.start; at < secret.end; at++) {
    if (!found.some(({ start, end }) => at >= start && at < end) && !/\s/.test(text[at]!)) return false;
  }
  return true;
}
