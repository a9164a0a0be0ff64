// How a test run went, for one line on a screen, when a command's output says so in one of the usual forms.

/** `✓ 11 passed` or `✗ 2 failed, 9 passed`; undefined when the output does not end like a test run. */
export function testCounts(output: string): string | undefined {
  const end = output.slice(-4000);
  for (const form of forms) {
    const passed = last(end, form.passed);
    const failed = last(end, form.failed);
    if (passed === undefined && failed === undefined) continue;
    return failed ? `✗ ${failed} failed, ${passed ?? 0} passed` : `✓ ${passed ?? 0} passed`;
  }
  return undefined;
}

/** The count is the first group. The last line that fits is the total. */
const forms = [
  // node:test, as TAP and as its own report
  { passed: /^(?:#|ℹ) pass (\d+)$/gm, failed: /^(?:#|ℹ) fail (\d+)$/gm },
  // vitest, jest, pytest, cargo
  {
    passed: /^(?:\s*Tests:? |=+ |test result: ).*?\b(\d+) passed\b/gm,
    failed: /^(?:\s*Tests:? |=+ |test result: ).*?\b(\d+) failed\b/gm,
  },
];

function last(text: string, form: RegExp): number | undefined {
  const found = [...text.matchAll(form)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
