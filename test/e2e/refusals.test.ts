// What cannot start says so in a sentence and exits with 2, and writes nothing before that.
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { programFolder, smallDisk, start } from "../scratch.ts";
import { type Place, teamPlace, tool } from "../team-kit.ts";

const noOwnDisk = await lacks("a file system of its own");

const key = { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };

describe("teams are not enabled", () => {
  const commands = [
    ["team"],
    ["team", "Fix the failing tests"],
    ["team", "--demo", "--print"],
    ["team", "create", "atlas", "--members", "ann"],
    ["team", "create"],
  ];

  it("commands about an existing team work anyway", async () => {
    const place = teamPlace();
    await place.warm(["team", "create", "atlas", "--members", "ann"]).ended;
    const off = { TOOL_EXPERIMENTAL_AGENT_TEAMS: "" };
    const codeOf = async (args: string[]) => (await place.warm(["team", ...args], { env: off }).ended).code;
    expect(await codeOf(["task", "create", "--title", "One"])).toBe(0);
    const words = [
      ...["list", "status", "tasks", "log", "report", "answer"].map((name) => [name]),
      ["task", "list"],
      ["task", "get", "task-1"],
      ["inbox", "--as", "ann"],
      ["send", "ann", "hello"],
    ];
    expect(await Promise.all(words.map(codeOf))).toEqual(words.map(() => 0));
    const attached = await refusal(place, ["team", "attach"], off);
    expect(attached.said).toMatch(/^tool: team atlas is not in tmux/);
    const resumed = await refusal(place, ["team", "--resume", "gone", "--print"], off);
    expect(resumed.said).toMatch(/^tool: cannot resume team "gone": there is no such team/);
  });

  it("a command that would start a team says how to enable teams, and writes no file", async () => {
    const place = teamPlace();
    const ends = await Promise.all(commands.map((command) => refusal(place, command, { TOOL_EXPERIMENTAL_AGENT_TEAMS: "0" })));
    const said =
      "tool: teams are an experimental feature and off. Set TOOL_EXPERIMENTAL_AGENT_TEAMS=1 to enable them. Nothing was started.\n";
    expect(ends).toEqual(commands.map(() => ({ code: 2, said, wrote: false })));
  });

  it("--help works anyway", async () => {
    const place = teamPlace();
    const runs = [
      ["team", "--help"],
      ["team", "send", "--help"],
    ].map((args) => place.warm(args, { env: { TOOL_EXPERIMENTAL_AGENT_TEAMS: "" } }));
    expect(await Promise.all(runs.map(async (run) => [(await run.ended).code, run.output().split("\n")[0]]))).toEqual([
      [0, "Usage: tool team [options] [command] [prompt]"],
      [0, "Usage: tool team send [options] <to> <text>"],
    ]);
  });
});

describe("a team is not started", () => {
  const print = ["team", "--print", "Do the work."];

  it("without a key, and no provider is asked", async () => {
    expect(await refusal(teamPlace(), print)).toEqual({
      code: 2,
      said: "tool: no key for the model provider. Start a session on a terminal to be asked for one, set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN for a gateway with tokens of its own), or name a command that prints it as apiKeyHelper in your settings. ANTHROPIC_BASE_URL names another server. Nothing was started.\n",
      wrote: false,
    });
  });

  it("with a display that does not exist: the four are listed, and where the name came from", async () => {
    const place = teamPlace();
    const four = "Use one of auto, tmux, iterm2, in-process. Nothing was started.\n";
    expect([
      await refusal(place, [...print, "--display", "screen"], key),
      await refusal(place, print, { ...key, TOOL_DISPLAY_MODE: "Tmux" }),
    ]).toEqual([
      { code: 2, said: `tool: unknown display "screen" (from --display). ${four}`, wrote: false },
      { code: 2, said: `tool: unknown display "Tmux" (from TOOL_DISPLAY_MODE). ${four}`, wrote: false },
    ]);
  });

  it.skipIf(process.platform === "darwin")("in iTerm2 if it is missing", async () => {
    const { code, said, wrote } = await refusal(teamPlace(), [...print, "--display", "iterm2"], key);
    expect([code, said.split("\n")[0], wrote]).toEqual([
      2,
      "tool: cannot start the team in iterm2 mode: iTerm2 runs on macOS only, and this is Linux.",
      false,
    ]);
  });

  it("in tmux mode without tmux, or with one that is too old; another display is never taken in its place", async () => {
    const place = teamPlace();
    const found = "tool: cannot start the team in tmux mode:";
    expect([
      await refusal(place, [...print, "--display", "tmux"], { ...key, PATH: pathWithout() }),
      await refusal(place, [...print, "--display", "tmux"], { ...key, PATH: pathWithOldTmux(place) }),
    ]).toEqual([
      { code: 2, said: `${found} tmux is not installed.\n      Use --display in-process.\n`, wrote: false },
      { code: 2, said: `${found} tmux 3.1 is too old, 3.2 is needed.\n      Use --display in-process.\n`, wrote: false },
    ]);
  });

  it("in a working directory that does not exist", async () => {
    const place = teamPlace();
    const command = ["/bin/sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", ...tool, ...print];
    const run = start(command, { env: { ...place.env, ...key }, cwd: place.folder });
    expect([(await run.ended).code, run.output(), existsSync(place.configDir)]).toEqual([
      2,
      "tool: the working directory no longer exists. Change into one that does.\n",
      false,
    ]);
  });

  it("without a prompt and without a terminal, with an argument too many, or with a word that looks like a command", async () => {
    const place = teamPlace();
    expect([
      await refusal(place, ["team", "--print"], key),
      await refusal(place, ["team", "--print", "Do", "it"], key),
      await refusal(place, ["team", "--print", "statsu"], key),
    ]).toEqual([
      { code: 2, said: 'tool: nothing to do: give a prompt, such as tool --print "Explain this project", or pipe one in.\n', wrote: false },
      { code: 2, said: 'tool: 2 words were given where one prompt is expected. Put it in quotes: tool team "Do it"\n', wrote: false },
      { code: 2, said: expect.stringMatching(/^tool: "statsu" is not a command of tool team \(create, /), wrote: false },
    ]);
  });

  it.skipIf(noOwnDisk)("if its files cannot be written, or the disk is full", async () => {
    const [readOnly, full] = [smallDisk("size=64k"), smallDisk("nr_inodes=3")];
    readOnly.remount("ro");
    const place = teamPlace();
    place.write("file", "not a folder");
    const ends = [readOnly.folder, full.folder, join(place.folder, "file")].map(async (folder) => {
      const { code, said } = await refusal(place, print, { ...key, TOOL_CONFIG_DIR: folder });
      return [code, said.replaceAll(folder, "THERE")];
    });
    const advice = (there: string) => `Sessions and teams are kept in THERE: ${there}, or set TOOL_CONFIG_DIR to another folder.\n`;
    expect(await Promise.all(ends)).toEqual([
      [1, `tool: cannot use THERE/teams: the file system is read-only. ${advice("make it writable")}`],
      [1, `tool: cannot use THERE/teams/atlas/lock: the disk is full. ${advice("make room there")}`],
      [1, `tool: cannot use THERE/teams: a part of the path is a file. ${advice("move the file away that is in its place")}`],
    ]);
  });
});

it("auto without a usable tmux chooses another display, and says why", async () => {
  const place = teamPlace();
  const api = await provider({ lead: [text("Nothing to do here.")] });
  const opening = async (path: string) => {
    const run = place.warm(["team", "--print", "Look around."], { env: { ...api.env, PATH: path } });
    const { code } = await run.ended;
    return [code, run.output().split(". Stop")[0]];
  };
  expect([await opening(pathWithout()), await opening(pathWithOldTmux(place))]).toEqual([
    [0, "Team atlas: in this terminal (tmux is not installed)"],
    [0, "Team birch: in this terminal (tmux 3.1 is too old, 3.2 is needed)"],
  ]);
});

async function refusal(place: Place, args: string[], env: Record<string, string> = {}) {
  const run = place.warm(args, { env });
  const { code } = await run.ended;
  return { code, said: run.output(), wrote: existsSync(place.configDir) };
}

function pathWithout(): string {
  const folder = programFolder();
  symlinkSync("/bin/bash", join(folder, "bash"));
  return folder;
}

function pathWithOldTmux(place: Place): string {
  return `${programFolder({ tmux: "#!/bin/sh\necho tmux 3.1\n" })}:${place.env["PATH"]}`;
}
