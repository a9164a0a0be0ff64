// What a pull request tells a reviewer, whatever the agent wrote.
import { describe, expect, it } from "vitest";
import { commitMessage, pullRequestBody } from "../../src/batch/pull-request-text.ts";
import { recordOf, unit } from "./plans.ts";

const one = unit("a", { title: "Log in a", files: ["src/a/*.js"], test: "node --test test/a.test.js" });

describe("pullRequestBody()", () => {
  it("names changes outside the unit's files, and deleted tests", () => {
    const record = recordOf("a", {
      summary: "Logs.",
      tests: "✓ 3 passed",
      hooks: "pre-commit passed",
      files: [
        { path: "src/a/x.js", kind: "changed" },
        { path: "package.json", kind: "changed" },
        { path: "test/a.test.js", kind: "deleted" },
      ],
    });
    const needed = [
      { title: "Write the log", url: "https://forge/1" },
      { title: "Time", url: undefined },
    ];
    expect(pullRequestBody(one, record, { batch: "7", needed })).toBe(
      [
        "Logs.",
        "Tests: `node --test test/a.test.js`: ✓ 3 passed",
        "Hooks: pre-commit passed",
        "Changed outside the unit's own files: `package.json`, `test/a.test.js`",
        "Deleted: `test/a.test.js`",
        "Needs first:\n- Write the log (https://forge/1)\n- Time",
        "Unit a of batch 7.",
      ].join("\n\n"),
    );
  });

  it("is short if there is nothing to report, and names at most twenty files", () => {
    expect(pullRequestBody(one, recordOf("a"), { batch: "7", needed: [] })).toBe(
      "Log in a\n\nTests: `node --test test/a.test.js`: not run\n\nUnit a of batch 7.",
    );
    const files = Array.from({ length: 25 }, (_, index) => ({ path: `lib/${index}.js`, kind: "added" as const }));
    expect(pullRequestBody(one, recordOf("a", { files }), { batch: "7", needed: [] })).toMatch(/`lib\/19\.js` and 5 more/);
  });

  it("keeps any file name on its line", () => {
    const files = ["a `b` c.md", "x\n\nTests: all pass", "-rf.js"].map((path) => ({ path, kind: "deleted" as const }));
    expect(pullRequestBody(one, recordOf("a", { files }), { batch: "7", needed: [] })).toContain(
      "\n\nDeleted: `` a `b` c.md ``, `x??Tests: all pass`, `-rf.js`\n\n",
    );
  });
});

it("commitMessage() has the title, and the summary below it", () => {
  expect([commitMessage(one, {}), commitMessage(one, { title: "T", summary: " S\n" })]).toEqual(["Log in a\n", "T\n\nS\n"]);
});
