// `tool hooks`: what it prints about hooks, for people and for scripts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookEvents } from "../../src/settings/hook-settings.ts";
import { teamPlace } from "../team-kit.ts";

async function ran(there: ReturnType<typeof teamPlace>, ...args: string[]) {
  const program = there.piped(["hooks", ...args], { input: "" });
  const { code } = await program.ended;
  return { code, stdout: program.stdout().replaceAll(there.folder, ""), stderr: program.stderr().replaceAll(there.folder, "") };
}

/** Its hooks are programs that can run. */
function withPrograms(there: ReturnType<typeof teamPlace>, ...names: string[]) {
  for (const name of names) writeFileSync(join(there.repository, name), "", { mode: 0o755 });
}

const group = (command: string, matcher?: string) => [{ ...(matcher && { matcher }), hooks: [{ type: "command", command }] }];

function place() {
  const there = teamPlace();
  withPrograms(there, "own", "stop", "theirs");
  there.write("config/settings.json", JSON.stringify({ hooks: { PreToolUse: group("./own", "Bsh"), Stop: group("./stop", "x") } }));
  mkdirSync(join(there.repository, ".tool"));
  writeFileSync(join(there.repository, ".tool/settings.json"), JSON.stringify({ hooks: { PostToolUse: group("./theirs", "Edit|Write") } }));
  return there;
}

describe("tool hooks list", () => {
  it("says which hooks run, which are withheld, where each is defined, and what looks wrong", async () => {
    const there = place();
    expect((await ran(there, "list")).stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  ").trim())).toEqual([
      "PostToolUse  Edit|Write  held back  ./theirs  /repo/.tool/settings.json",
      "PreToolUse  Bsh  runs  ./own  /config/settings.json",
      "Stop  x  runs  ./stop  /config/settings.json",
      'PreToolUse: the tool is never "Bsh"; did you mean "Bash"',
      "Stop: Stop has nothing that a matcher is compared with, so it always runs",
      "1 of this project is held back until you trust it: --trust, or answer in a session.",
      "",
    ]);
    const { hooks } = JSON.parse((await ran(there, "list", "--json", "--trust")).stdout);
    expect(hooks[0]).toEqual({
      event: "PostToolUse",
      matcher: "Edit|Write",
      if: null,
      command: "./theirs",
      timeout: null,
      sandbox: false,
      scope: "project",
      file: "/repo/.tool/settings.json",
      state: "runs",
      warning: null,
    });
  });

  it("says which cannot run, why, and that they block nothing", async () => {
    const there = teamPlace();
    writeFileSync(join(there.repository, "plain"), "", { mode: 0o644 });
    const PreToolUse = [...group("./gone --fast"), ...group("./plain"), ...group("true"), ...group("no-such-guard --fast src/*.ts")];
    PreToolUse.push(...group("no-such-guard --fast"), ...group("FAST=1 no-such-guard"), ...group("env"));
    there.write("config/settings.json", JSON.stringify({ hooks: { PreToolUse, Notification: group("../repo") } }));
    const { code, stdout } = await ran(there, "list");
    expect([code, stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  ").trim())]).toEqual([
      1,
      [
        "PreToolUse  *  cannot run  ./gone --fast  /config/settings.json",
        "PreToolUse  *  cannot run  ./plain  /config/settings.json",
        "PreToolUse  *  runs  true  /config/settings.json",
        "PreToolUse  *  runs  no-such-guard --fast src/*.ts  /config/settings.json",
        "PreToolUse  *  cannot run  no-such-guard --fast  /config/settings.json",
        "PreToolUse  *  runs  FAST=1 no-such-guard  /config/settings.json",
        "PreToolUse  *  runs  env  /config/settings.json",
        "Notification  *  cannot run  ../repo  /config/settings.json",
        "PreToolUse: cannot run and blocks nothing: /repo/gone is missing",
        "PreToolUse: cannot run and blocks nothing: /repo/plain is not executable; chmod +x /repo/plain",
        "PreToolUse: cannot run and blocks nothing: no-such-guard is not on PATH",
        "Notification: cannot run: /repo is a folder",
        "",
      ],
    ]);
    const { ok, hooks } = JSON.parse((await ran(there, "list", "--json")).stdout);
    expect([ok, ...hooks.map(({ state, warning }: { state: string; warning: string | null }) => [state, warning])]).toEqual([
      false,
      ["cannot run", "cannot run and blocks nothing: /repo/gone is missing"],
      ["cannot run", "cannot run and blocks nothing: /repo/plain is not executable; chmod +x /repo/plain"],
      ["runs", null],
      ["runs", null],
      ["cannot run", "cannot run and blocks nothing: no-such-guard is not on PATH"],
      ["runs", null],
      ["runs", null],
      ["cannot run", "cannot run: /repo is a folder"],
    ]);
  });

  it("says how to write one if there is none", async () => {
    expect((await ran(teamPlace(), "list")).stdout).toMatch(
      /^There are no hooks here\. They run at SessionStart, UserPromptSubmit, .*\. How to write one: tool hooks --help\n$/,
    );
  });
});

describe("tool hooks schema", () => {
  it("prints every event, or one, with what its hooks read and may print", async () => {
    const there = teamPlace();
    const all = JSON.parse((await ran(there, "schema")).stdout);
    expect(all.events.map(({ event }: { event: string }) => event)).toEqual(hookEvents);
    const { events, output } = JSON.parse((await ran(there, "schema", "PreToolUse")).stdout);
    expect([events.length, Object.keys(events[0].input.properties), Object.keys(output.properties)]).toEqual([
      1,
      expect.arrayContaining(["hook_event_name", "session_id", "tool_name", "tool_input"]),
      ["decision", "reason", "updated_input", "additional_context", "continue", "stop_reason", "system_message", "suppress_output"],
    ]);
  });

  it("names the nearest event to an unknown one", async () => {
    expect(await ran(teamPlace(), "schema", "PreTolUse")).toMatchObject({
      code: 2,
      stderr: 'tool: cannot print the schema of "PreTolUse": there is no such event. Did you mean PreToolUse?\n',
    });
  });
});

it("names a hook that cannot be understood, and lists it beside the others, which run", async () => {
  const there = teamPlace();
  withPrograms(there, "own");
  const asks = [{ matcher: "Bash", hooks: [{ type: "prompt", prompt: "Safe?" }] }, ...group("./own")];
  there.write("config/settings.json", JSON.stringify({ hooks: { PreToolUs: group("./x"), PreToolUse: asks } }));
  const { code, stdout } = await ran(there, "list");
  expect([code, stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  ").trim())]).toEqual([
    1,
    [
      "PreToolUse  *  runs  ./own  /config/settings.json",
      'PreToolUse  Bash  left out  an entry of type "prompt"  /config/settings.json',
      "PreToolUs  *  left out  all its entries  /config/settings.json",
      'PreToolUse: is left out and blocks nothing: its "type" must be "command"',
      'PreToolUs: is left out: there is no event of that name here; did you mean "PreToolUse"',
      "",
    ],
  ]);
  const doctor = there.piped(["doctor"], { input: "" });
  await doctor.ended;
  expect(doctor.stdout()).toContain('is left out and blocks nothing: its "type" must be "command"');
});
