// The lead's screen as a person uses it, in a terminal and inside tmux, with typed keys and at several widths.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { call, gate, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { skipWithoutTmux } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually } from "../scratch.ts";
import { type Place, processesOf, teamPlace, tool } from "../team-kit.ts";
import { capturedLines, joinedRows, until } from "./persons-tmux.ts";

const keys = { escape: "\x1b", ctrlC: "\x03", ctrlL: "\x0c" };

it("Esc and one Ctrl-C interrupt the turn; the size may change while it draws; nothing is drawn twice", async () => {
  const place = teamPlace();
  const [slow, slower] = [gate(text("never")), gate(text("never"))];
  const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(" ");
  const api = await provider({ lead: [text(words), slow.answer, slower.answer, text("I am still here.")] });
  const terminal = personsTerminal([...tool, "team", "--display", "in-process"], {
    env: { ...place.env, ...api.env },
    cwd: place.repository,
    columns: 40,
    rows: 24,
  });
  await terminal.shows("no tasks yet");
  terminal.type("first line\r");
  await terminal.shows("word29");
  terminal.type("second\r");
  await eventually(() => api.requests("lead").length >= 2);
  terminal.type(keys.escape);
  await terminal.shows("interrupted");

  terminal.type("third\r");
  await eventually(() => api.requests("lead").length >= 3);
  for (const [columns, rows] of [
    [90, 30],
    [50, 12],
    [40, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.shows("─".repeat(columns));
  }
  terminal.type(`half a line${keys.ctrlC}`);
  terminal.type(keys.ctrlC);
  await terminal.shows("Ctrl-C again ends the team");
  await eventually(() => terminal.screen().filter((line) => line === "  interrupted").length >= 1);

  await eventually(() => !terminal.everything().join("\n").includes("Ctrl-C again"));
  terminal.type("are you there?\r");
  await terminal.shows("I am still here.");
  expect(newest(api.requests("lead")[3] ?? noRequest())).toContain("are you there?");
  const words40 = terminal.everything().join(" ");
  expect(words40.match(/word\d+/g)).toEqual(words.split(" "));
  terminal.type(keys.ctrlL);
  terminal.type("typed");
  const redrawn = await terminal.shows("typed");
  expect(redrawn.slice(-4).map((line) => line.trimEnd())).toEqual([
    "─".repeat(40),
    "> typed",
    "─".repeat(40),
    "no tasks yet │ cost unknown",
  ]);
  expect(redrawn.filter((line) => line === "I am still here.")).toEqual(["I am still here."]);

  terminal.type(keys.ctrlC);
  expect(await terminal.leave()).toBe(130);
});

it("in tmux of 40, 80 and 200 columns no line is wrapped by the terminal, and who needs the person is said", async () => {
  const place = teamPlace();
  // Which choices a question offers besides rules depends on whether this machine has a sandbox.
  place.write("config/settings.json", JSON.stringify({ sandbox: { enabled: false } }));
  const api = await provider({
    lead: [
      [call("TaskCreate", { title: "Parse quoted fields with escapes", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
      text("ada parses the quoted fields, escapes included, and tells me when the tests are green."),
    ],
    ada: [call("Bash", { command: "npm publish" })],
  });
  const tmux = personsTmux(place, { columns: 40, env: { ...place.env, ...api.env } });
  await eventually(() => tmux.screen(0).some((line) => line.startsWith("! ada asks to run")));
  await eventually(() => tmux.labels()[1] === "ada ! needs you task-1 Parse quoted fields with escapes");
  expect(tmux.everything(0).slice(0, 3)).toEqual([
    "Team atlas: tmux, a window for each",
    "  teammate: Ctrl-B and its number; a",
    "  terminal of 161 columns shows them",
  ]);
  const inView = [];
  for (const [pane, next] of [[0, 1] as const, [1, 0] as const]) {
    tmux.type(pane, "C-o");
    inView.push(await until(tmux.shownPane, next));
  }
  expect(inView).toEqual([1, 0]);

  const statusLines = {
    40: "! ada needs you, above │ 0✓ 1▶ ada !1",
    80: "! ada needs you, above │ 0 ✓  1 ▶ │ ada ! needs you task-1 │ cost unknown",
    200: "! ada needs you, above │ 0 ✓  1 ▶ │ ada ! needs you task-1 Bash npm publish │ cost unknown",
  };
  expect(tmux.everything(0)).toContain("  ada    · started: Ctrl-B 1 shows its");
  expect(tmux.everything(1)).toContain("  ada, a teammate of team atlas.");
  // With a sandbox it also offers network access.
  const said =
    "! ada asks to run also in ada's window: Ctrl-B 1 npm publish sends No rule allows it. ❯ 1 once 2 ada, this session: npm publish 3 the whole team: npm publish 4 always: npm publish 5 later 6 no type to say no and why · Enter takes 1 · Esc no to all, and stop";
  for (const [columns, line] of Object.entries(statusLines)) {
    tmux.resize(Number(columns));
    const rule = "─".repeat(Number(columns));
    const live = [rule, ">", rule, line];
    expect(await until(() => tmux.screen(0).slice(-4), live)).toEqual(live);
    const screen = tmux.screen(0);
    const words = screen
      .slice(
        screen.findLastIndex((each) => each.startsWith("! ada asks")),
        -4,
      )
      .map((each) => each.trim())
      .join(" ")
      .replaceAll(/ +/g, " ");
    // The choices are in columns where the width allows.
    expect(words.split(" ").sort()).toEqual(said.split(" ").sort());
  }

  for (const key of ["n", "Enter"]) tmux.type(1, key);
  await eventually(() => api.requests("ada").length >= 2);
  expect(newest(api.requests("ada")[1] ?? noRequest())).toContain("The person said no");
  await eventually(() => place.team().tasks()[0]?.status === "blocked" && place.team().status("lead")?.state === "idle");
  tmux.type(0, "C-c", "C-c");
  await eventually(() => tmux.isOver());
});

it("what the lead says before a pane opens beside it is not broken inside words when it does", async () => {
  const place = teamPlace();
  const words = Array.from({ length: 40 }, (_, index) => `parenthesised-${index}`);
  const api = await provider({
    lead: [
      [text(words.join(" ")), call("TaskCreate", { title: "Parse dates", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
      text("ada is at work."),
    ],
    ada: [call("TaskUpdate", { id: "task-1", status: "completed", summary: "Parsed." }), text("Done.")],
  });
  const tmux = personsTmux(place, { columns: 170, env: { ...place.env, ...api.env } });
  await eventually(() => tmux.screen(0).some((line) => line.includes("ada is at work.")));
  const shown = tmux.everything(0);
  expect(shown.slice(0, 2).join("")).toBe(
    "Team atlas: tmux, beside this pane (--display says so). Ctrl-O goes to the next  pane. Stop: Ctrl-C twice.",
  );
  const said = shown.filter((line) => line.includes("parenthesised-")).join(" ");
  expect(said.split(/ +/)).toEqual(words);
  await eventually(() => place.team().status("lead")?.state === "idle" && place.team().tasks()[0]?.status === "completed");
  tmux.type(0, "C-c", "C-c");
  await eventually(() => tmux.isOver());
});

/** The program in the first pane of a user's own tmux server. */
function personsTmux(place: Place, { columns, env }: { columns: number; env: Record<string, string> }) {
  skipWithoutTmux();
  const run = (...args: string[]) =>
    execFileSync("tmux", ["-u", "-L", "person", "-f", "/dev/null", ...args], { env, encoding: "utf8", stdio: "pipe" }).trimEnd();
  const size = ["-x", String(columns), "-y", "40"];
  const [pid, socket = ""] = run(
    "new-session",
    "-d",
    ...size,
    "-c",
    place.repository,
    "-P",
    "-F",
    "#{pid} #{socket_path}",
    ...tool,
    "team",
    "--display",
    "tmux",
    "Parse.",
  ).split(" ");
  onTestFinished(() => {
    if (processesOf(place.folder).some((found) => found.pid === Number(pid))) process.kill(Number(pid), "SIGKILL");
    rmSync(socket, { force: true });
  });
  return {
    labels: () => run("list-panes", "-a", "-F", "#{@tool_label}").split("\n"),
    everything: (pane: number) => capturedLines(run("capture-pane", ...joinedRows, "-S", "-", "-t", `%${pane}`)),
    screen: (pane: number) => capturedLines(run("capture-pane", ...joinedRows, "-t", `%${pane}`)),
    resize: (width: number) => run("resize-window", "-t", "%0", "-x", String(width), "-y", "40"),
    /** The number of the pane in view. */
    shownPane: () => Number(run("display-message", "-p", "#{pane_id}").slice(1)),
    type: (pane: number, ...keys: string[]) => run("send-keys", "-t", `%${pane}`, ...keys),
    isOver() {
      try {
        run("list-sessions");
        return false;
      } catch {
        // The server has ended with its last pane.
        return true;
      }
    },
  };
}

function noRequest(): never {
  throw new Error("There is no such request");
}
