// Lines at the end of the terminal that are redrawn in place while something runs, and removed afterwards.
import type { Terminal } from "./terminal.ts";

const betweenDrawsMs = 200;

/** `lines`: none wider than the terminal, and fewer than its rows. Returns a function that removes them. */
export function liveBlock(terminal: Pick<Terminal, "write" | "every">, lines: () => string[]): () => void {
  let drawn: string[] = [];
  const erase = () => (drawn.length > 0 ? `\r\x1b[${drawn.length}A\x1b[J` : "");
  const draw = () => {
    const now = lines();
    if (now.join("\n") === drawn.join("\n")) return;
    terminal.write(`${erase()}${now.map((line) => `${line}\r\n`).join("")}`);
    drawn = now;
  };
  draw();
  const stop = terminal.every(betweenDrawsMs, draw);
  return () => {
    stop();
    terminal.write(erase());
    drawn = [];
  };
}
