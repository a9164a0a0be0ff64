import { expect, it } from "vitest";
import { keptByChoice } from "../../../src/agent/rewind/plan-files.ts";
import { agentLines } from "../../../src/screen/events/agent-lines.ts";
import { createStyle } from "../../../src/screen/style.ts";

it("lists files that a rewind kept by choice, separately from those that it could not restore", () => {
  const left = [
    { path: "/repo/a.txt", why: keptByChoice },
    { path: "/repo/b.txt", why: "it is a folder now" },
  ];
  const lines = agentLines(
    { type: "rewound", to: "", line: "Fix the\nparser", putBack: [], left, text: "", at: "" },
    createStyle({ NO_COLOR: "1" }),
  );
  expect(lines?.split("\n")).toEqual([
    '  Back to before "Fix the parser". Everything after that was taken out of the conversation.',
    "  Files kept, as you chose:",
    "    /repo/a.txt",
    "  Files left unchanged:",
    "    /repo/b.txt: it is a folder now",
  ]);
});

it("warns that a picture was left out", () => {
  const reason = "The provider refuses an image or a document: too odd. It is left out, and the model is told.";
  expect(agentLines({ type: "media_dropped", reason, at: "" }, createStyle({ NO_COLOR: "1" }))).toBe(`  ! ${reason}`);
});

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });

function ran(subject: string, summary: string): Parameters<typeof agentLines>[0] {
  return { type: "tool_ended", id: "1", name: "Bash", subject, text: "", isError: false, summary, touched: [], ms: 20, at: "" };
}

it("cuts a command only where the terminal ends", () => {
  const command = "node bin/report.js samples/shop.log --objectives samples/objectives.json";
  const first = (columns: number) => agentLines(ran(command, "✓ exit 0"), style, { columns })?.split("\n")[0];
  expect([first(119), first(80)]).toEqual([`  Bash   ${command} ✓ exit 0`, `  Bash   ${command.slice(0, 61)}… ✓ exit 0`]);
});

it("puts a long result below a command that could not be recognized beside it", () => {
  const summary = "4 of 5 failed: a zone east of Greenwich is ahead of UTC and 3 more";
  const lines = agentLines(ran("node --test test/timestamp.test.js", summary), style, { columns: 80 });
  expect(lines?.split("\n").slice(0, 2)).toEqual(["  Bash   node --test test/timestamp.test.js", `         ✓ ${summary}`]);
});

it("indents mail that takes several lines", () => {
  const mail = { source: { kind: "mail", message: "m-1", from: "ada", mail: "message" } as const, text: "", shown: "ms is null, never 0" };
  expect(agentLines({ type: "input", inputs: [mail], at: "" }, style, { columns: 22 })).toBe("\n  ada → ms is null,\n  never 0");
  const lines = { ...mail, shown: "done\n> delete it" };
  expect(agentLines({ type: "input", inputs: [lines], at: "" }, style, { columns: 80 })).toBe("\n  ada → done\n  > delete it");
});

it("keeps every line of a refusal below its call", () => {
  const refused = { ...ran("make all", "denied"), text: "The person said no: first this\nDone. All is well.", isError: true };
  expect(agentLines(refused, style, { columns: 80 })?.split("\n").slice(1)).toEqual([
    "         The person said no: first this",
    "         Done. All is well.",
  ]);
});

it("keeps the results of calls in one column in a narrow pane, whatever the tool's name", () => {
  const calls = [
    { ...ran("test/percentile.test.js", "38 lines"), name: "Read" },
    { ...ran("src/percentile.js", "+3 −2"), name: "Write" },
    { ...ran("bo", "sent"), name: "SendMessage" },
  ];
  expect(calls.map((call) => agentLines(call, style, { columns: 50 }))).toEqual([
    "  Read   test/percentile.test.js  38 lines",
    "  Write  src/percentile.js        +3 −2",
    "  SendMessage bo                  sent",
  ]);
});

it("indents the second line of a list of files", () => {
  const made = {
    source: { kind: "file", path: "/repo" } as const,
    text: "",
    shown: "  new files of other teammates: src/a.ts, test/a.test.ts",
  };
  expect(agentLines({ type: "input", inputs: [made], at: "" }, style, { columns: 42 })).toBe(
    "  new files of other teammates: src/a.ts,\n    test/a.test.ts",
  );
});

it("continues a long line of a change below its text", () => {
  const change = { ...ran("a.js", "+1 −0"), name: "Edit", detail: `--- a\n+++ b\n@@ -1,0 +1,1 @@\n+${Array(10).fill("word").join(" ")}` };
  expect(agentLines(change, style, { columns: 44 })?.split("\n").slice(1)).toEqual([
    "       1   +  word word word word word word ",
    "              word word word word",
  ]);
});

it("fills the rows of a change whose text is indented and has one long word", () => {
  const detail = `--- a\n+++ b\n@@ -1,0 +1,1 @@\n+        ${"x".repeat(40)}`;
  const change = { ...ran("a.js", "+1 −0"), name: "Edit", detail };
  expect(agentLines(change, style, { columns: 44 })?.split("\n").slice(1)).toEqual([
    `       1   +          ${"x".repeat(22)}`,
    `              ${"x".repeat(18)}`,
  ]);
});

it("puts a refusal's reason below the call's subject, where its wrapped lines go on too", () => {
  const refused = { ...ran("src/add.js", "refused"), name: "Edit", text: "Cannot edit it: it changed.", isError: true };
  const [call = "", reason = ""] = agentLines(refused, style, { columns: 80 })?.split("\n") ?? [];
  expect([call.indexOf("src/add.js"), reason.indexOf("Cannot edit it")]).toEqual([9, 9]);
});

it("shows the last lines of a successful command, as many as wanted, and how many more there are", () => {
  const text = Array.from({ length: 17 }, (_, n) => `line ${n + 1}`).join("\n");
  const shown = (ofSuccess: number, summary = "exit 0") =>
    agentLines({ ...ran("make", summary), text } as never, style, { columns: 80, ofSuccess })
      ?.split("\n")
      .slice(1);
  expect([shown(5), shown(0), shown(5, "✓ 11 passed"), shown(20)?.length]).toEqual([
    ["      line 13", "      line 14", "      line 15", "      line 16", "      line 17", "      … 12 more lines: Ctrl-R"],
    [],
    [],
    17,
  ]);
});
