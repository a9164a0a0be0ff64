import { describe, expect, it, vi } from "vitest";
import type { PermissionQuestion } from "../../../src/permissions/questions/question.ts";
import { questionStep } from "../../../src/screen/questions/question-step.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { eventually } from "../../scratch.ts";
import { piecesOf, said, sessionScreen } from "../session-kit.ts";

const rule = "─".repeat(60);
const bottom = [rule, ">", rule, "status"];

describe("a streamed reply", () => {
  it("prints finished blocks above and keeps the open block in the live part", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.request);
    screen.show(said.text("# Plan\n\nFirst **this"));
    tick();
    expect(await lines()).toEqual(["", "Plan", "", "First **this", "  · writing  ~5 tokens", ...bottom]);
    screen.show(said.text("** and that.\n\nThen"));
    tick();
    expect(await lines()).toEqual(["", "Plan", "", "First this and that.", "", "Then", "  · writing  ~10 tokens", ...bottom]);
    screen.show(said.text(" the end."));
    screen.show(said.reply("# Plan\n\nFirst **this** and that.\n\nThen the end."));
    tick();
    expect(await lines()).toEqual(["", "Plan", "", "First this and that.", "", "Then the end.", "", ...bottom]);
  });

  it("shows no marks of a link whose address still streams", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.request);
    const seen: (string | undefined)[] = [];
    for (const piece of ["See [RFC", " 4180](https://www.", "rfc-editor.org) now"]) {
      screen.show(said.text(piece));
      tick();
      seen.push((await lines())[1]);
    }
    expect(seen).toEqual(["See RFC", "See RFC 4180", "See RFC 4180 (https://www.rfc-editor.org) now"]);
  });

  it.each([3, 40])("shows each line once when it comes in pieces of %i characters", async (size) => {
    const { screen, tick, lines } = sessionScreen({ rows: 8 });
    const code = Array.from({ length: 40 }, (_, index) => `line${index};`);
    const items = Array.from({ length: 30 }, (_, index) => `- item${index} of a list that goes on for longer than one line of it`);
    const text = `Intro\n\n${items.join("\n")}\n\n\`\`\`\n${code.join("\n")}\n\`\`\`\n\n| a | b |\n|---|---|\n| c1 | c2 |\n\nEnd`;
    screen.show(said.request);
    for (const piece of piecesOf(text, size)) {
      screen.show(said.text(piece));
      tick();
    }
    screen.show(said.reply(text));
    tick();
    const shown = (await lines()).join("\n");
    const marks = /Intro|item\d+|line\d+|\bc\d\b|End/g;
    expect(shown.match(marks)).toEqual(text.match(marks));
  });

  it("shows what was not streamed, once", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.text("Hel"));
    screen.show(said.reply("Hello."));
    screen.show(said.reply("A whole one.", "In two blocks."));
    tick();
    expect(await lines()).toEqual(["", "Hello.", "", "A whole one.", "", "In two blocks.", "", ...bottom]);
  });

  it("wraps messages under their first word, and the reply at the edge", async () => {
    const { screen, tick, lines } = sessionScreen();
    const reason = "The summary is not shorter than the conversation, so it was thrown away.";
    screen.show({ type: "compaction_failed", reason, at: "" });
    screen.show(said.reply("A sentence that is longer than the sixty columns of this terminal."));
    tick();
    expect(await lines()).toEqual([
      "  ! The conversation was not compacted. The summary is not",
      "    shorter than the conversation, so it was thrown away.",
      "",
      "A sentence that is longer than the sixty columns of this",
      "terminal.",
      "",
      ...bottom,
    ]);
  });

  it("makes room for what is printed while one long paragraph fills the screen, and continues it below", async () => {
    const { screen, tick, lines, shown } = sessionScreen({ rows: 10 });
    const words = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(" ");
    screen.show(said.request);
    screen.show(said.text(words(0, 80)));
    tick();
    screen.print("\n> /cost\n\n$0.02\n");
    screen.show(said.text(` ${words(80, 84)}`));
    tick();
    expect((await shown()).slice(0, 6)).toEqual([
      "> /cost",
      "",
      "$0.02",
      "",
      "word79 word80 word81 word82 word83",
      "  · writing  ~145 tokens",
    ]);
    screen.show(said.reply(words(0, 84)));
    tick();
    expect((await lines()).join(" ").match(/word\d+/g)).toEqual(words(0, 84).split(" "));
  });

  it("keeps the texts around a call apart", async () => {
    const { screen, tick, lines } = sessionScreen();
    for (const piece of ["Before", " it.", "\n\nBehind it."]) screen.show(said.text(piece));
    tick();
    screen.show(said.reply("Before it.", "Behind it."));
    tick();
    expect(await lines()).toEqual(["", "Before it.", "", "Behind it.", "", ...bottom]);
  });

  it("begins on the row where it stays", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.print("task-4  Format amounts\n");
    screen.show(said.text("Read"));
    tick();
    const begun = await lines();
    screen.show(said.reply("Read."));
    tick();
    expect([begun.indexOf("Read"), (await lines()).indexOf("Read.")]).toEqual([2, 2]);
  });

  it("is separated by one empty line from its neighbours", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.print("\nThe answer of a command.\n");
    screen.show(said.typed("hello"));
    screen.show(said.reply("Hi."));
    screen.show(said.typed("again"));
    tick();
    expect(await lines()).toEqual(["", "The answer of a command.", "", "> hello", "", "Hi.", "", "> again", ...bottom]);
  });

  it("says that it broke off if part of it is already printed", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.text("One.\n\nTwo"));
    screen.show(said.retry("The connection was lost."));
    screen.show(said.text("One, again.\n\nTwo."));
    screen.show(said.reply("One, again.\n\nTwo."));
    tick();
    expect(await lines()).toEqual([
      "",
      "One.",
      "",
      "  the reply broke off here; it starts again",
      "",
      "One, again.",
      "",
      "Two.",
      "",
      ...bottom,
    ]);
  });

  it("keeps the text so far when the person interrupts", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.text("Half a sen"));
    screen.show(said.aborted);
    tick();
    expect(await lines()).toEqual(["", "Half a sen", "", "  interrupted", ...bottom]);
  });

  it("shows the stored reply if it differs from the streamed one", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.text("The key is abc."));
    screen.show(said.reply("The key is ***."));
    tick();
    expect(await lines()).toEqual([
      "",
      "The key is abc.",
      "",
      "  the part of this reply that was kept:",
      "",
      "The key is ***.",
      "",
      ...bottom,
    ]);
  });

  it("uses no more rows than there are", async () => {
    const { screen, tick, lines } = sessionScreen({ rows: 8 });
    screen.show(said.text(`${"word ".repeat(200)}`));
    tick();
    expect((await lines()).length).toBe(7);
  });
});

describe("tool calls", () => {
  it("have their elapsed time while they run", async () => {
    const { screen, tick, clock, lines } = sessionScreen();
    screen.show(said.started("1", "Bash", "npm test"));
    screen.show(said.started("2", "Read", "a.ts"));
    clock.now = 12_400;
    screen.refresh();
    tick();
    expect(await lines()).toEqual(["  ▶ Bash npm test 12s", "  ▶ Read a.ts 12s", ...bottom]);
    screen.show(said.ended("1", {}));
    screen.show(said.ended("2", { name: "Read", subject: "a.ts", summary: "3 lines" }));
    tick();
    expect(await lines()).toEqual([
      "  Bash   npm test                           ✓ exit 0",
      "  Read   a.ts                               3 lines",
      ...bottom,
    ]);
  });

  it("show their last output lines, without cursor movement, until they end", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.started("1", "Bash", "npm test"));
    screen.show(said.wrote("1", "one\ntwo\n\n\u001b[31mthree\u001b[0m\u001b[2J\nfour\nfive\n"));
    tick();
    expect((await lines()).slice(1, 6)).toEqual(["one", "two", "three", "four", "five"].map((line) => `      │ ${line}`));
    screen.show(said.wrote("1", `${"wide ".repeat(40_000)}\n10 %\r55 %\rrunning 14 of 31`));
    tick();
    expect(await lines()).toEqual(["  ▶ Bash npm test", "      │ running 14 of 31", ...bottom]);
    screen.show(said.wrote("1", `\rrunning 15 of 31\n${"wide ".repeat(400)}\na\nb\n\u202e\n`));
    tick();
    expect((await lines()).slice(0, 6)).toEqual([
      "  ▶ Bash npm test",
      "      │ running 15 of 31",
      "      │ wide wide wide wide wide wide wide wide wide wide w…",
      "      │ a",
      "      │ b",
      "      │ \\u{202e}",
    ]);
    screen.show(
      said.ended("1", { isError: true, summary: "✗ 1 of 31 failed: keeps the currency", text: "# skipped 0\n# todo 0\n[exit 1]" }),
    );
    tick();
    expect(await lines()).toEqual([
      "  Bash   npm test       ✗ 1 of 31 failed: keeps the currency",
      "      … 2 more lines: Ctrl-R",
      ...bottom,
    ]);
  });

  it("show as many of them as a low pane has room for, the newest", async () => {
    const { screen, tick, lines } = sessionScreen({ rows: 9 });
    screen.show(said.started("1", "Bash", "npm test"));
    screen.show(said.wrote("1", "one\ntwo\nthree\nfour\nfive\n"));
    tick();
    expect(await lines()).toEqual(["  ▶ Bash npm test", "      │ three", "      │ four", "      │ five", ...bottom]);
  });

  it("stop their clocks while the person is asked", async () => {
    const { screen, tick, clock, lines } = sessionScreen();
    screen.show(said.started("1", "Bash", "npm test"));
    clock.now = 2_000;
    const answered = screen.waitForPerson();
    clock.now = 60_000;
    screen.show(said.started("2", "Read", "a.ts"));
    screen.refresh();
    tick();
    expect(await lines()).toEqual(["  ▶ Bash npm test 2s", "  ▶ Read a.ts", ...bottom]);
    answered();
    clock.now = 63_000;
    screen.refresh();
    tick();
    expect(await lines()).toEqual(["  ▶ Bash npm test 5s", "  ▶ Read a.ts 3s", ...bottom]);
  });

  it("show the end of a failed command's output, with the sandbox's message", async () => {
    const { screen, tick, lines } = sessionScreen({ rows: 24 });
    const failed = { isError: true, summary: "exit 6" };
    const wall = "[in the sandbox there is no network unless a person's settings allow it]";
    screen.show(said.ended("1", { ...failed, subject: "one", text: "curl: (6) Could not\x1b[2J resolve\n\n[exit 6]" }));
    screen.show(said.ended("2", { ...failed, subject: "two", text: `a\nb\n${wall}\nc\nd\n${"long ".repeat(30)}\n[exit 6]` }));
    screen.show(said.ended("3", { ...failed, subject: "three", text: "(no output)\n[exit 6]" }));
    screen.show(said.ended("4", { ...failed, subject: "four", summary: "denied", text: "Permission denied: no." }));
    tick();
    expect((await lines()).slice(0, -4)).toEqual([
      "  Bash   one                                ✗ exit 6",
      "      curl: (6) Could not\\x1b[2J resolve",
      "  Bash   two                                ✗ exit 6",
      "      [in the sandbox there is no network unless a person's",
      "         settings allow it]",
      "      d",
      `      ${"long ".repeat(10)}lon…`,
      "      … 3 more lines: Ctrl-R",
      "  Bash   three                              ✗ exit 6",
      "  Bash   four                               ✗ denied",
      "         Permission denied: no.",
    ]);
  });

  it("show call and result on one line at any width", async () => {
    const { screen, tick, lines } = sessionScreen({ columns: 130 });
    screen.show(said.ended("1", { subject: "word ".repeat(40), isError: true, summary: "exit 3", ms: 61_000 }));
    screen.show(said.ended("2", { name: "WebFetch", subject: "x".repeat(200), summary: "1234 characters" }));
    tick();
    const shown = (await lines()).slice(0, -4);
    expect(shown.map((line) => [line.length <= 130, /….*$/.exec(line)?.[0]])).toEqual([
      [true, "… ✗ exit 3  1m01s"],
      [true, "… 1234 characters"],
    ]);
  });

  it("show an edit as a short diff, and all of it on demand", async () => {
    const { screen, tick, type, lines } = sessionScreen({ rows: 30 });
    const changed = Array.from({ length: 13 }, (_, index) => `+new ${index}`);
    const detail = ["--- a.ts", "+++ a.ts", "@@ -16,3 +16,15 @@", " before", "-old", ...changed, " after", ""].join("\n");
    screen.show(said.ended("1", { name: "Edit", subject: "a.ts", summary: "+13 −1", detail }));
    tick();
    const short = (await lines()).slice(0, -4);
    expect(short).toEqual([
      "  Edit   a.ts                               +13 −1",
      "      17   -  old",
      ...Array.from({ length: 9 }, (_, index) => `      ${17 + index}   +  new ${index}`),
      "      … 4 more lines: Ctrl-R",
    ]);
    type("\x12");
    tick();
    expect((await lines()).slice(short.length, -4)).toEqual([
      "",
      "  Edit a.ts",
      "      16      before",
      "      17   -  old",
      ...Array.from({ length: 13 }, (_, index) => `      ${17 + index}   +  new ${index}`),
      "      30      after",
      "",
    ]);
  });

  it("are shown below a reply that streams, not in its middle", async () => {
    const { screen, clock, tick, type, lines } = sessionScreen({ outputLines: () => 0 });
    screen.show(said.ended("1", { subject: "one", text: "out of one" }));
    screen.show(said.text("First paragraph.\n\nSecond "));
    tick();
    clock.now += 3_000;
    type("\x12");
    expect((await lines()).at(-1)).toBe("! Shown below this reply, once it is complete");
    tick();
    expect((await lines()).join("\n")).not.toContain("out of one");
    screen.show(said.reply("First paragraph.\n\nSecond one."));
    tick();
    expect((await lines()).join("\n")).toMatch(/First paragraph\.\n\nSecond one\.\n\n {2}\S* *one\n {4}out of one\n/);
  });

  it("are shown whole on demand, the newest first", async () => {
    const { screen, tick, type, lines } = sessionScreen({ outputLines: () => 0 });
    screen.show(said.ended("1", { subject: "one", text: "out\x1b[2J of one\n\nend\n" }));
    screen.show(said.ended("2", { subject: "two", text: "out of two" }));
    for (const _ of [1, 2, 3]) type("\x12");
    tick();
    expect((await lines()).slice(2, -4)).toEqual([
      "",
      "  Bash two",
      "    out of two",
      "",
      "  Bash one",
      "    out\\x1b[2J of one",
      "",
      "    end",
      "",
      "  no more calls or thoughts to show",
    ]);
  });
});

describe("the keyboard", () => {
  it("takes back the newest waiting line with Up", async () => {
    const waiting = new Set(["and lint", "and push"]);
    const { screen, tick, type, lines } = sessionScreen({ onTakeBack: (line) => waiting.delete(line) });
    screen.show(said.started("1", "Bash", "npm test"));
    type("and lint\r");
    type("and push\r");
    type("\x1b[A");
    tick();
    const [rule, , ...below] = bottom;
    expect(await lines()).toEqual(["  ▶ Bash npm test", "  queued: and lint  (Up takes it back)", rule, "> and push", ...below]);
    expect([...waiting]).toEqual(["and lint"]);
  });

  it("shows the end of a long waiting line and of a long input, where the person's own words may be", async () => {
    const { screen, tick, type, lines } = sessionScreen({ columns: 100, rows: 30 });
    screen.show(said.started("1", "Bash", "npm test"));
    const pasted = Array.from({ length: 40 }, (_, n) => `pasted line ${n}`).join("\n");
    type(`\x1b[200~${pasted}\x1b[201~`);
    type(" fix what this says\r");
    tick();
    expect((await lines()).join("\n")).toMatch(/queued: pasted line 0 .* fix what this says {2}\(Up/);
    screen.show(said.typed(`${pasted}\nfix what this says`));
    tick();
    const all = (await lines()).join("\n");
    expect(all).toContain("> pasted line 0\n");
    expect(all).toMatch(/ {2}… 30 more lines\npasted line 38\npasted line 39\nfix what this says\n/);
  });

  it("goes from one large paste in the history to the line before it", async () => {
    const pasted = Array.from({ length: 10_000 }, (_, n) => `row ${n}`).join("\n");
    const { type, tick, lines } = sessionScreen({ editor: { history: { load: () => ["before", pasted], add: () => {} } }, rows: 60 });
    type("\x1b[A");
    tick();
    expect(await lines()).toContain("  row 9999");
    type("\x1b[A");
    tick();
    expect(await lines()).toContain("> before");
  });

  it("completes the beginning of a command at Enter, and runs only a command that is written in full", async () => {
    const commands = () => ["compact", "context", "cost", "exit"].map((name) => ({ name, summary: name }));
    const { type, tick, typed, lines } = sessionScreen({ editor: { commands }, rows: 24 });
    const shows = async (text: string) => {
      await vi.waitFor(async () => {
        tick();
        expect((await lines()).join("\n")).toContain(text);
      });
    };
    type("/co");
    await shows("context");
    type("\r");
    await shows("> /co");
    expect(typed).toEqual([]);
    type("\x1b[B\r");
    await shows("> /context");
    expect(typed).toEqual([]);
    type("\x15/ex");
    await shows("/exit");
    type("\r");
    await shows("> /exit");
    expect(typed).toEqual([]);
    type("\r");
    expect(typed).toEqual(["/exit"]);
  });

  it("keeps no line about a wait that another one replaced", async () => {
    const { screen, tick, lines } = sessionScreen();
    for (let n = 0; n < 5; n++) screen.show(said.retry("Provider overloaded (529)."));
    tick();
    expect((await lines()).filter((line) => line.includes("Provider overloaded"))).toHaveLength(1);
  });

  it("sends lines, and shows those that wait", async () => {
    const { screen, tick, type, typed, lines } = sessionScreen();
    screen.show(said.started("1", "Bash", "npm test"));
    type("and lint\r");
    tick();
    expect(typed).toEqual(["and lint"]);
    expect(await lines()).toEqual(["  ▶ Bash npm test", "  queued: and lint  (Up takes it back)", ...bottom]);
    screen.show(said.typed("and lint"));
    tick();
    expect(await lines()).toEqual(["", "> and lint", "  ▶ Bash npm test", ...bottom]);
  });

  it.each([
    ["Alt-Enter", "\x1b\r"],
    ["Ctrl-J", "\n"],
    ["a backslash and Enter", "\\\r"],
    ["Shift-Enter where the terminal tells it", "\x1b[13;2u"],
  ])("begins a new line at %s", (_name, key) => {
    const { type, typed } = sessionScreen();
    type(`one${key}two\r`);
    expect(typed).toEqual(["one\ntwo"]);
  });

  it("opens a rewind on Esc twice: soon after each other, or together, with an empty editor", async () => {
    const twice: number[] = [];
    const { type, clock, happened, screen, typed } = sessionScreen({ onEscapeTwice: () => twice.push(clock.now) });
    /** Esc alone counts only after a moment without another key. */
    const pressEscape = async (atMs: number, keys = "\x1b") => {
      const before = happened.length + twice.length;
      clock.now = atMs;
      type(keys);
      await eventually(() => happened.length + twice.length > before);
    };
    await pressEscape(1_000);
    await pressEscape(1_600);
    expect(twice).toEqual([]);
    await pressEscape(2_000);
    expect(twice).toEqual([2_000]);
    await pressEscape(2_100);
    await pressEscape(5_000, "\x1b\x1b");
    expect(twice).toEqual([2_000, 5_000]);
    type("half a line");
    await pressEscape(7_000);
    await pressEscape(7_100);
    expect([twice.length, happened]).toEqual([2, Array(6).fill("escape")]);
    screen.typeIn("not over what is typed");
    type("\r");
    screen.typeIn("an earlier line");
    type("\r");
    expect(typed).toEqual(["half a line", "an earlier line"]);
  });

  it("says in the status line what another Ctrl-C does, and only until another key or the end of its two seconds", async () => {
    const { type, clock, tick, lines } = sessionScreen({ onInterrupt: (again) => (again ? undefined : "Ctrl-C again ends it") });
    const pressed = async (key: string) => {
      clock.now += 3_000;
      type(key);
      return (await lines()).filter((line) => line === "status" || line.includes("again ends"));
    };
    const [offered, over] = [["! Ctrl-C again ends it"], ["status"]];
    expect([await pressed("\x03"), await pressed("a"), await pressed("\x03")]).toEqual([offered, over, over]);
    tick();
    expect(await pressed("\x03")).toEqual(offered);
    clock.now += 3_000;
    tick();
    expect((await lines()).at(-1)).toBe("status");
  });

  it("shows the user's own command with its newest output beside what the agent does, and nothing of it when it has ended", async () => {
    const { screen, tick, lines } = sessionScreen();
    screen.show(said.request);
    const shown = screen.showRunning("npm test");
    shown.write("one\ntwo\n");
    shown.write("three\n");
    tick();
    expect((await lines()).slice(0, 5)).toEqual(["  · thinking", "  ▶ ! npm test", "      │ one", "      │ two", "      │ three"]);
    expect(screen.isBusy()).toBe(true);
    shown.end();
    shown.end();
    tick();
    expect((await lines()).filter((line) => line.includes("npm test") || line.includes("three"))).toEqual([]);
  });

  it("says in the status line what ends it, where Ctrl-D does not", async () => {
    const { type, clock, lines } = sessionScreen({ onExit: () => "Still working" });
    clock.now = 1_000;
    type("\x04");
    expect((await lines()).at(-1)).toBe("! Still working");
  });

  it("clears, interrupts and leaves", () => {
    const { type, clock, happened } = sessionScreen();
    type("half\x03");
    type("\x03");
    clock.now = 1_000;
    type("\x03");
    type("\x04");
    type("x\x04");
    expect(happened).toEqual(["interrupt", "interrupt again", "exit"]);
  });

  it("takes 10,000 pasted lines as one mark and sends them whole", async () => {
    const { type, tick, typed, lines } = sessionScreen();
    const pasted = Array.from({ length: 10_000 }, (_, index) => `line ${index} of what was pasted`).join("\n");
    type("see: ");
    for (const piece of piecesOf(`\x1b[200~${pasted}\x1b[201~`, 4096)) type(piece);
    tick();
    expect(await lines()).toEqual([rule, "> see: [pasted 10,000 lines]", rule, "status"]);
    type("\r");
    expect(typed).toEqual([`see: ${pasted}`]);
  });

  it("does not count a line after the final newline of a paste", async () => {
    const { type, tick, lines } = sessionScreen();
    type(`\x1b[200~${"line\n".repeat(20)}\x1b[201~`);
    tick();
    expect(await lines()).toEqual([rule, "> [pasted 20 lines]", rule, "status"]);
  });

  it.each([
    ["Ctrl-J", "\n"],
    ["Alt-Enter", "\x1b\r"],
    ["a backslash before Enter", "\\\r"],
    ["Shift-Enter", "\x1b[13;2u"],
  ])("begins a new line with %s", async (_name, keys) => {
    const { type, tick, lines, typed } = sessionScreen();
    for (const key of ["one", keys, "two"]) type(key);
    tick();
    expect(await lines()).toEqual([rule, "> one", "  two", rule, "status"]);
    type("\r");
    expect(typed).toEqual(["one\ntwo"]);
  });

  it("shows a paste only as plain text", async () => {
    const { type, tick, typed, lines, surprises } = sessionScreen();
    type("\x1b[200~a\x1b]0;title\x07b\u009b31m\u202ec\x1b[201~");
    type("\u009bm👩‍👩‍👧");
    tick();
    expect(await lines()).toContain("> a\\x1b]0;title\\x07b\\x9b31m\\u{202e}c\\x9bm👩‍👩‍👧");
    expect(surprises).toEqual([]);
    type("\r");
    expect(typed).toEqual(["a\\x1b]0;title\\x07b\\x9b31m\\u{202e}c\\x9bm👩‍👩‍👧"]);
  });

  it("recalls earlier lines, also from earlier sessions", () => {
    const added: string[] = [];
    const history = { load: () => ["first", "second\nof two lines"], add: (line: string) => void added.push(line) };
    const { type, typed } = sessionScreen({ editor: { history } });
    type("third\r");
    type("\x1b[A");
    type("\r");
    type("\x1b[A\x1b[A\r");
    expect(typed).toEqual(["third", "third", "second\nof two lines"]);
    expect(added).toEqual(["third", "third", "second\nof two lines"]);
  });

  it("completes slash commands", async () => {
    const commands = () => [
      { name: "compact", summary: "make room" },
      { name: "context", summary: "what fills the window" },
      { name: "help", summary: "keys and commands" },
    ];
    const { type, tick, typed, happened, shown } = sessionScreen({ editor: { commands } });
    type("/co");
    const offered = await vi.waitFor(async () => {
      tick();
      const text = (await shown()).join("\n");
      expect(text).toContain("what fills the window");
      return text;
    });
    expect(offered).not.toContain("keys and commands");
    type("\x1b[B\t");
    type("\r");
    expect(typed).toEqual(["/context"]);
    type("/he");
    await vi.waitFor(async () => {
      tick();
      expect((await shown()).join("\n")).toContain("keys and commands");
    });
    type("\x1b");
    expect(happened).toEqual([]);
  });
});

describe("a dialog", () => {
  it("asks, the oldest first, with the number of the others", async () => {
    const { screen, tick, type, lines, surprises } = sessionScreen();
    const answers: unknown[] = [];
    const both = ["one", "two"].map((command) => ask(screen, command).then((answer) => answers.push(answer)));
    tick();
    expect((await lines()).slice(1, 3)).toEqual([`! lead asks to run${" ".repeat(60 - 18 - 6)}1 of 2`, "    one"]);
    type("1");
    // Nobody has seen the second question yet.
    type("2\r");
    tick();
    type("2");
    await Promise.all(both);
    expect(answers).toEqual([{ kind: "once" }, { kind: "session", rules: ["Bash(two)"] }]);
    expect(surprises).toEqual(["bell", "bell"]);
  });

  it("takes a sentence as the answer, below its choices", async () => {
    const { screen, tick, type, lines, typed } = sessionScreen({ rows: 30 });
    const asked = ask(screen, "rm -rf build");
    tick();
    type("keep it, y");
    tick();
    expect((await lines()).slice(-6)).toEqual([
      "  ❯ 1  once      2  this session: rm -rf build      3  no",
      "    keep it, y                Enter sends this as the answer",
      rule,
      ">",
      rule,
      "status",
    ]);
    type("\r");
    expect([await asked, typed]).toEqual([{ kind: "no", reason: "keep it, y" }, []]);
  });

  it("leaves a line that was being written, and the keys, where they are until Enter", async () => {
    const { screen, tick, type, lines, typed } = sessionScreen({ rows: 30 });
    type("read");
    const asked = ask(screen, "npm test");
    tick();
    type("y1");
    tick();
    expect((await lines()).slice(-5)).toEqual(["    send or clear your line to answer", rule, "> ready1", rule, "status"]);
    type("\r");
    tick();
    type("\x1b[200~y\nyes\x1b[201~");
    tick();
    type("\x1b[200~!\x1b[201~\r");
    expect([await asked, typed]).toEqual([{ kind: "no", reason: "y\nyes!" }, ["ready1"]]);
  });

  it("stays readable while the terminal changes its size", async () => {
    const { screen, tick, type, resize, shown } = sessionScreen({ rows: 30 });
    const asked = ask(screen, "npm test");
    for (const [columns, rows] of [
      [20, 24],
      [60, 12],
      [100, 30],
    ] as const) {
      await resize(columns, rows);
      tick();
      expect((await shown()).join(" ").replaceAll(/\s+/g, " ")).toContain("! lead asks to run npm test No rule allows it. ❯ 1 once");
    }
    type("1");
    expect(await asked).toEqual({ kind: "once" });
  });

  it("picks from a list", async () => {
    const { screen, tick, type, lines, happened } = sessionScreen();
    const items = Array.from({ length: 30 }, (_, index) => ({ label: `session ${index}`, hint: index === 17 ? "dates" : undefined }));
    const picked = screen.pick(items, { title: "Resume" });
    tick();
    type("\x1b[B");
    tick();
    expect((await lines()).slice(0, 5)).toEqual(["", "Resume", "    1  session 0", "  ❯ 2  session 1", "    3  session 2"]);
    type("dat");
    tick();
    expect((await lines()).slice(0, 3)).toEqual(["", "Resume", "  ❯ 1  session 17  dates"]);
    type("\r");
    expect(await picked).toBe(items[17]);
    const left = screen.pick(items, { title: "Resume" });
    type("\x1b");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await left).toBeUndefined();
    const interrupted = screen.pick(items, { title: "Resume" });
    type("\x03");
    expect([await interrupted, happened]).toEqual([undefined, []]);
  });
});

type Screen = ReturnType<typeof sessionScreen>;

/** Asks whether a command may run. */
function ask(screen: Screen["screen"], command: string, signal = new AbortController().signal) {
  const question: PermissionQuestion = {
    kind: "permission",
    tool: "Bash",
    parts: [{ text: command, where: "", allowed: false }],
    change: [],
    moreChange: 0,
    reason: "No rule allows it",
    offers: [{ rules: [`Bash(${command})`], always: false }],
  };
  const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
  return screen.ask(questionStep(question, { asker: "lead", style }), signal);
}

describe("small terminals", () => {
  it.each([
    [10, 3, [">", "status"]],
    [10, 2, [">"]],
    [10, 1, [">"]],
  ])("of %i × %i keep the editor", async (columns, rows, expected) => {
    const { tick, lines } = sessionScreen({ columns, rows });
    tick();
    expect(await lines()).toEqual(expected);
  });
});

it("goes on after a key whose work fails, and says why", async () => {
  const fault = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", path: "/home/me/x" });
  const failing = sessionScreen({
    columns: 140,
    onLine() {
      throw fault;
    },
  });
  failing.type("hello\r");
  failing.type("more");
  failing.tick();
  const shown = (await failing.lines()).join("\n");
  expect(shown).toContain("Cannot do all that this key asks for: the disk is full (/home/me/x). The session goes on. Make room there.");
  expect(shown).toContain("> more");
});
