// GNU screen and kitty with the drivers from docs/: the conformance test, and a team in GNU screen.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call, gate, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually, start, startPiped } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const driver = (program: string) => {
  const script = resolve(`docs/examples/${program}-display.js`);
  return Object.fromEntries(["open", "state", "focus", "label", "close"].map((name) => [name, `node '${script}' ${name}`]));
};

function screenPlace() {
  const place = teamPlace();
  const sockets = mkdtempSync("/tmp/tool-test-"); // with a long TMPDIR, the path of a socket would be too long for screen
  onTestFinished(() => rmSync(sockets, { recursive: true }));
  place.write("config/settings.json", JSON.stringify({ displays: { screen: driver("screen") } }));
  const env = { SCREENDIR: sockets };
  const sessions = () => {
    try {
      return execFileSync("screen", ["-ls"], { env: { ...process.env, ...env }, encoding: "utf8" });
    } catch (error) {
      return String((error as { stdout?: string }).stdout); // it exits with 1 when there are none
    }
  };
  return { place, env, sessions };
}

it.skipIf(await lacks("screen"))("GNU screen conforms, and a team in it works and leaves nothing", async () => {
  const { place, env, sessions } = screenPlace();
  const slow = gate(call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." }));
  const api = await provider({
    lead: [[call("TaskCreate", { title: "Look" }), call("SpawnTeammate", { name: "ada" })], text("ada is at work."), text("Reported.")],
    ada: [slow.answer, text("Done.")],
  });
  const run = place.tool(["team", "--print", "--display", "screen", "Do it."], { env: { ...env, ...api.env } });
  await eventually(() => api.requests("ada").length >= 1);
  const ada = await eventually(() =>
    place
      .team()
      .record()
      ?.members.find(({ name, display }) => name === "ada" && display),
  );
  const { mark = "" } = (ada.display ?? {}) as { mark?: string };
  expect(ada.display).toEqual({ kind: "driver", driver: "screen", id: expect.stringMatching(`^\\d+\\.${mark}$`), mark });
  expect(sessions()).toContain(mark);
  const attach = place.tool(["team", "attach"], { env });
  expect([await attach.ended, attach.output()]).toEqual([{ code: 0, signal: null }, "ada of team atlas is shown.\n"]);
  slow.open();
  expect(await run.ended, run.output()).toMatchObject({ code: 0 });
  await eventually(() => !sessions().includes(mark));

  const test = place.tool(["display", "test", "screen"], { env });
  expect(await test.ended, test.output()).toMatchObject({ code: 0 });
  expect(test.output()).toMatch(/^(✓ .*\n){21}The display "screen" conforms\.\n$/);
  await eventually(() => /No Sockets found/.test(sessions()));
});

it.skipIf(await lacks("kitty"))("kitty conforms, and is lost when it has ended", async () => {
  const place = teamPlace();
  place.write("config/settings.json", JSON.stringify({ displays: { kitty: driver("kitty") } }));
  const server = start(["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24"]);
  const screen = await eventually(() => /^\d+$/m.exec(server.output())?.[0]);
  const socket = join(place.folder, "kitty");
  const env = { ...place.env, DISPLAY: `:${screen}`, LIBGL_ALWAYS_SOFTWARE: "1", XDG_RUNTIME_DIR: place.folder };
  const options = ["--config", "NONE", "-o", "allow_remote_control=yes", "--listen-on", `unix:${socket}`];
  const kitty = start(["kitty", ...options, "sleep", "infinity"], { env });
  await eventually(() => existsSync(socket));
  const test = place.tool(["display", "test", "kitty"], { env: { KITTY_LISTEN_ON: `unix:${socket}` } });
  expect(await test.ended, test.output()).toMatchObject({ code: 0 });
  expect(test.output()).toMatch(/^(✓ .*\n){21}The display "kitty" conforms\.\n$/);
  kitty.child.kill();
  await kitty.ended;
  server.child.kill(); // if killed otherwise, it would leave its lock in /tmp
  await server.ended;
  const state = startPiped([process.execPath, resolve("docs/examples/kitty-display.js"), "state"], {
    env: { ...env, KITTY_LISTEN_ON: `unix:${socket}` },
    cwd: place.folder,
    input: '{ "id": "1", "mark": "m" }',
  });
  expect([await state.ended, state.stdout()]).toEqual([{ code: 0 }, '{"state":"lost"}\n']);
});

it("a repository has no displays, and a driver that answers nonsense starts nobody", async () => {
  const place = teamPlace();
  place.write(
    "repo/.tool/settings.json",
    JSON.stringify({ displays: { mine: { open: "touch ran", state: "touch ran", close: "touch ran" } } }),
  );
  const theirs = place.tool(["display", "test", "mine"]);
  expect([await theirs.ended, theirs.output()]).toEqual([{ code: 2, signal: null }, expect.stringContaining("A project cannot.")]);

  place.write(
    "config/settings.json",
    JSON.stringify({ displays: { odd: { open: 'cat > ../given; env > ../env; echo "pane 3"', state: "true", close: "touch closed" } } }),
  );
  const api = await provider({ lead: [call("SpawnTeammate", { name: "ada" }), text("Nobody starts.")] });
  const run = place.tool(["team", "--print", "--display", "odd", "Do it."], { env: { ...api.env, HOME: join(place.folder, "home") } });
  expect(await run.ended, run.output()).toMatchObject({ code: 1 });
  expect(toolResults(api.requests("lead")[1])).toEqual([
    expect.stringMatching(/^The display "odd" fails at "open": it printed "pane 3", and must print/),
  ]);
  const given = JSON.parse(readFileSync(join(place.folder, "given"), "utf8"));
  expect(given).toMatchObject({ name: "ada", cwd: place.repository, mark: expect.stringMatching(/^tool-[0-9a-f]{12}$/) });
  expect(given.argv[0]).toBe("/usr/bin/env");
  expect(readFileSync(join(place.folder, "env"), "utf8")).not.toMatch(/ANTHROPIC_API_KEY|TOOL_OWNER/);
});
