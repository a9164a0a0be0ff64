// Opens a teammate in the in-process display and prints the display's error when that fails.
import { ptyDisplay } from "../../src/edge/display/pty.ts";

const display = ptyDisplay({ size: { columns: 80, rows: 24 }, env: process.env });
const request = { name: "ada", argv: ["/bin/sh", "-c", "exit 0"], cwd: "/", env: {} };
const outcome = await display.open(request).then(
  () => "opened",
  (error: Error) => error.message,
);
process.stdout.write(`${outcome}\n`);
