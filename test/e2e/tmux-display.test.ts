// Teammates in tmux panes on real servers: a user's own, and the team's.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerIdentity } from "../../src/edge/display/tmux/panes.ts";
import { startPrivateServer, stopPrivateServer } from "../../src/edge/display/tmux/server.ts";
import { tmuxDisplay } from "../../src/edge/display/tmux/tmux.ts";
import { type Display, type DisplayHandle, isDisplayError, type OpenRequest } from "../../src/team/display/display.ts";
import { programFolder } from "../scratch.ts";
import { isAlive, type PersonsTmux, personsTmux, until } from "./persons-tmux.ts";

let person: PersonsTmux;
let display: Display;

/** A terminal in which the lead keeps 80 columns and three teammates fit beside it. */
const wide = { columns: 200, rows: 51 };

beforeEach(async () => {
  await settle(wide);
});

afterEach(async () => {
  expect(await person.end()).toEqual([]);
});

afterAll(() => void vi.unstubAllEnvs());

describe("beside the lead in the person's tmux", () => {
  it("a teammate's program gets its argv, directory and environment, and no shell in between", async () => {
    const cwd = join(person.folder, "a #(touch pwned) #[x] dir;");
    mkdirSync(cwd);
    const script = 'printf "%s\\n" "$PWD" "$0" "$@" "$TOOL_OWNER" > seen; exec sleep 1000';
    const words = ["semi;", "two words", "$HOME `id` #{pid}", "", "ende;"];
    await display.open({ name: "ada", argv: ["/bin/sh", "-c", script, ...words], cwd, env: { TOOL_OWNER: "s;1:ada;" } });
    expect(await until(() => linesOf(join(cwd, "seen")), [cwd, ...words, "s;1:ada;"])).toEqual([cwd, ...words, "s;1:ada;"]);
    expect(readdirSync(cwd)).toEqual(["seen"]);
  });

  it("a program without arguments is not passed to a shell either", async () => {
    const program = join(person.folder, "a b;c");
    writeFileSync(program, `#!/bin/sh\necho "$#" > "${person.folder}/seen"\nexec sleep 1000\n`, { mode: 0o755 });
    await display.open({ ...ask("ada"), argv: [program] });
    expect(await until(() => linesOf(join(person.folder, "seen")), ["0"])).toEqual(["0"]);
  });

  it("the lead is the main pane, three are beside it, and further ones get their own window", async () => {
    const options = person.options();
    for (const name of ["ada", "bo", "cy", "di", "ed"]) await display.open(ask(name));
    expect(panes()).toEqual([
      "1 %0 80x49 ()",
      "1 %1 119x15 (session-1:ada)",
      "1 %2 119x15 (session-1:bo)",
      "1 %3 119x17 (session-1:cy)",
      "2 %4 200x49 (session-1:di)",
      "3 %5 200x49 (session-1:ed)",
    ]);
    expect(person.tmux("display-message", "-p", "-t", "%0", "#{window_active} #{pane_active}")).toBe("1 1");
    expect(person.options()).toBe(options);
  });

  it("eight at once all find room for 80 × 12", async () => {
    const handles = await Promise.all(["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => display.open(ask(name))));
    const sizes = person.tmux("list-panes", "-a", "-F", "#{@tool_owner} #{pane_width} #{pane_height}").split("\n");
    const narrow = sizes.map((line) => line.split(" ")).filter(([, columns, rows]) => Number(columns) < 80 || Number(rows) < 12);
    expect(new Set(handles.map((handle) => handle.kind === "tmux" && handle.pane)).size).toBe(8);
    expect({ panes: sizes.length, narrow }).toEqual({ panes: 9, narrow: [] });
  });

  it("a window in which the person has a pane is left alone", async () => {
    person.tmux("split-window", "-d", "-t", "%0", "sleep", "1000");
    const window = person.tmux("show-options", "-w", "-t", "%0");
    await display.open(ask("ada"));
    await display.open(ask("bo"));
    expect(panes()).toEqual(["1 %0 200x25 ()", "1 %1 200x24 ()", "2 %2 200x23 (session-1:ada)", "2 %3 200x25 (session-1:bo)"]);
    expect(person.tmux("show-options", "-w", "-t", "%0")).toBe(window);
  });

  const windows = () =>
    person
      .tmux(
        "list-panes",
        "-a",
        "-F",
        "#{?#{==:#{window_index},1},lead,#{window_name}} #{pane_left},#{pane_top} #{pane_width}x#{pane_height}",
      )
      .split("\n");
  const alone = (width: number, rows: number, ...names: string[]) => names.map((name) => `${name} 0,1 ${width}x${rows}`);

  it.each([
    {
      columns: 40,
      rows: 24,
      sees: { where: "window", prefix: "Ctrl-A" },
      panes: ["lead 0,0 40x23", ...alone(40, 22, "ada", "bo", "cy", "di")],
    },
    {
      columns: 80,
      rows: 24,
      sees: { where: "window", prefix: "Ctrl-A" },
      panes: ["lead 0,0 80x23", ...alone(80, 22, "ada", "bo", "cy", "di")],
    },
    {
      columns: 100,
      rows: 30,
      sees: { where: "below", room: 2 },
      panes: ["lead 0,1 100x14", "lead 0,16 49x13", "lead 50,16 50x13", ...alone(100, 28, "cy", "di")],
    },
    {
      columns: 120,
      rows: 40,
      sees: { where: "below", room: 2 },
      panes: ["lead 0,1 120x19", "lead 0,21 59x18", "lead 60,21 60x18", ...alone(120, 38, "cy", "di")],
    },
    {
      columns: 160,
      rows: 45,
      sees: { where: "below", room: 3 },
      panes: ["lead 0,1 160x21", "lead 0,23 52x21", "lead 53,23 52x21", "lead 106,23 54x21", ...alone(160, 43, "di")],
    },
    {
      columns: 161,
      rows: 45,
      sees: { where: "beside", room: 3, leadColumns: 80 },
      panes: ["lead 0,1 80x43", "lead 81,1 80x13", "lead 81,15 80x13", "lead 81,29 80x15", ...alone(161, 43, "di")],
    },
    {
      columns: 200,
      rows: 50,
      sees: { where: "beside", room: 3, leadColumns: 80 },
      panes: ["lead 0,1 80x48", "lead 81,1 119x15", "lead 81,17 119x15", "lead 81,33 119x16", ...alone(200, 48, "di")],
    },
    {
      columns: 100,
      rows: 17,
      sees: { where: "window", prefix: "Ctrl-A" },
      panes: ["lead 0,0 100x16", ...alone(100, 15, "ada", "bo", "cy", "di")],
    },
  ])(
    "with $columns × $rows, teammates are beside the lead, below it, or in windows with their names",
    async ({ sees, panes: expected, ...size }) => {
      await person.end();
      await settle(size);
      const outlook = await display.outlook?.();
      const handles = [];
      for (const name of ["ada", "bo", "cy", "di"]) handles.push(await display.open(ask(name)));
      const ways = await Promise.all(handles.map(async (handle) => display.wayTo?.(handle)));
      expect({ outlook, panes: windows() }).toEqual({ outlook: sees, panes: expected });
      expect(await display.outlook?.()).toEqual(sees); // as a lead that resumes the team finds it
      const inView = expected.filter((pane) => pane.startsWith("lead")).length - 1;
      expect(ways).toEqual(handles.map((_handle, index) => (index < inView ? undefined : `Ctrl-A ${index - inView + 2}`)));
    },
  );

  it("a window that has become narrower is laid out anew with the next pane", async () => {
    await person.end();
    await settle({ columns: 200, rows: 45 });
    await display.open(ask("ada"));
    person.tmuxOf("terminal", "resize-window", "-t", "%0", "-x", "120", "-y", "45");
    await until(() => person.tmux("display-message", "-p", "-t", "%0", "#{window_width}"), "120");
    await display.open(ask("bo"));
    expect(windows()).toEqual(["lead 0,1 120x21", "lead 0,23 59x21", "lead 60,23 60x21"]);
  });

  it("another team's pane in the lead's window is not ours either", async () => {
    await display.open(ask("ada"));
    const other = beside("session-2");
    await other.open(ask("ada"));
    expect(panes()).toEqual(["1 %0 80x49 ()", "1 %1 119x49 (session-1:ada)", "2 %2 200x49 (session-2:ada)"]);
  });

  it("a window that is too small for two is never split", async () => {
    await person.end();
    await settle({ columns: 99, rows: 21 });
    for (const name of ["ada", "bo"]) await display.open(ask(name));
    expect(panes()).toEqual(["1 %0 99x20 ()", "2 %1 99x19 (session-1:ada)", "3 %2 99x19 (session-1:bo)"]);
  });

  it("a width that main-pane-width makes too small for a second column is not split", async () => {
    person.tmux("set-option", "-g", "main-pane-width", "70%");
    await display.open(ask("ada"));
    expect(panes()).toEqual(["1 %0 200x50 ()", "2 %1 200x49 (session-1:ada)"]);
  });

  it("the title is our text, whatever it contains and whatever the program sets", async () => {
    const argv = ["/bin/sh", "-c", 'printf "\\033]2;mine\\007"; exec sleep 1000'];
    const handle = await display.open({ ...ask("ada"), argv });
    await display.label(handle, "ada ▶ #(touch pwned) #{pid}, #[fg=red]#H} %H '$HOME' \\u\u001b[31m;");
    const shown = "ada ▶ #(touch pwned) #{pid}, #[fg=red]#H} %H '$HOME' \\u [31m;";
    expect(await until(() => person.screen()[0]?.split("─ ").at(-1)?.replace(/ ─*$/, ""), shown)).toBe(shown);
    expect(readdirSync(person.folder).includes("pwned")).toBe(false);
  });

  it("the titles in the lead's window are off again after the team", async () => {
    const window = person.tmux("show-options", "-w", "-t", "%0");
    const handle = await display.open(ask("ada"));
    const during = person.tmux("show-options", "-w", "-t", "%0");
    await display.close(handle);
    await display.dispose();
    expect([during, person.tmux("show-options", "-w", "-t", "%0")]).toEqual([`@tool_titles on\npane-border-status top`, window]);
  });

  it("titles that the person turned off for one window only stay off there", async () => {
    person.tmux("set-option", "-g", "pane-border-status", "bottom");
    person.tmux("set-option", "-w", "-t", "%0", "pane-border-status", "off");
    await display.close(await display.open(ask("ada")));
    await display.dispose();
    expect(person.tmux("show-options", "-w", "-t", "%0")).toBe("pane-border-status off");
  });
});

describe("the end of a pane", () => {
  it("a program that exits at once with 0 closes its pane, one that fails leaves its last output", async () => {
    const good = await display.open({ ...ask("ada"), argv: ["/bin/sh", "-c", "exit 0"] });
    // tmux may lose what a program writes at the moment of its end.
    const bad = await display.open({ ...ask("bo"), argv: ["/bin/sh", "-c", "echo no such module; sleep 0.1; exit 3"] });
    const killed = await display.open({ ...ask("cy"), argv: ["/bin/sh", "-c", "kill -9 $$"] });
    const states = () => Promise.all([good, bad, killed].map((handle) => display.state(handle)));
    expect(await until(states, ["gone", "open", "open"])).toEqual(["gone", "open", "open"]);
    expect(await until(() => lastWords([good, bad, killed]), ["", "no such module\n(exit status 3)", "(killed by SIGKILL)"])).toEqual([
      "",
      "no such module\n(exit status 3)",
      "(killed by SIGKILL)",
    ]);
  });

  it("is seen also when the program works for a while first, over and over", async () => {
    const good = Array.from({ length: 6 }, (_, n) => display.open({ ...ask(`n${n}`), argv: ["/bin/sh", "-c", "lead 0.6; exit 0"] }));
    const handles = await Promise.all(good);
    const states = () => Promise.all(handles.map((handle) => display.state(handle)));
    expect(await until(states, Array(6).fill("gone"))).toEqual(Array(6).fill("gone"));
  });

  it("closing a failed pane and disposing leave the person's pane alone, and nothing else", async () => {
    const closed = await display.open({ ...ask("ada"), argv: ["/bin/sh", "-c", "exit 1"] });
    await display.open({ ...ask("bo"), argv: ["/bin/sh", "-c", "exit 1"] });
    await until(() => dead(), 2);
    await display.close(closed);
    const after = panes();
    await display.dispose();
    expect([after, panes()]).toEqual([["1 %0 80x49 ()", "1 %2 119x49 (session-1:bo)"], ["1 %0 200x50 ()"]]);
  });

  it("a pane that the person kills ends with its program", async () => {
    const [ada, bo] = [await display.open(ask("ada")), await display.open(ask("bo"))];
    person.tmux("kill-pane", "-t", paneOf(ada));
    expect([await display.state(ada), await display.state(bo)]).toEqual(["gone", "open"]);
    expect(await until(() => isAlive(pidOf(ada)), false)).toBe(false);
  });

  it("a pane in which the person started something else counts as gone, and is not closed", async () => {
    const handle = await display.open(ask("ada"));
    person.tmux("respawn-pane", "-k", "-t", paneOf(handle), "sleep", "2000");
    await display.close(handle);
    expect([await display.state(handle), await display.lastWords(handle)]).toEqual(["gone", ""]);
    expect(panes()).toEqual(["1 %0 80x49 ()", "1 %1 119x49 (session-1:ada)"]);
  });

  it("a new server with the same pane ids is another one: nothing is closed, labelled or read there", async () => {
    const handle = await display.open(ask("ada"));
    const old = person;
    process.kill(old.pid, "SIGKILL");
    await until(() => isAlive(old.pid), false);
    expect(await display.state(handle)).toBe("server_gone");
    old.tmux("new-session", "-d", "-x", "200", "-y", "51", "sleep", "1000");
    old.tmux("split-window", "-d", "sleep", "1000");
    await display.close(handle);
    await display.label(handle, "mine");
    expect([await display.state(handle), await display.lastWords(handle)]).toEqual(["server_gone", ""]);
    expect(old.tmux("list-panes", "-a", "-F", "#{pane_id} #{@tool_label}")).toBe("%0 \n%1");
    old.tmux("kill-server");
  });

  it("handles of another kind of display count as gone", async () => {
    const handle: DisplayHandle = { kind: "pty", pid: process.pid, id: "x" };
    await display.close(handle);
    await display.label(handle, "x");
    expect([await display.state(handle), await display.lastWords(handle)]).toEqual(["server_gone", ""]);
  });
});

describe("a server of the team's own", () => {
  const secret = { ANTHROPIC_API_KEY: "sk-1", GITHUB_TOKEN: "ghp-1", NODE_OPTIONS: "--trace-warnings" };

  it("starts with the first teammate, holds nothing but teammates, sees no keys, and is gone after dispose", async () => {
    const own = detached({ ...person.env, ...secret, TOOL_CONFIG_DIR: "/config" });
    const handles: DisplayHandle[] = [];
    for (const name of ["ada", "bo", "cy"]) handles.push(await own.open(ask(name)));
    const [ada] = handles;
    const server = ada?.kind === "tmux" ? ada : undefined;
    const environment = readFileSync(`/proc/${server?.serverPid}/environ`, "utf8")
      .split("\0")
      .map((line) => line.split("=")[0]);
    expect(environment.filter((name) => name && name in secret)).toEqual([]);
    expect(environment.includes("TOOL_CONFIG_DIR")).toBe(true);
    expect(server?.socket).toBe(join(person.sockets, `tmux-${process.getuid?.()}`, "tool-atlas"));
    expect(panes("tool-atlas")).toEqual(["0 %0 99x24 (session-1:ada)", "0 %1 100x24 (session-1:bo)", "0 %2 200x25 (session-1:cy)"]);
    await own.dispose();
    const pids = [...handles.map(pidOf), server?.serverPid ?? 0];
    expect(await until(() => pids.filter(isAlive), [])).toEqual([]);
    expect([person.otherServers(), await own.state(handles[0] ?? never())]).toEqual([[], "server_gone"]);
  });

  it("that an earlier lead started ends with the team, although it keeps a pane with its last output", async () => {
    const before = detached(person.env);
    const [ada, bo] = [await before.open({ ...ask("ada"), argv: ["/bin/sh", "-c", "exit 3"] }), await before.open(ask("bo"))];
    expect(await until(() => before.lastWords(ada), "(exit status 3)")).toBe("(exit status 3)");
    const after = detached(person.env);
    await after.label(bo, "bo works");
    await after.open(ask("cy"));
    await after.close(bo);
    await after.dispose();
    expect([await before.state(ada), await before.state(bo)]).toEqual(["server_gone", "server_gone"]);
  });

  it("that an earlier lead started gets the next teammates while one of them lives there, and ends with them", async () => {
    const before = detached(person.env);
    const ada = await before.open(ask("ada"));
    const after = detached(person.env);
    after.takeOver?.(ada);
    const bo = await after.open(ask("bo"));
    expect([serverOf(bo), panes("tool-atlas").length]).toEqual(["tool-atlas", 2]);
    const lead = await startPrivateServer({
      team: "atlas",
      owner: "session-1",
      leadArgv: ["/bin/sleep", "1000"],
      cwd: "/",
      size: wide,
      env: person.env,
      former: [ada, bo].map(identityOf),
    });
    const shown = person.tmuxOf("tool-atlas", "display-message", "-p", "#{window_name} #{@tool_owner}");
    expect([lead, shown]).toEqual([identityOf(ada), "lead session-1:lead"]);
    await after.dispose();
    expect([await before.state(ada), await after.state(bo), person.otherServers()]).toEqual(["server_gone", "server_gone", []]);
  });

  it("is started again if the earlier one has ended or was replaced", async () => {
    const before = detached(person.env);
    const ada = await before.open(ask("ada"));
    await before.dispose();
    person.tmuxOf("tool-atlas", "new-session", "-d", "-s", "mine", "sleep", "1000");
    const after = detached(person.env);
    after.takeOver?.(ada);
    expect(serverOf(await after.open(ask("bo")))).toBe("tool-atlas-2");
    await after.dispose();
    expect(person.tmuxOf("tool-atlas", "list-sessions", "-F", "#S")).toBe("mine");
    person.tmuxOf("tool-atlas", "kill-server");
    rmSync(join(person.sockets, `tmux-${process.getuid?.()}`, "tool-atlas"));
  });

  it("is never shared: another server of that name makes it take the next", async () => {
    const [one, two] = [detached(person.env), detached(person.env)];
    const handles = await Promise.all([one.open(ask("ada")), two.open(ask("ada"))]);
    expect(handles.map(serverOf).toSorted((a, b) => a.length - b.length)).toEqual(["tool-atlas", "tool-atlas-2"]);
    await one.dispose();
    await two.dispose();
    expect(person.otherServers()).toEqual([]);
  });

  it("is not shared with a server that a person named so, and that one is left as it was", async () => {
    person.tmuxOf("tool-atlas", "new-session", "-d", "-s", "mine", "sleep", "1000");
    const own = detached(person.env);
    const handle = await own.open(ask("ada"));
    expect([serverOf(handle), person.tmuxOf("tool-atlas", "list-sessions", "-F", "#S")]).toEqual(["tool-atlas-2", "mine"]);
    await own.dispose();
    person.tmuxOf("tool-atlas", "kill-server");
    rmSync(join(person.sockets, `tmux-${process.getuid?.()}`, "tool-atlas"));
  });

  it("with the lead in its first pane: the teammates stand beside it, and the server ends with it", async () => {
    const leadArgv = ["/bin/sh", "-c", 'echo "$TMUX $TMUX_PANE" > lead; while [ ! -e end ]; do sleep 0.05; done'];
    const server = await startPrivateServer({
      team: "atlas",
      owner: "session-1",
      leadArgv,
      cwd: person.folder,
      size: wide,
      env: person.env,
    });
    const lead = join(person.folder, "lead");
    await until(() => linesOf(lead).length, 1);
    const [tmux = "", pane = ""] = (linesOf(lead)[0] ?? "").split(" ");
    const inside = tmuxDisplay({ team: "atlas", owner: "session-1", place: { kind: "inside", tmux, pane }, env: person.env });
    await inside.open(ask("ada"));
    await inside.open({ ...ask("bo"), argv: ["/bin/sh", "-c", "exit 1"] });
    const during = panes("tool-atlas");
    await until(() => person.tmuxOf("tool-atlas", "list-panes", "-a", "-f", "#{pane_dead}", "-F", "x"), "x");
    person.tmuxOf("tool-atlas", "kill-pane", "-t", "%1");
    await inside.dispose();
    writeFileSync(join(person.folder, "end"), "");
    expect(during).toEqual(["0 %0 100x50 (session-1:lead)", "0 %1 99x24 (session-1:ada)", "0 %2 99x25 (session-1:bo)"]);
    expect([await until(() => isAlive(server.pid), false), person.otherServers()]).toEqual([false, []]);
  });

  it("is shown in the person's terminal, says how to detach, continues after that, and is shown again", async () => {
    const script = "echo the lead is here; while [ ! -e end ]; do sleep 0.05; done";
    const program = [process.execPath, join(process.cwd(), "dist/test/private-team.js"), person.folder, "/bin/sh", "-c", script];
    person.tmuxOf("terminal", "set-option", "-g", "remain-on-exit", "on", ";", "respawn-pane", "-k", "-t", "%0", ...program);
    const seen = () =>
      person
        .screen()
        .filter(Boolean)
        .map((line) => line.replace(/─+/g, "─").trim());
    const shown = ["─ lead ─", "the lead is here", "0 lead  Ctrl-B, then  arrow: other pane   z: zoom   d: leave, the team goes on"];
    const before = await until(() => seen().map((line) => line.replace(/ {4,}/, "  ")), shown);
    person.tmuxOf("terminal", "send-keys", "-t", "%0", "C-b", "d");
    const left = await until(() => seen().includes("detached"), true);
    const again = ["attach", join(person.sockets, `tmux-${process.getuid?.()}`, "tool-atlas")];
    person.tmuxOf("terminal", "respawn-pane", "-k", "-t", "%0", ...program.slice(0, 2), ...again);
    await until(() => seen()[1], "the lead is here");
    writeFileSync(join(person.folder, "end"), "");
    const ended = await until(() => seen().includes("ended"), true);
    expect({ before, left, ended, servers: person.otherServers() }).toEqual({ before: shown, left: true, ended: true, servers: [] });
  });

  it("says so when the terminal cannot show it", async () => {
    const program = ["env", "TERM=dumb", process.execPath, join(process.cwd(), "dist/test/private-team.js")];
    person.tmuxOf("terminal", "set-option", "-g", "remain-on-exit", "on");
    person.tmuxOf("terminal", "respawn-pane", "-k", "-t", "%0", ...program, person.folder, "/bin/sleep", "1000");
    const said = "tmux cannot show the team in this terminal (TERM is dumb).";
    expect(await until(() => person.screen().find((line) => line.startsWith("tmux cannot")), said)).toBe(said);
    const [pid = "", start = ""] = person.tmuxOf("tool-atlas", "display-message", "-p", "#{pid} #{start_time}").split(" ");
    await stopPrivateServer(
      { socket: join(person.sockets, `tmux-${process.getuid?.()}`, "tool-atlas"), pid: Number(pid), start },
      person.env,
    );
  });

  it("is stopped only if it is still the one that was recorded", async () => {
    const server = await startPrivateServer({
      team: "atlas",
      owner: "s",
      leadArgv: ["/bin/sleep", "1000"],
      cwd: "/",
      size: wide,
      env: person.env,
    });
    await stopPrivateServer({ ...server, start: "1" }, person.env);
    const survived = isAlive(server.pid);
    await stopPrivateServer(server, person.env);
    expect([survived, await until(() => isAlive(server.pid), false), person.otherServers()]).toEqual([true, false, []]);
  });
});

describe("a display that cannot be used says what was found and what to do", () => {
  it("the working directory is missing", async () => {
    expect(await refusal(display.open({ ...ask("ada"), cwd: "/no/such" }))).toBe(
      "Cannot start ada in /no/such: there is no such directory. Create it, or start the team elsewhere.",
    );
  });

  it("the program is missing", async () => {
    expect(await refusal(display.open({ ...ask("ada"), argv: ["/no/such", "x"] }))).toBe(
      "Cannot start ada: /no/such is not there or cannot be executed.",
    );
  });

  it("tmux is missing", async () => {
    const nothing = join(person.folder, "home");
    expect(await refusal(detached({ ...person.env, PATH: nothing }).open(ask("ada")))).toBe(
      'Cannot find tmux: no "tmux" on PATH runs. Install tmux 3.2 or newer, or use --display in-process.',
    );
    const gone = tmuxDisplay({ team: "atlas", owner: "s", place: place(), env: { ...person.env, PATH: nothing } });
    expect(await refusal(gone.open(ask("ada")))).toBe(
      "Cannot run tmux: tmux was not found on PATH. Install tmux 3.2 or newer, or use --display in-process.",
    );
  });

  it("tmux is too old", async () => {
    const old = programFolder({ tmux: "#!/bin/sh\necho tmux 3.1c\n" });
    expect(await refusal(detached({ ...person.env, PATH: old }).open(ask("ada")))).toBe(
      "tmux 3.1c is too old: panes of a team need tmux 3.2. Update tmux (and restart its server), or use --display in-process.",
    );
  });

  it("the server is gone", async () => {
    person.tmux("kill-server");
    expect(await refusal(display.open(ask("ada")))).toBe(
      `Cannot open a pane for ada: the tmux server at ${person.socket} is gone. Start tmux again and resume the team.`,
    );
  });

  it("the lead's pane is gone", async () => {
    const other = tmuxDisplay({ team: "atlas", owner: "s", place: { ...place(), pane: "%77" }, env: person.env });
    expect(await refusal(other.open(ask("ada")))).toBe(
      `Cannot open a pane for ada: the lead's own pane, %77, is gone from the tmux server at ${person.socket}.`,
    );
  });

  it("the socket directory is not usable", async () => {
    const folder = join(person.sockets, "home", `tmux-${process.getuid?.()}`);
    mkdirSync(folder, { recursive: true });
    const own = detached({ ...person.env, TMUX_TMPDIR: join(person.sockets, "home") });
    chmodSync(folder, 0o777);
    expect(await refusal(own.open(ask("ada")))).toBe(
      `Cannot use tmux: directory ${folder} has unsafe permissions. Its socket needs a directory of your own with mode 0700 and a short path: correct that directory, or set TMUX_TMPDIR to another.`,
    );
  });

  it("the server does not answer", async () => {
    process.kill(person.pid, "SIGSTOP");
    expect(await refusal(display.open(ask("ada")))).toBe(
      `tmux did not answer "display-message" within 5 s. Check whether its server (${person.socket}) is stopped or overloaded.`,
    );
    process.kill(person.pid, "SIGCONT");
  });

  it("no further window can be opened", async () => {
    const refusing = 'case "$*" in *new-window*) echo "create window failed: fork failed" >&2; exit 1;; esac';
    const passing = `PATH='${person.env["PATH"]}' exec tmux "$@"`;
    const full = programFolder({ tmux: `#!/bin/sh\n${refusing}\n${passing}\n` });
    person.tmux("split-window", "-d", "-t", "%0", "sleep", "1000");
    const env = { ...person.env, PATH: `${full}:${person.env["PATH"]}` };
    const display = tmuxDisplay({ team: "atlas", owner: "s", place: place(), env });
    expect(await refusal(display.open(ask("ada")))).toBe(
      "Cannot open a pane or a further window for ada: create window failed: fork failed.",
    );
  });

  it("the arguments are too long", async () => {
    expect(await refusal(display.open({ ...ask("ada"), argv: ["/bin/echo", "x".repeat(20_000)] }))).toMatch(
      /^Cannot hand \d+ bytes to tmux: it takes at most 16000 in one command\. Shorten the arguments\.$/,
    );
    expect(panes()).toEqual(["1 %0 200x50 ()"]);
  });
});

async function settle(size: { columns: number; rows: number }): Promise<void> {
  vi.unstubAllEnvs();
  person = await personsTmux(size);
  vi.stubEnv("TMPDIR", person.env["TMPDIR"]); // also the folder in which this process leaves files for tmux
  display = beside("session-1");
}

function place() {
  return { kind: "inside" as const, tmux: `${person.socket},${person.pid},0`, pane: person.pane };
}

function beside(owner: string): Display {
  return tmuxDisplay({ team: "atlas", owner, place: place(), env: person.env });
}

function detached(env: Record<string, string>): Display {
  return tmuxDisplay({ team: "atlas", owner: "session-1", place: { kind: "detached", size: wide }, env });
}

function ask(name: string): OpenRequest {
  return { name, argv: ["/bin/sleep", "1000"], cwd: "/", env: {} };
}

/** Window, pane, size and mark of every pane. */
function panes(server = "person"): string[] {
  return person
    .tmuxOf(server, "list-panes", "-a", "-F", "#{window_index} #{pane_id} #{pane_width}x#{pane_height} (#{@tool_owner})")
    .split("\n");
}

function dead(): number {
  return person
    .tmux("list-panes", "-a", "-F", "#{pane_dead}")
    .split("\n")
    .filter((line) => line === "1").length;
}

function lastWords(handles: DisplayHandle[]): Promise<string[]> {
  return Promise.all(handles.map((handle) => display.lastWords(handle)));
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, -1);
  } catch {
    // Not written yet.
    return [];
  }
}

function paneOf(handle: DisplayHandle): string {
  return handle.kind === "tmux" ? handle.pane : never();
}

function serverOf(handle: DisplayHandle): string {
  return handle.kind === "tmux" ? basename(handle.socket) : never();
}

function pidOf(handle: DisplayHandle): number {
  return handle.kind === "tmux" ? handle.panePid : never();
}

function never(): never {
  throw new Error("a display gave a handle of another kind");
}

function identityOf(handle: DisplayHandle): ServerIdentity {
  if (handle.kind !== "tmux") return never();
  return { socket: handle.socket, pid: handle.serverPid, start: handle.serverStart };
}

async function refusal(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isDisplayError(error) ? error.message : `no refusal but ${String(error)}`;
}
