// Recognizes the summary of well-known test runners in a command's output, for one line on a screen.

/** `✓ 11 passed` or `✗ 1 of 31 failed: keeps the currency of the row`; undefined if the output is not that of a test run. */
export function testCounts(output: string): string | undefined {
  for (const { counts, failed } of runners) {
    const found = counts(output);
    if (!found || found.passed + found.failed === 0) continue;
    return found.failed > 0 ? failure(found, [...new Set(failed(output))]) : `✓ ${found.passed} passed`;
  }
  return undefined;
}

type Counts = { passed: number; failed: number };
type Runner = { counts(output: string): Counts | undefined; failed(output: string): string[] };

function failure({ passed, failed }: Counts, names: string[]): string {
  const first = names[0];
  const count = passed > 0 ? `${failed} of ${passed + failed}` : String(failed);
  if (first === undefined) return `✗ ${count} failed`;
  const more = Math.max(failed, names.length) - 1;
  return `✗ ${count} failed: ${first.slice(0, longestName).toWellFormed()}${more > 0 ? ` and ${more} more` : ""}`;
}

const longestName = 80;

/** The first runner whose pattern matches. Its last summary counts, because that covers the whole run. */
const runners: Runner[] = [
  {
    // node:test, as TAP and in its own format: a cancelled test has failed too
    counts(output) {
      const count = (word: string) => last(output, new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`, "gm"));
      const [passed, failed] = [count("pass"), count("fail")];
      return passed === undefined || failed === undefined ? undefined : { passed, failed: failed + (count("cancelled") ?? 0) };
    },
    failed(output) {
      const points = output.split(/^(?=[ \t]*(?:not )?ok \d+ - )/m).filter((point) => !point.includes("failureType: 'subtestsFailed'"));
      const tap = points.flatMap((point) => /^[ \t]*not ok \d+ - (.+)/.exec(point)?.[1]?.replace(/ # .*$/, "") ?? []);
      const report = output.slice(Math.max(0, output.lastIndexOf("✖ failing tests:")));
      return [...tap, ...all(report, /^✖ (.+) \([\d.]+m?s\)$/gm)];
    },
  },
  {
    // vitest and jest: `suite > test` and `suite › test`
    counts: (output) => summary(output, /^[ \t]*Tests:? .*\b\d+ (?:passed|failed)\b.*$/gm),
    failed: (output) => all(output, /^[ \t]*(?:FAIL .* [>›] |● .* › )(.+?)(?: \d+ms)?$/gm),
  },
  {
    counts: (output) =>
      summary(output, /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.]+s/gm), // pytest, also with -q
    failed: (output) => all(output, /^(?:FAILED|ERROR) \S*?::(\S+(?:\[.*?\])?)/gm),
  },
  {
    // cargo: a summary for each binary
    counts(output) {
      const each = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)];
      const total = (group: number) => each.reduce((sum, found) => sum + Number(found[group]), 0);
      return each.length > 0 ? { passed: total(1), failed: total(2) } : undefined;
    },
    failed: (output) => all(output, /^test (.+) \.\.\. FAILED$/gm),
  },
  {
    // go: without -v only failed tests have a line
    counts(output) {
      if (!/^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[build failed\])/m.test(output)) return undefined;
      return { passed: leaves(goNames(output, "PASS")).length, failed: leaves(goNames(output, "FAIL")).length };
    },
    failed: (output) => leaves(goNames(output, "FAIL")),
  },
];

function summary(output: string, line: RegExp): Counts | undefined {
  const found = [...output.matchAll(line)].at(-1)?.[0];
  if (found === undefined) return undefined;
  const count = (word: string) => Number(new RegExp(`\\b(\\d+) ${word}`).exec(found)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed") + count("errors?\\b") };
}

function goNames(output: string, how: "PASS" | "FAIL"): string[] {
  return all(output, new RegExp(`^[ \\t]*--- ${how}: (\\S+) \\(`, "gm"));
}

/** Leaves out tests that only contain others. */
function leaves(names: string[]): string[] {
  return names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)));
}

function all(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].flatMap(([, name]) => (name ? [name.trim()] : []));
}

function last(text: string, form: RegExp): number | undefined {
  const found = all(text, form).at(-1);
  return found === undefined ? undefined : Number(found);
}
