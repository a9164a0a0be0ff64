// Links of protected and hidden names that a command takes away: other processes know of them while it runs, and later ones if it, or the
// session that it ran in, is killed meanwhile.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { call, newest, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { eventually } from "../scratch.ts";
import { processesOf, teamPlace } from "../team-kit.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));
const canary = "CANARY-of-the-link";

/** A repository with such links. */
function placeWithLinks() {
  const place = teamPlace();
  const at = (path: string) => join(place.repository, path);
  const put = (path: string, content: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  put("values/dev", canary);
  put("setup", "before");
  mkdirSync(at("cc"));
  for (const [name, target] of Object.entries(links)) symlinkSync(target, at(name));
  return { ...place, at, put };
}

const links = { ".env": "values/dev", ".envrc": "setup", ".cargo": "cc" };

/** A session of a process of its own that runs this: what that said, and the session at its start. */
async function session(place: ReturnType<typeof placeWithLinks>, script: string) {
  place.put("run.sh", script);
  const api = await provider({ tool: [call("Bash", { command: "sh run.sh" }), text("Done.")] });
  const program = place.piped(["--print", "--allow", "Bash(sh run.sh)", "Go on."], { env: api.env, input: "" });
  await program.ended;
  const said = newest(api.requests("tool")[1]);
  return {
    said,
    notices: program
      .stderr()
      .split("\n")
      .filter((line) => line.startsWith("tool: A command")),
  };
}

/** One whose command has done this, and runs on; the process itself does nothing any more. */
async function stopped(place: ReturnType<typeof placeWithLinks>, what: string) {
  place.put("hold.sh", `while [ ! -e go ]; do sleep 0.02; done; ${what}; touch up; sleep 100`);
  const api = await provider({ tool: [call("Bash", { command: "sh hold.sh" })] });
  const program = place.piped(["--print", "--allow", "Bash(sh hold.sh)", "Hold."], { env: api.env, input: "" });
  await eventually(() => processesOf(place.folder).some(({ command }) => command.startsWith("sh hold.sh")));
  process.kill(program.pid, "SIGSTOP");
  writeFileSync(place.at("go"), "");
  await eventually(() => existsSync(place.at("up")));
  return {
    async kill() {
      process.kill(program.pid, "SIGKILL");
      await program.ended;
    },
  };
}

const textAt = (path: string) => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined);
const recorded = ({ configDir }: { configDir: string }) => readdirSync(join(configDir, "sandbox/links")).length;

inSandbox("what a killed session's command has taken away is back at the next start, and what it left in its place is not", async () => {
  const place = placeWithLinks();
  const first = await stopped(place, "rm .env .envrc .cargo; echo evil > .envrc; echo evil > cc/config.toml; echo evil > setup");
  await first.kill();
  const { notices, said } = await session(place, "cat values/dev; echo evil > setup; echo the-end");
  expect(Object.keys(links).map((name) => textAt(place.at(name)))).toEqual(Object.values(links));
  expect([existsSync(place.at("cc/config.toml")), readFileSync(place.at("setup"), "utf8")]).toEqual([false, "before"]);
  expect([said.includes(canary), said.includes("the-end")]).toEqual([false, true]);
  for (const path of [".envrc", "cc/config.toml"]) expect(notices.join("\n")).toMatch(new RegExp(`A command left \\S*/${path} when its`));
  for (const name of Object.keys(links))
    expect(notices).toContain(
      `tool: A command of an earlier session had moved ${place.at(name)}, a link that protects or hides what it leads to. It has been put back.`,
    );
  expect([(await session(place, "true")).notices, recorded(place)]).toEqual([[], 0]);
});

inSandbox.each([
  ["was killed", "killed"],
  ["has ended", "ended"],
])("what a link led to in whose place a command put a file stays covered when the session %s, until it is there again", async (_, how) => {
  const place = placeWithLinks();
  const replace = "touch e; mv e .env";
  if (how === "killed") await (await stopped(place, replace)).kill();
  else await session(place, replace);
  for (const _again of [1, 2]) {
    const { notices, said } = await session(place, "mv values other; cat values/dev; echo the-end");
    expect([said.includes(canary), said.includes("the-end")]).toEqual([false, true]);
    expect(notices).toEqual([
      `tool: A command of an earlier session has taken away the link ${place.at(".env")}. What it led to stays protected from commands: ${place.at("values/dev")}. Put the link back or, if it is to be gone, remove ${join(place.configDir, "sandbox/links")} when no session runs.`,
    ]);
  }
  rmSync(place.at(".env"));
  if (how === "ended") rmSync(join(place.configDir, "sandbox/links"), { recursive: true });
  else {
    symlinkSync("values/dev", place.at(".env"));
    await session(place, "true");
    expect(recorded(place)).toBe(0);
    rmSync(place.at(".env"));
  }
  const { said, notices } = await session(place, "cat values/dev");
  expect([said.includes(canary), notices]).toEqual([true, []]);
});

inSandbox("a link that the person removes between sessions is gone with what it covered", async () => {
  const place = placeWithLinks();
  await session(place, "true");
  rmSync(place.at(".env"));
  const { said, notices } = await session(place, "cat values/dev");
  expect([said.includes(canary), notices, textAt(place.at(".env"))]).toEqual([true, [], undefined]);
});

inSandbox("another process covers what a link led to that a command of the first has taken away", async () => {
  const place = placeWithLinks();
  const first = await stopped(place, "rm .env .envrc");
  const { said } = await session(place, "cat values/dev; echo evil > setup; echo the-end");
  expect([said.includes(canary), said.includes("the-end"), readFileSync(place.at("setup"), "utf8")]).toEqual([false, true, "before"]);
  await first.kill();
  await session(place, "true");
  expect([".env", ".envrc"].map((name) => textAt(place.at(name)))).toEqual(["values/dev", "setup"]);
});

inSandbox("a tree without such links has no file about them", async () => {
  const place = placeWithLinks();
  for (const name of Object.keys(links)) rmSync(place.at(name));
  await session(place, "true");
  expect(existsSync(join(place.configDir, "sandbox/links"))).toBe(false);
});
