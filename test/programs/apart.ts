// Runs a program in a session of its own, which its terminal does not control, and writes its exit code to a file. Arguments: file, program, ….
import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";

const [, , codeFile = "", program = "", ...args] = process.argv;
process.on("SIGHUP", () => {}); // this process still is the terminal's own
spawn(program, args, { detached: true, stdio: "inherit" }).on("exit", (code, signal) => {
  writeFileSync(`${codeFile}.new`, `${code ?? signal}`);
  renameSync(`${codeFile}.new`, codeFile); // who waits for the file finds it whole
});
