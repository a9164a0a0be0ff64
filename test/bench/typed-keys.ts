// A program on a pseudo-terminal, and how soon it echoes typed keys: the time from a byte in to that byte out.
import { setTimeout as pause } from "node:timers/promises";
import { spawn as spawnPty } from "@lydell/node-pty";

export type Typist = {
  pid: number;
  write(keys: string): void;
  /** Returns when the text has been shown. */
  shown(what: string): Promise<void>;
  /** What has been shown so far counts no more. */
  forget(): void;
  /** Types that many keys, one every `gapMs`, and returns the milliseconds until each was echoed. */
  type(keys: number, gapMs: number): Promise<number[]>;
  end(): Promise<void>;
};

export function openTypist(args: string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Typist {
  const pty = spawnPty(process.execPath, args, { name: "xterm-256color", cols: 100, rows: 40, cwd, env });
  const ended = new Promise<void>((done) => pty.onExit(() => done()));
  let output = "";
  let onOutput = () => {};
  pty.onData((bytes) => {
    output = (output + bytes).slice(-100_000);
    onOutput();
  });
  const shown = (what: string) =>
    new Promise<void>((done) => {
      onOutput = () => output.includes(what) && done();
      onOutput();
    });
  return {
    pid: pty.pid,
    write: (keys) => pty.write(keys),
    shown,
    forget() {
      output = "";
    },
    async type(keys, gapMs) {
      const took: number[] = [];
      for (let key = 0; key < keys; key++) {
        const sign = String.fromCodePoint(0x4e00 + key); // a character that appears nowhere else on the screen
        const from = performance.now();
        pty.write(sign);
        await shown(sign);
        took.push(performance.now() - from);
        await pause(gapMs);
      }
      return took;
    },
    async end() {
      pty.kill("SIGKILL");
      await ended;
    },
  };
}
