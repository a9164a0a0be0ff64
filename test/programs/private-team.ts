// Does the same as `tool team` outside tmux: starts a server of the team's own, shown in this terminal; or with `attach`, shows an existing
// one. Prints the result.
import { attach } from "../../src/edge/display/tmux/attach.ts";
import { startPrivateServer } from "../../src/edge/display/tmux/server.ts";

const [first = "", ...rest] = process.argv.slice(2);
const socket = first === "attach" ? (rest[0] ?? "") : await started(first, rest);
const how = await attach(socket, process.env).catch((error: Error) => error.message);
process.stdout.write(`${how}\n`);

async function started(cwd: string, leadArgv: string[]): Promise<string> {
  const size = { columns: process.stdout.columns, rows: process.stdout.rows };
  return (await startPrivateServer({ team: "atlas", owner: "session-1", leadArgv, cwd, size, env: process.env })).socket;
}
