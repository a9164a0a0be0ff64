// Listens to the real terminal at the first SIGUSR1, and prints the first keys as JSON.
import { openTerminal } from "../../src/edge/display/terminal.ts";

const terminal = openTerminal();
if (!terminal) throw new Error("This is no terminal");
const waits = setInterval(() => {}, 1_000);
process.once("SIGUSR1", () => {
  clearInterval(waits);
  const stop = terminal.listen((keys) => {
    stop();
    process.stdout.write(`keys: ${JSON.stringify(keys)}\r\n`, () => process.exit());
  });
});
process.stdout.write("not yet raw\n");
