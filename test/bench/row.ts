// One measured figure beside its reference, and how it is printed.

/** `met` is true for rows without a target to check. */
export type Row = { name: string; ours: string; beside?: string; ratio?: string; target: string; met: boolean };

/** Measures, and reports each row as soon as it is known. */
export type Part = (report: (row: Row) => void) => Promise<void>;

export function rowText({ name, ours, beside, ratio, target, met }: Row): string {
  const compared = [beside && `beside ${beside}`, ratio && `ratio ${ratio}`].filter(Boolean).join(", ");
  return `${met ? "met   " : "MISSED"}  ${name}\n        ${ours}${compared ? `  (${compared})` : ""}   target: ${target}`;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that at least this share of the values does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Milliseconds with the significant digits only. */
export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
