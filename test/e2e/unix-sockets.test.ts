// Which of the user's sockets a command can reach in a session: none but those that the user's own settings open, never those of a
// repository's settings.
import { mkdirSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { lacks } from "../needs.ts";
import { programFolder } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

async function reached(files: (socket: string) => Record<string, object>, trust: string[] = []): Promise<string> {
  const place = teamPlace();
  const socket = join(programFolder(), "s");
  const server = net.createServer((each) => each.on("error", () => {}).end("REACHED"));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  for (const folder of [place.configDir, join(place.repository, ".tool")]) mkdirSync(folder, { recursive: true });
  for (const [path, settings] of Object.entries(files(socket))) writeFileSync(join(place.folder, path), JSON.stringify(settings));
  place.write("repo/reach.cjs", connecting);
  const command = `node reach.cjs ${socket}`;
  const api = await provider({ tool: [call("Bash", { command }), text("Done.")] });
  const env = { ...api.env, SSH_AUTH_SOCK: socket };
  const program = place.warm(["--print", ...trust, "--allow", `Bash(${command})`, "Reach."], { env });
  await program.ended;
  return toolResults(api.requests("tool")[1])[0] ?? "";
}

const connecting =
  'require("net").connect(process.argv[2]).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))';

it.skipIf(await lacks("sandbox"))("a command reaches only what the person's own settings open", async () => {
  const opening = (socket: string) => ({ sandbox: { unixSockets: [socket] } });
  expect([
    await reached(() => ({})),
    await reached((socket) => ({ "repo/.tool/settings.json": opening(socket) }), ["--trust"]),
    await reached((socket) => ({ "config/settings.json": opening(socket) })),
    await reached(() => ({ "config/settings.json": { keepEnvironment: ["SSH_AUTH_SOCK"] } })),
    await reached(() => ({ "repo/.tool/settings.json": { sandbox: { unixSockets: "none" } } })),
  ]).toEqual(["ECONNREFUSED", "ECONNREFUSED", "REACHED", "REACHED", "EAFNOSUPPORT"]);
});

it("without the sandbox it reaches them, as doctor and the status line say", async () => {
  expect(await reached(() => ({ "config/settings.json": { sandbox: { enabled: false } } }))).toBe("REACHED");
});
