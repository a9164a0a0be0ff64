// The ports of a place: a process that leads there, and the program that is sent.

export type LinkEnd =
  | { kind: "exited"; code: number; stderr: string }
  | { kind: "killed"; by: string; stderr: string }
  /** The command itself is not there, or may not be run. */
  | { kind: "not started"; reason: string };

/** A running command of a place. */
export type LinkProcess = {
  write(bytes: Buffer | string): void;
  /** The next bytes of its output; undefined once there are no more. */
  next(): Promise<Buffer | undefined>;
  closeInput(): void;
  kill(): void;
  ended: Promise<LinkEnd>;
};

/** This program as one compressed text, and the hash of what is in it. */
export type ProgramPack = { hash: string; bytes(): Buffer };

export type PlacePorts = {
  run(argv: string[]): LinkProcess;
  program(): ProgramPack;
  /** The source of the second step, which runs at the place (edge/places/second-step.js). */
  secondStep: string;
  /** A word that nothing else prints. */
  newWord(): string;
  monotonicMs(): number;
  sleep(ms: number): Promise<undefined>;
};
