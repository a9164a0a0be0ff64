// A first session without a key: the form in a real pseudo-terminal, tried against a provider on loopback, and what is kept of it.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type RecordedRequest, refusal, startMessagesApi, text } from "../messages-api.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { aboutWork, teamPlace, tool } from "../team-kit.ts";

const [enter, down, clear, leave] = ["\r", "\x1b[B", "\x15", "\x1b"];
const wrongKey = "wrong-4711-wrong-4711";
const rightKey = "right-0815-right-0815";

const answer = ({ headers, body }: RecordedRequest) => {
  if (headers.authorization !== `Bearer ${rightKey}`) return refusal(401, "authentication_error", "invalid x-api-key");
  return body.model === "claude-nothing" ? refusal(404, "not_found_error", "model: claude-nothing") : text("Hello.");
};

async function place() {
  const api = await startMessagesApi({ reply: async (request) => answer(request) });
  onTestFinished(api.close);
  const there = teamPlace();
  const sit = () => personsTerminal(tool, { env: there.env, cwd: there.repository, columns: 80, rows: 24 });
  const piped = async (args: string[], env: Record<string, string> = {}) => {
    const program = there.warm(args, { env });
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: aboutWork(program.stderr()) };
  };
  return { api, there, sit, piped };
}

it("asks for what it needs, says what is wrong with it, and begins; the key is shown and kept nowhere else", async () => {
  const { api, there, sit, piped } = await place();
  const seat = sit();
  await seat.shows("Before the first session");
  seat.type(`${wrongKey}${down}${down}${clear}http://127.0.0.1:1${enter}`);
  await seat.shows("No connection to http://127.0.0.1:1 (ECONNREFUSED).");
  seat.type(`${clear}${api.url}${enter}`);
  await seat.shows("refuses this key (401). It says: invalid x-api-key.");
  seat.type(`${clear}\x1b[200~${rightKey}\n\x1b[201~${down}${down}${down}${clear}claude-nothing${enter}`);
  await seat.shows('knows no model "claude-nothing"');
  seat.type(`${clear}haiku${enter}`);
  await seat.shows("ready");
  seat.type(`hi${enter}`);
  await seat.shows("Hello.");
  await seat.leave();
  expect(seat.everything().join("\n")).not.toMatch(/4711|0815/);
  const files = readdirSync(there.configDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const holding = paths.filter((path) => /4711|0815/.test(readFileSync(path, "utf8")));
  expect(holding.map((path) => [path, statSync(path).mode & 0o777])).toEqual([[join(there.configDir, "key.json"), 0o600]]);
  expect(JSON.parse(readFileSync(join(there.configDir, "settings.json"), "utf8"))).toEqual({
    model: "haiku",
    apiBaseUrl: api.url,
    sandbox: { autoAllow: true },
  });

  expect(await piped(["--print", "hi"])).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
  const doctor = await piped(["doctor"]);
  expect(doctor.stdout).toContain(`the key comes from ${there.configDir}/key.json, for ${api.url}; it was not tried`);
  const elsewhere = await piped(["--print", "hi"], { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" });
  expect(elsewhere).toMatchObject({ code: 2, stdout: "" });
  expect(elsewhere.stderr).toContain(`the key in ${there.configDir}/key.json is for ${api.url}, and is not sent to http://127.0.0.1:1.`);
});

it("names the ways where nobody can be asked, or the person leaves the form", async () => {
  const { there, sit, piped } = await place();
  const ways = /no key for the model provider\. Start a session on a terminal .* set ANTHROPIC_API_KEY .* apiKeyHelper in your settings/;
  expect(await piped(["--print", "hi"])).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(ways) });
  const seat = sit();
  await seat.shows("Before the first session");
  seat.type(leave);
  expect(await seat.ended).toBe(2);
  const left = seat.screen().join(" ").replaceAll(/\s+/g, " ");
  expect(left).toMatch(/[Yy]ou have left the form without a key for the model provider\. To see it again: /);
  expect(left).not.toContain("Start a session on a terminal");
  expect(existsSync(join(there.configDir, "key.json"))).toBe(false);
});
