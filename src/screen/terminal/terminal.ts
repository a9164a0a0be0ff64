// The port to the terminal. The real one is edge/terminal.ts.

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** Asks the terminal for its current size, because the resize event may not have arrived yet. */
  measure(): void;
  write(bytes: string | Uint8Array): void;
  /** Delivers raw keys until the returned function is called. */
  listen(onKeys: (keys: string) => void): () => void;
  onResize(listener: () => void): () => void;
  /** Called when the terminal is gone. A process that it does not control gets no SIGHUP then. */
  onLost(listener: () => void): void;
  /** Calls the listener repeatedly until the returned function is called; for clocks on the screen. */
  every(ms: number, listener: () => void): () => void;
  /** Calls it soon, once what runs now has gone on as far as it can, unless the returned function is called. */
  afterwards(draw: () => void): () => void;
  /** Stops the process as the shell's Ctrl-Z does, and returns when it continues. The keyboard must be released first. Absent if unsupported. */
  suspend?(): void;
  /** Called when the process continues after another process stopped it. */
  onContinue?(listener: () => void): () => void;
}
