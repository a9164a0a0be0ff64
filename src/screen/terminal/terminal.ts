// The terminal as the screen needs it; edge/terminal.ts is the real one.

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** Asks the terminal for its size now: the notice of a change may still be on its way. */
  measure(): void;
  write(bytes: string | Uint8Array): void;
  /** Raw keys until the returned function is called. */
  listen(onKeys: (keys: string) => void): () => void;
  onResize(listener: () => void): () => void;
  /** Calls the listener again and again, for clocks on the screen, until the returned function is called. */
  every(ms: number, listener: () => void): () => void;
  /** Stops the process as the shell's Ctrl-Z does; returns when it continues. The keyboard was given back before. Absent if it cannot be. */
  suspend?(): void;
  /** The process was stopped by somebody else and continues. */
  onContinue?(listener: () => void): () => void;
}
