// Commands in the sandbox reach hosts that the person allows, by name, while the command waits. Real sessions, a real forge of requests.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { eventually, scratchFolder } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";
import { choose } from "./choose.ts";

const noSandbox = await lacks("sandbox");

async function server(): Promise<number> {
  const made = createServer((request, response) => response.end(`served ${request.url}\n`));
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close());
  return (made.address() as AddressInfo).port;
}

/** As curl asks a proxy; Node has no such client of its own. */
const get = (url: string) =>
  `node -e 'const proxy = new URL(process.env.HTTP_PROXY); require("http").get({ host: proxy.hostname, port: proxy.port, path: "${url}", headers: { host: new URL("${url}").host } }, (answer) => answer.pipe(process.stdout))'`;

it.skipIf(noSandbox)("where nobody is asked a host is refused with the rule that would open it, and the code is 3", async () => {
  const there = teamPlace();
  const port = await server();
  const commands = [get(`http://127.0.0.1:${port}/a`), get("http://registry.invalid/b"), "git push origin main"];
  const api = await provider({ tool: [commands.map((command) => call("Bash", { command })), text("Done.")] });
  const program = there.warm(["--print", "--output-format", "json", "Fetch."], { env: api.env });
  expect(await program.ended).toEqual({ code: 3 });
  const results = toolResults(api.requests("tool")[1]);
  expect(results[0]).toMatch(/only a rule that names it opens it to commands/);
  expect(results[1]).toMatch(/The sandbox's proxy refused this: .*nobody can be asked here.*--allow 'Network\(registry\.invalid\)'/);
  expect(results[2]).toMatch(/^Permission denied: /);
  const { permission_denials: denials } = JSON.parse(program.stdout());
  expect(denials.map(({ tool: name, subject }: { tool: string; subject: string }) => [name, subject])).toEqual([
    ["Network", `127.0.0.1:${port}`],
    ["Network", "registry.invalid:80"],
    ["Bash", "git push origin main"],
  ]);
  expect(program.stderr()).toContain("Network(registry.invalid)");
});

/** npm's side of a registry with one package. */
async function registry(): Promise<number> {
  const folder = scratchFolder();
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package/package.json"), JSON.stringify({ name: "left", version: "1.0.0" }));
  const tarball = execFileSync("tar", ["-czf", "-", "package"], { cwd: folder });
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const made = createServer(({ url = "", headers }, response) => {
    if (url.endsWith(".tgz")) return void response.end(tarball);
    const dist = { tarball: `http://${headers.host}/left/-/left-1.0.0.tgz`, integrity };
    const versions = { "1.0.0": { name: "left", version: "1.0.0", dist } };
    response.statusCode = url === "/left" ? 200 : 404;
    response.end(JSON.stringify({ name: "left", "dist-tags": { latest: "1.0.0" }, versions }));
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close());
  return (made.address() as AddressInfo).port;
}

it.skipIf(noSandbox)("npm installs from a host that a rule opens, and runs scripts, with nothing of it in the home", async () => {
  const there = teamPlace();
  const port = await registry();
  there.write("repo/package.json", JSON.stringify({ scripts: { test: "node --version" } }));
  const commands = [`npm install --no-audit --no-fund --registry=http://127.0.0.1:${port} left && ls node_modules`, "npm test"];
  const api = await provider({ tool: [...commands.map((command) => call("Bash", { command })), text("Done.")] });
  const program = there.warm(["--print", "--allow", "Network(127.0.0.1)", "Install."], { env: api.env });
  expect(await program.ended).toEqual({ code: 0 });
  expect(toolResults(api.requests("tool")[1])).toEqual([expect.stringMatching(/added 1 package[\s\S]*\nleft$/)]);
  expect(toolResults(api.requests("tool")[2])).toEqual([expect.stringContaining(process.version)]);
});

it.skipIf(noSandbox)("a rule opens a host, what went there is in the ledger, and a shared repository opens none", async () => {
  const there = teamPlace();
  const port = await server();
  const api = await provider({ tool: [call("Bash", { command: get(`http://127.0.0.1:${port}/x`) }), text("Done.")] });
  const print = async (...flags: string[]) => {
    const program = there.warm(["--print", ...flags, "Fetch."], { env: api.env });
    return { ...(await program.ended), said: program.stderr() };
  };
  there.write("repo/.tool/settings.json", JSON.stringify({ permissions: { allow: ["Network(127.0.0.1)", "Network"] } }));
  expect((await print("--trust")).code).toBe(3);
  const other = await provider({ tool: [call("Bash", { command: get(`http://127.0.0.1:${port}/x`) }), text("Done.")] });
  const allowed = there.warm(["--print", "--allow", "Network(127.0.0.1)", "Fetch."], { env: other.env });
  expect(await allowed.ended).toEqual({ code: 0 });
  expect(toolResults(other.requests("tool")[1])).toEqual(["served /x"]);
  const privacy = there.warm(["privacy"], { env: {} });
  await privacy.ended;
  expect(privacy.stdout()).toMatch(/by its commands, to 127\.0\.0\.1: [1-9]\d+ bytes sent, [1-9]\d+ received/);
});

it.skipIf(noSandbox)(
  "asks with the host's name while the command waits; its time is not the command's, and the answer counts for the session",
  async () => {
    const there = teamPlace();
    const hosts = ["one.invalid", "two.invalid"];
    const commands = [get("http://one.invalid/"), get("http://one.invalid/"), get("http://two.invalid/")];
    const api = await provider({
      tool: [
        call("Bash", { command: commands[0], timeout_ms: 2_500 }),
        call("Bash", { command: commands[1] }),
        call("Bash", { command: commands[2] }),
        text("Done."),
      ],
    });
    writeFileSync(join(there.repository, "package.json"), "{}");
    const seat = personsTerminal(tool, { env: { ...there.env, ...api.env }, cwd: there.repository, columns: 110, rows: 34 });
    await seat.shows("ready");
    seat.type("fetch\r");
    const asked = (await seat.shows("asks to reach, from the sandbox,")).join("\n");
    expect(asked).toContain(`${hosts[0]}:80`);
    expect(asked).toContain("Network(one.invalid)");
    await new Promise((resolve) => setTimeout(resolve, 3_000)); // longer than the command may take
    await choose(seat, "s");
    await seat.shows("two.invalid:80");
    await choose(seat, "n");
    await seat.shows("Done.");
    const results = [1, 2, 3].map((at) => toolResults(api.requests("tool")[at])[0] ?? "");
    expect(results[0]).toMatch(/one\.invalid cannot be resolved/);
    expect(results[1]).toMatch(/one\.invalid cannot be resolved/);
    expect(results[2]).toMatch(/The person said no/);
    await eventually(() => !existsSync(join(there.repository, ".tool")));
    expect(await seat.leave()).toBe(0);
  },
);

it.skipIf(noSandbox)(
  "with sandbox.network false there is no proxy, and commands that want the network are asked before they run",
  async () => {
    const there = teamPlace();
    there.write("config/settings.json", JSON.stringify({ sandbox: { network: false } }));
    const commands = ["npm install left-pad", "echo proxy: $HTTPS_PROXY"];
    const api = await provider({ tool: [commands.map((command) => call("Bash", { command })), text("Done.")] });
    const program = there.warm(["--print", "Install."], { env: api.env });
    expect((await program.ended).code).toBe(3);
    expect(toolResults(api.requests("tool")[1])).toEqual([expect.stringMatching(/^Permission denied: .*needs the network/), "proxy:"]);
    expect(readFileSync(join(there.configDir, "settings.json"), "utf8")).toContain("network");
  },
);
