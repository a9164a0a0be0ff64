// Which files a call writes, by its tool and by the words of its command.
import { expect, it } from "vitest";
import { type WrittenFile, writtenFiles } from "../../../src/agent/workspace/written-files.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

it.each<[string, WrittenFile[]]>([
  ["npm test > out.log 2>&1", [{ path: "out.log" }]],
  ["cd src && sed -i s/a/b/ a.ts", [{ path: "src/a.ts", ifThere: true }]],
  [
    "tee -a a.ts b.ts",
    [
      { path: "a.ts", ifThere: true },
      { path: "b.ts", ifThere: true },
    ],
  ],
  [
    "cp a.ts src",
    [
      { path: "src", ifThere: true },
      { path: "src/a.ts", ifThere: true },
    ],
  ],
  ["perl -pi -e 's/a/b/' a.ts", [{ path: "a.ts", ifThere: true }]],
  ["rm a.ts", [{ path: "a.ts", ifThere: true }]],
  ["for f in *.ts; do sed -i s/a/b/ $f; done", []],
  ["npx prettier --write a.ts", []],
  ['echo > "$FILE"', []],
  ["cat a.ts", []],
  ["git add a.ts", []],
])("of the command %j", (command, files) => {
  expect(writtenFiles({ tool: "Bash", input: { command } }, analyseCommand(command))).toEqual(files);
});

it("is the file of Edit and Write, and none of other calls", () => {
  const of = (tool: string, input: unknown) => writtenFiles({ tool, input });
  expect([of("Edit", { path: "a.ts" }), of("Write", { path: "a.ts" })]).toEqual([[{ path: "a.ts" }], [{ path: "a.ts" }]]);
  expect([of("Read", { path: "a.ts" }), of("Edit", {}), of("Write", null), of("Write", { path: 7 })].flat()).toEqual([]);
});
