// A child process that exchanges lines of JSON on its standard input and output. Its input ends if we end in any way, and then it ends too;
// it leads its own group, so that a Ctrl-C for us does not reach it.
import { spawn } from "node:child_process";
import type { LineProcess, LineProcessOrder } from "../../batch/line-process.ts";
import { endGroup } from "./end-group.ts";

/** Time to finish: its commands end, its transcript is written. */
const graceMs = 10_000;
const keptBytes = 2_000;

export function lineProcess({ argv: [program = "", ...args], cwd, env, onLine, signal }: LineProcessOrder): LineProcess {
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  let rest = "";
  let said = "";
  child.stdin.on("error", () => {}); // it has ended, which is reported elsewhere
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-keptBytes);
  });
  const stop = () => {
    child.stdin.end();
    setTimeout(() => void endGroup({ outer: child.pid }, graceMs), graceMs).unref();
  };
  const ended = new Promise<string>((resolve) => {
    child.once("error", ({ message }) => resolve(`it could not be started: ${message}`));
    child.once("close", (code, by) => resolve([code === null ? `ended by ${by}` : `exit ${code}`, said.trim()].filter(Boolean).join(": ")));
  });
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  void ended.then(() => signal.removeEventListener("abort", stop));
  return { write: (line) => void (child.stdin.writable && child.stdin.write(`${line}\n`)), ended };
}
