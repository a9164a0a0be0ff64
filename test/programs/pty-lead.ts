// A lead with three teammates in the in-process display; prints their pids and keeps running.
import { ptyDisplay } from "../../src/edge/display/pty.ts";

const display = ptyDisplay({ size: { columns: 80, rows: 24 }, env: process.env });
const pids: number[] = [];
for (const name of ["ada", "bo", "cy"]) {
  const handle = await display.open({ name, argv: ["/bin/sleep", "1000"], cwd: "/", env: {} });
  if (handle.kind === "pty") pids.push(handle.pid);
}
process.stdout.write(`${pids.join(" ")}\n`);
