// `tool` as a person uses it: the built program in a real pseudo-terminal, with typed keys, and a terminal emulator that gives the visible
// text.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, firstThatDoesNotExtend, gate, newest, type Part, provider, saidIn, toolResults } from "../cast.ts";
import { refusal, streamed, text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { type PersonsTerminal, personsTerminal } from "../persons-terminal.ts";
import { seeded } from "../process/seeded.ts";
import { eventually } from "../scratch.ts";
import { draw } from "../secrets/labelled.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const noSandbox = await lacks("sandbox");
const enter = "\r";
const token = `ghp_${draw("base62", 36, seeded(17))}`;
const escapeKey = "\x1b";
const shiftTab = "\x1b[Z";
const [ctrlC, ctrlD] = ["\x03", "\x04"];

async function place(parts: Part, options?: Parameters<typeof teamPlace>[0]) {
  const api = await provider({ tool: parts });
  const there = teamPlace(options);
  const sit = (args: string[] = [], { columns = 80, rows = 24, env = {} } = {}): PersonsTerminal =>
    personsTerminal([...tool, ...args], { env: { ...there.env, ...api.env, ...env }, cwd: there.repository, columns, rows });
  return { there, sit, api, requests: () => api.requests("tool") };
}

describe.each([40, 200])("a session of %i columns", (columns) => {
  it("takes a line, shows the reply, and ends with the command that resumes it", async () => {
    const { sit } = await place([text("A **reply** with `code`, 漢字 and 👩‍👩‍👧."), text("More.")]);
    const seat = sit([], { columns });
    await seat.shows("ready");
    seat.type(`hello${enter}`);
    await seat.shows("A reply with code, 漢字 and");
    await seat.shows("ready");
    expect(seat.screen().every((line) => line.length <= columns)).toBe(true);
    seat.type(ctrlC);
    await seat.shows("Ctrl-C again ends the session");
    expect(await seat.leave()).toBe(0);
    const all = seat.everything().join("\n");
    expect(all).toContain("> hello");
    expect(all.replaceAll(/\s*\n\s*/g, "")).toMatch(/Resume this session: ?tool --resume [0-9a-f-]{36}/);
  });
});

describe("a session", () => {
  it("reads lines typed before it was ready, and reads later ones between two tool calls", async () => {
    const { there, sit, requests } = await place([call("Read", { path: "a.txt" }), call("Read", { path: "a.txt" }), text("Both.")]);
    writeFileSync(join(there.repository, "a.txt"), "a\n");
    const seat = sit();
    await seat.shows(">");
    seat.type(`early${enter}`);
    await eventually(() => requests().length >= 1);
    await seat.shows("Both.");
    expect(newest(requests()[0])).toContain("early");
    expect(firstThatDoesNotExtend(requests())).toBeUndefined();
    await seat.leave();
  });

  it("asks before a command, runs it on y, takes a typed line as no and the reason for the model, and writes no rule", async () => {
    const twice = [call("Bash", { command: "echo one > one.txt" }), call("Bash", { command: "echo two > two.txt" })];
    const { there, sit, requests } = await place([twice, text("I see.")], { asked: true });
    const seat = sit();
    await seat.shows("ready");
    seat.type(`do it${enter}`);
    await seat.shows("echo one > one.txt");
    await choose(seat, "y");
    await seat.shows("echo two > two.txt");
    await choose(seat, "not now");
    await seat.shows("I see.");
    expect(toolResults(requests()[1])).toEqual(["(no output)", expect.stringContaining("Permission denied: The person said no: not now")]);
    expect(existsSync(join(there.repository, ".tool"))).toBe(false);
    expect(await seat.leave()).toBe(0);
  });

  it("denies all twelve calls of a turn on Esc, and stops it", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `outside-${index}.txt`);
    const { sit, requests } = await place([names.map((name) => call("Read", { path: `/etc/${name}` })), text("I stopped.")]);
    const seat = sit();
    await seat.shows("ready");
    seat.type(`read them${enter}`);
    await seat.shows("Esc no to all, and stop");
    await seat.shows("outside-0.txt");
    seat.type(escapeKey);
    await seat.shows("interrupted");
    expect(seat.screen().join("\n")).not.toContain("1  once");
    expect(requests().length).toBe(1);
    seat.type(`what now?${enter}`);
    await seat.shows("I stopped.");
    const results = toolResults(requests()[1]);
    expect(results.length).toBe(12);
    expect(results.filter((result) => result.includes("seen"))).toEqual([]);
    expect(await seat.leave()).toBe(0);
  });

  it("shows the agent's list above the status line, and tells the agent about a mode change at the end of the conversation", async () => {
    const todos = [
      { content: "Find the parser", status: "completed" },
      { content: "Fix quoted fields", status: "in_progress" },
    ];
    const { sit, requests } = await place([call("TodoWrite", { todos }), text("Half way."), text("Planning.")]);
    const seat = sit([], { columns: 100, rows: 30 });
    await seat.shows("ready");
    seat.type(`go${enter}`);
    await seat.shows("Half way.");
    await seat.shows("  ✓ Find the parser   ▶ Fix quoted fields");
    seat.type("\u001b[Z\u001b[Z");
    await seat.shows("plan (Shift-Tab)");
    seat.type(`and now${enter}`);
    await seat.shows("Planning.");
    const said = saidIn(requests()[2]).at(-1);
    expect(said).toEqual([expect.stringMatching(/^The person changed the mode to plan: look only, /), "and now"]);
    expect(
      requests()[2]
        ?.body.messages.slice(0, 3)
        .map(({ content }) => content.length),
    ).toEqual([2, 1, 1]);
    expect(await seat.leave()).toBe(0);
  });

  it("rewinds the conversation and its own changes to an earlier line, even after a kill", async () => {
    const { there, sit, requests } = await place([
      text("Hi."),
      [call("Write", { path: "new.txt", content: "new\n" }), call("Write", { path: "other.txt", content: "mine\n" })],
      text("Written."),
      text("Done otherwise."),
      text("As before."),
    ]);
    const file = (name: string) => join(there.repository, name);
    const seat = sit(["--permission-mode", "acceptEdits"], { columns: 100, rows: 40 });
    await seat.shows("ready");
    seat.type(`hello${enter}`);
    await seat.shows("Hi.");
    seat.type(`write them${enter}`);
    await seat.shows("Written.");
    await seat.shows("ready");
    writeFileSync(file("other.txt"), "theirs\n");
    seat.type(escapeKey + escapeKey);
    await seat.shows("❯ 1  write them");
    seat.type(enter);
    await seat.shows("  new.txt  would be removed: it did not exist then");
    await seat.shows("  other.txt  is kept as it is: something else has changed it since");
    await choose(seat, "y");
    await seat.shows("> write them");
    await eventually(() => !existsSync(file("new.txt")));
    expect(readFileSync(file("other.txt"), "utf8")).toBe("theirs\n");
    seat.type(` otherwise${enter}`);
    await seat.shows("Done otherwise.");
    expect(saidIn(requests()[3]).slice(2)).toEqual([
      [
        expect.stringMatching(/^\[The person went back to this point .* new\.txt\. Files left as they are now: other\.txt \(/),
        "write them otherwise",
      ],
    ]);
    expect(JSON.stringify(requests()[3]?.body.messages).includes("Written.")).toBe(false);
    process.kill(seat.pid, "SIGKILL");
    await seat.ended;

    const again = sit(["--continue"], { columns: 100, rows: 40 });
    await again.shows("Done otherwise.");
    again.type(`and now${enter}`);
    await again.shows("As before.");
    expect(firstThatDoesNotExtend(requests().slice(3))).toBeUndefined();
    expect(again.everything().join("\n")).not.toContain("Written.");
    expect(await again.leave()).toBe(0);
  });

  it.skipIf(noSandbox)(
    "asks about files that a command left and shows their content, says so in the status, and passes on a no",
    async () => {
      const { there, sit, requests } = await place([call("Bash", { command: "sh setup.sh" }), text("I see.")]);
      writeFileSync(join(there.repository, "setup.sh"), "echo registry=x > .npmrc\n");
      const seat = sit(["--allow", "Bash"], { columns: 100, rows: 30 });
      await seat.shows("ready");
      seat.type(`go${enter}`);
      await seat.shows("asks to keep files that its command left");
      await seat.shows("    + registry=x");
      await seat.shows("! needs you: answer above");
      await choose(seat, "no settings of npm");
      await seat.shows("I see.");
      expect(toolResults(requests()[1])).toEqual([
        expect.stringMatching(
          /\.npmrc was moved to .*\.npmrc: such a file runs later or sets rights, and nobody has allowed it\. The person said no: no settings of npm\.\]/,
        ),
      ]);
      expect(existsSync(join(there.repository, ".npmrc"))).toBe(false);
      expect(await seat.leave()).toBe(0);
    },
  );

  it("is interrupted by Esc, and continues with the next line", async () => {
    const waiting = gate(text("never"));
    const { sit, requests } = await place([waiting.answer, text("Here.")]);
    const seat = sit();
    await seat.shows("ready");
    seat.type(`wait${enter}`);
    await eventually(() => requests().length >= 1);
    seat.type(escapeKey);
    await seat.shows("interrupted");
    seat.type(`again${enter}`);
    await seat.shows("Here.");
    waiting.open();
    expect(saidIn(requests()[1])).toEqual([["wait", "again"]]);
    await seat.leave();
  });

  it("changes the permission mode with Shift-Tab, also for the current run of turns", async () => {
    const second = gate([call("Write", { path: "b.txt", content: "b\n" })]);
    const { there, sit, requests } = await place([
      [call("Read", { path: "a.txt" })],
      second.answer,
      [call("Write", { path: "c.txt", content: "c\n" })],
      text("Planned."),
      text("Again."),
    ]);
    writeFileSync(join(there.repository, "a.txt"), "a\n");
    const seat = sit([], { columns: 120 });
    await seat.shows("default (Shift-Tab)");
    seat.type(`go${enter}`);
    await eventually(() => requests().length >= 2);
    seat.type(shiftTab);
    await seat.shows("acceptEdits (Shift-Tab)");
    second.open();
    await eventually(() => existsSync(join(there.repository, "b.txt")));
    await eventually(() => requests().length >= 3);
    seat.type(shiftTab);
    await seat.shows("Planned.");
    await seat.shows("plan (Shift-Tab)");
    seat.type(shiftTab);
    await seat.shows("default (Shift-Tab)");
    seat.type(`/mode plan${enter}`);
    await seat.shows("The mode is plan from now on");
    seat.type(`/mode bypassPermissions${enter}`);
    await seat.shows('Cannot change to the mode "bypassPermissions"');
    seat.type(`plan it${enter}`);
    await seat.shows("Again.");
    expect(requests().map(({ body }) => body.tools.some(({ name }) => name === "SubmitPlan"))).toEqual([true, true, true, true, true]);
    expect(firstThatDoesNotExtend(requests())).toBeUndefined();
    expect(await seat.leave()).toBe(0);
  });

  it("does not end at Ctrl-D while a command runs, and accepts a size as a model name", async () => {
    const { there, sit } = await place([call("Bash", { command: "while [ ! -e done ]; do sleep 0.05; done" }), text("Ran.")]);
    const seat = sit(["--allow", "Bash", "--model", "opus"], { columns: 120 });
    await seat.shows("claude-opus-5-5");
    seat.type(`/model haiku${enter}`);
    await seat.shows("The model is claude-haiku-5-5 from now on.");
    seat.type(`go${enter}`);
    await seat.shows("▶ Bash while");
    seat.type(ctrlD);
    await seat.shows("Still working: Esc interrupts");
    writeFileSync(join(there.repository, "done"), "");
    await seat.shows("Ran.");
    await seat.shows("ready");
    seat.type(ctrlD);
    expect(await seat.ended).toBe(0);
  });

  it("runs !command for the person and attaches @file, both without secrets and in the ledger", async () => {
    const { there, sit, requests } = await place([text("Seen.")]);
    writeFileSync(join(there.repository, "a.txt"), `token = "${token}"\nplain\n`);
    writeFileSync(join(there.repository, ".env"), "A=b\n");
    const seat = sit([], { columns: 120, rows: 40 });
    await seat.shows("ready");
    seat.type(`!cat a.txt && echo to-be-seen > made.txt; exit 3${enter}`);
    await eventually(() => seat.screen().some((line) => line.trim() === "exit 3"));
    expect([existsSync(join(there.repository, "made.txt")), requests().length]).toEqual([true, 0]);
    expect(seat.screen().join("\n")).toContain(token);
    seat.type(`!sleep 600${enter}`);
    await seat.shows("!sleep 600: Esc interrupts");
    seat.type("\x02");
    await seat.shows("Your own commands cannot run in the background");
    seat.type(escapeKey);
    await eventually(() => seat.screen().some((line) => line.trim() === "interrupted"));
    await seat.shows("ready");
    seat.type("@");
    await seat.shows("made.txt");
    expect(seat.screen().some((line) => line.includes(".env"))).toBe(false);
    seat.type(`\x7flook at @a.txt ${enter}`);
    await seat.shows("@a.txt  2 lines");
    await seat.shows("Seen.");
    const sent = JSON.stringify(requests()[0]?.body.messages);
    expect(sent).toContain("The person ran a command in this folder themselves: cat a.txt");
    expect(sent).toContain("@a.txt, attached by the person:");
    expect([sent.includes("[exit 3]"), sent.includes(token)]).toEqual([true, false]);
    expect(await seat.leave()).toBe(0);
    const privacy = there.warm(["privacy", "a.txt", "--json"]);
    await privacy.ended;
    expect(JSON.parse(privacy.stdout())).toMatchObject({
      left: true,
      departures: [{ tool: "@" }],
      commands: [{ command: expect.stringMatching(/^cat a\.txt/) }],
    });
  });

  it("never relaxes a managed mode", async () => {
    const { there, sit } = await place([]);
    const managed = there.write("managed.json", JSON.stringify({ permissions: { defaultMode: "default" } }));
    const seat = sit([], { columns: 120, env: { TOOL_MANAGED_SETTINGS: managed } });
    await seat.shows("default (Shift-Tab)");
    seat.type(shiftTab);
    await seat.shows("plan (Shift-Tab)");
    seat.type(`/mode acceptEdits${enter}`);
    await seat.shows("the managed settings set default");
    seat.type(shiftTab);
    await seat.shows("default (Shift-Tab)");
    expect(await seat.leave()).toBe(0);
  });

  it("shows every wait with its reason, and reports at once what waiting cannot fix", async () => {
    const { sit } = await place([
      refusal(529, "overloaded_error", "Overloaded", { "retry-after": "6" }),
      text("unseen"),
      refusal(429, "rate_limit_error", "Your credit balance is too low to access the API"),
    ]);
    const seat = sit();
    await seat.shows("ready");
    seat.type(`hello${enter}`);
    await seat.shows("Provider overloaded (529)");
    await seat.shows("attempt 2 of 10");
    seat.type(escapeKey);
    await seat.shows("interrupted");
    await seat.leave();
  });

  it("remembers lines across sessions, and starts a new session with /clear while the old one can be resumed", async () => {
    const { there, sit, requests } = await place([text("One."), text("Two."), text("Three.")]);
    const started = { matcher: "clear", hooks: [{ type: "command", command: "cat > ../cleared" }] };
    there.write("config/settings.json", JSON.stringify({ hooks: { SessionStart: [started] } }));
    const seat = sit();
    await seat.shows("ready");
    seat.type(`!sleep 600${enter}`);
    await seat.shows("!sleep 600: Esc interrupts");
    seat.type(`first line${enter}`);
    await seat.shows("One.");
    await seat.shows("!sleep 600: Esc interrupts");
    seat.type(`/clear${enter}`);
    await eventually(() => seat.everything().filter((line) => line.includes("/help")).length === 2);
    seat.type(`second line${enter}`);
    await seat.shows("Two.");
    expect(seat.everything().some((line) => line.trim() === "interrupted")).toBe(false);
    await seat.leave();
    expect(requests()[1]?.body.messages).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(there.folder, "cleared"), "utf8"))).toMatchObject({ source: "clear" });

    const again = sit(["--resume"]);
    await again.shows("first line");
    again.type(`first${enter}`);
    await again.shows("One.");
    await again.shows("ready");
    again.type("\x1b[A\x1b[A\x1b[A");
    await again.shows("> first line");
    again.type(enter);
    await again.shows("Three.");
    await again.shows("ready");
    expect(saidIn(requests()[2])).toEqual([["first line"], ["One."], ["first line"]]);
    again.type(ctrlD);
    expect(await again.ended).toBe(0);
    const left = sit(["--resume"]);
    await left.shows("Esc leaves");
    left.type(escapeKey);
    expect(await left.ended).toBe(0);
    expect(left.everything().join("\n")).not.toContain("/help");
  });

  it("keeps finished text through resizes, and never leaves its screen", async () => {
    const long = Array.from({ length: 60 }, (_, n) => `line ${n} of a long reply`).join("\n\n");
    const { sit } = await place([text(long), text("After.")]);
    const seat = sit([], { columns: 80, rows: 20 });
    await seat.shows("ready");
    seat.type(`go${enter}`);
    await seat.shows("line 59");
    await seat.shows("ready");
    for (const [columns, rows] of [
      [40, 12],
      [120, 30],
      [60, 8],
      [80, 20],
    ] as const) {
      seat.resize(columns, rows);
      await seat.shows("ready");
    }
    seat.type(`more${enter}`);
    await seat.shows("After.");
    await seat.leave();
    const all = seat.everything().join("\n");
    expect(Array.from({ length: 60 }, (_, n) => `line ${n} of a long reply`).filter((line) => !all.includes(line))).toEqual([]);
  });

  it("writes no colour with NO_COLOR, and never a foreign control sequence", async () => {
    const evil = "\x1b]0;owned\x07\x1b[2J\x1b[?1049h\x9b31m evil";
    const { there, sit } = await place([[text(evil), call("Read", { path: "a.txt" })], text("End.")]);
    writeFileSync(join(there.repository, "a.txt"), `${evil}\n`);
    const seat = sit([], { env: { NO_COLOR: "1" } });
    await seat.shows("ready");
    seat.type(`go${enter}`);
    await seat.shows("End.");
    expect(seat.title()).not.toContain("owned");
    expect(seat.everything().join("\n")).toContain("\\x1b]0;owned");
    await seat.leave();
  });

  it("reports unknown slash commands, and answers known ones", async () => {
    const usage = { input_tokens: 1000, output_tokens: 100 };
    const { there, sit } = await place([streamed([text("Hi.")], { usage, model: "claude-sonnet-5" })]);
    mkdirSync(there.configDir, { recursive: true });
    const seat = sit(["--model", "claude-sonnet-5"], { rows: 60, columns: 120 });
    await seat.shows("ready");
    seat.type(`hello${enter}`);
    await seat.shows("Hi.");
    await seat.shows("ready");
    const says = async (line: string, words: string) => {
      seat.type(`${line} ${enter}`);
      await seat.shows(words);
    };
    await says("/cots", "Did you mean /cost?");
    await says("/cost", "claude-sonnet-5  1 turn  input 1.0k");
    await says("/help compact", "/compact [focus]");
    await says("/tasks", "This session has started no agents.");
    await says("/agents", "claude-sonnet-5");
    await says("/team", "There is no team.");
    await says("/doctor", "sandbox");
    await says("/permissions", "Directories:");
    await says("/context", "left this machine in this session: 0 files");
    await says("/privacy", "All sessions of this folder:");
    await says("/status", "has no settings, agents or skills to trust");
    await says("/hooks", "There are no hooks here.");
    await says("/skills", "How to write one of your own");
    await says("/model claude-haiku-5-5", "The model is claude-haiku-5-5 from now on.");
    seat.type(`/exit ${enter}`);
    expect(await seat.ended).toBe(0);
  });

  it("adds and removes rules with /permissions, in the settings and for the next call, in the sandbox too", async () => {
    const looks = ["touch a.txt; cat *.txt", "cat key.txt", ...(noSandbox ? [] : ["cat *.txt"])].map((command) =>
      call("Bash", { command }),
    );
    const { there, sit, requests } = await place([looks[0]!, text("One."), ...looks.slice(1), text("Two.")]);
    writeFileSync(join(there.repository, "key.txt"), "opensesame\n");
    const seat = sit([], { columns: 120, rows: 40 });
    await seat.shows("ready");
    const says = async (line: string, words: string) => {
      seat.type(`${line}${enter}`);
      await seat.shows(words);
    };
    await says("/permissions frob", 'Cannot do "frob" with permissions.');
    await says("/permissions add --scope nowhere Bash(touch:*)", "--scope is user, project, local");
    await says("/permissions add Bash(", "Cannot use the permission rule");
    await says("/permissions add 'Bash(touch *)'", "for you in this project");
    await says("/permissions add Bash(cat:*) --scope user", "for all your projects");
    await says("go", "One.");
    await says("/permissions add Read(key.*) --kind deny", "Added deny Read(key.*) to ");
    await says("again", "Two.");
    const seen = requests().map(
      (request) => /opensesame|denies it|key\.txt: Permission denied/.exec(toolResults(request).at(-1) ?? "")?.[0],
    );
    expect(seen).toEqual([undefined, "opensesame", undefined, "denies it", ...(noSandbox ? [] : ["key.txt: Permission denied"])]);
    await says("/permissions remove Bash(cat:*)", "Removed allow Bash(cat:*) from ");
    await says("/permissions remove Bash(cat:*)", "There is no rule Bash(cat:*) in your settings or this project's.");
    expect(await seat.leave()).toBe(0);
  });

  it("asks for trust once, also across /clear, and takes no sentence for an answer", async () => {
    const { there, sit, requests } = await place([text("I heard you."), text("Again.")]);
    mkdirSync(join(there.repository, ".tool"));
    writeFileSync(join(there.repository, ".tool/settings.json"), JSON.stringify({ permissions: { allow: ["Bash(touch made)"] } }));
    const seat = sit([], { columns: 120, rows: 40 });
    await seat.shows("Trust this repository");
    seat.type(`yes, say hello${enter}`);
    await seat.shows("none of these: Esc clears it");
    expect(requests()).toEqual([]);
    seat.type(escapeKey);
    await seat.shows("Enter takes 2");
    seat.type(`2say hello${enter}`);
    await seat.shows("I heard you.");
    expect(newest(requests()[0])).toContain("say hello");
    seat.type(`/clear${enter}`);
    await eventually(() => seat.everything().filter((line) => line.includes("/help")).length === 2);
    seat.type(`again${enter}`);
    await seat.shows("Again.");
    expect(seat.everything().filter((line) => line.includes("Trust this repository"))).toEqual([]);
    expect(await seat.leave()).toBe(0);
  });

  it("ends at the first Ctrl-C while it asks for trust, and says that nothing was started", async () => {
    const { there, sit, requests } = await place([text("Never.")]);
    mkdirSync(join(there.repository, ".tool"));
    writeFileSync(join(there.repository, ".tool/settings.json"), JSON.stringify({ permissions: { allow: ["Bash(touch made)"] } }));
    const seat = sit(["say hello"], { columns: 120, rows: 40 });
    await seat.shows("Trust this repository");
    seat.type(ctrlC);
    expect(await seat.ended).toBe(130);
    const all = seat.everything().join("\n");
    expect(all).toContain("tool: Interrupted, before you said whether to trust this repository. Nothing was started.");
    expect(all).not.toContain("/help");
    expect(requests()).toEqual([]);
  });

  it("applies the current settings and .toolignore at each call, and keeps the rules if a file is broken", async () => {
    const look = call("Read", { path: "a.txt" });
    const { there, sit, requests } = await place([look, text("One."), look, text("Two."), look, text("Three.")]);
    const put = (path: string, content: string) => {
      mkdirSync(dirname(join(there.repository, path)), { recursive: true });
      writeFileSync(join(there.repository, path), content);
    };
    put("a.txt", "opensesame\n");
    const seat = sit([], { columns: 120, rows: 40 });
    await seat.shows("ready");
    seat.type(`one${enter}`);
    await seat.shows("One.");
    put(".toolignore", "*.txt\n");
    seat.type(`two${enter}`);
    await seat.shows("Two.");
    put(".toolignore", "");
    put(".tool/settings.json", '{"permissions":{"deny":["Read(a.txt)"]');
    seat.type(`three${enter}`);
    await seat.shows("The settings have changed, and the rules stay as they were: Cannot use the settings");
    await seat.shows("Three.");
    const seen = requests().map((request) => /opensesame|hidden from agents/.exec(toolResults(request).at(-1) ?? "")?.[0]);
    expect(seen).toEqual([undefined, "opensesame", undefined, "hidden from agents", undefined, "hidden from agents"]);
    expect(await seat.leave()).toBe(0);
  });

  it("offers no session that is open elsewhere, and keeps the chosen model across /clear", async () => {
    const { sit } = await place([text("One."), text("Two.")]);
    const [first, second] = [sit(), sit()];
    for (const seat of [first, second]) {
      await seat.shows("ready");
      seat.type(`hello${enter}`);
      await seat.shows(seat === first ? "One." : "Two.");
      await seat.shows("ready");
    }
    second.type(`/resume${enter}`);
    await second.shows("There is no session of this folder to resume.");
    second.type(`/model claude-opus-5${enter}`);
    await second.shows("The model is claude-opus-5 from now on.");
    second.type(`/clear${enter}`);
    await second.shows("0 of 1.0M │ $0.00");
    expect(await second.leave()).toBe(0);
    expect(await first.leave()).toBe(0);
  });

  it("does not ask about an impossible edit or about TOOL.md, shows why, and is in the record of what was sent", async () => {
    const blind = call("Edit", { path: "a.txt", old_string: "b", new_string: "c" });
    const { there, sit } = await place([[blind, call("Bash", { command: "echo x > TOOL.md" })], text("I read it first.")]);
    writeFileSync(join(there.repository, "a.txt"), "a\n");
    const seat = sit();
    await seat.shows("ready");
    seat.type(`go${enter}`);
    await seat.shows("I read it first.");
    const all = seat.everything().join(" ").replaceAll(/\s+/g, " ");
    expect(all).toContain("you have not read it");
    expect(all).toContain("TOOL.md is a TOOL.md, which the person alone writes");
    expect(await seat.leave()).toBe(0);
    const privacy = there.warm(["privacy"]);
    expect((await privacy.ended).code).toBe(0);
    expect(privacy.stdout()).toContain("What left these sessions:");
  });

  it("shows a plan as Markdown, and the mode that an answer leads to", async () => {
    const { sit } = await place([call("SubmitPlan", { plan: "# First\n\nChange `a.txt`." }), text("Done.")]);
    const seat = sit(["--permission-mode", "plan"]);
    await seat.shows("plan (Shift-Tab)");
    seat.type(`go${enter}`);
    await seat.shows("1  go on");
    expect(seat.screen().join("\n")).toContain("tool's plan\n\nFirst\n\nChange a.txt.");
    await choose(seat, "y");
    await seat.shows("Done.");
    expect(seat.screen().join("\n")).not.toContain("plan (Shift-Tab)");
    expect(await seat.leave()).toBe(0);
  });
});

describe("surprising settings", () => {
  it("are reported when the session opens: an unknown model, instructions that are too long", async () => {
    const { there, sit } = await place([]);
    writeFileSync(join(there.repository, "TOOL.md"), "Keep it short.\n".repeat(10_000));
    symlinkSync("/etc/passwd", join(there.repository, "AGENTS.md"));
    const seat = sit(["--model", "claude-sonet-5-5"], { columns: 120, env: { ANTHROPIC_BASE_URL: "" } });
    await seat.shows("ready");
    const lines = seat.screen().join("\n").replaceAll(/\n +/g, " ");
    expect(lines).toContain(
      '! "claude-sonet-5-5" is not a model known here: its price and window are unknown, and the provider may refuse it. Did you mean claude-sonnet-5-5?',
    );
    expect(lines).toContain(
      "! TOOL.md has 150000 bytes, of which agents are given the first 65536. Make it shorter, or put the rest into files that it names.",
    );
    expect(lines).toContain("! AGENTS.md instructs no agent: it is a link that leads out of its folder, to /etc/passwd.");
    await seat.leave();
  });

  it("are reported for an unknown name", async () => {
    const { sit } = await place([]);
    const seat = sit(["--model", ""], { columns: 120 });
    expect(await seat.ended).toBe(2);
    expect(seat.everything().join("\n")).toContain("It must be a model's name.");
  });
});

it("a full disk ends a session with the reason and the command that resumes it", async () => {
  const { there, api } = await place([text("More than the disk has room for. ".repeat(200))]);
  const full = ["/bin/sh", "-c", 'ulimit -f 8; exec "$@"', "sh", ...tool];
  const seat = personsTerminal(full, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 200, rows: 24 });
  await seat.shows("ready");
  seat.type(`hello${enter}`);
  expect(await seat.ended).toBe(1);
  const all = seat.everything().join("\n");
  expect(all).toMatch(/^Resume this session: tool --resume [0-9a-f-]{36}$/m);
  expect(all).toMatch(/^tool: cannot append to .* bytes were written\. Make room on the disk\./m);
});

it("a closed terminal ends a session without a native error message", async () => {
  const { there, api } = await place([text("Hello.")]);
  const said = join(there.folder, "said");
  const shell = ["/bin/sh", "-c", `trap : HUP; "$@" 2>"${said}"; echo "code $?" >>"${said}"`, "sh", ...tool];
  const seat = personsTerminal(shell, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 100, rows: 24 });
  await seat.shows("ready");
  seat.hangUp();
  const words = await eventually(() => existsSync(said) && /code \d/.test(readFileSync(said, "utf8")) && readFileSync(said, "utf8"));
  expect(words).toMatch(/^code (0|130)\n$/); // from the end of its input or from the signal, whichever comes first
});
