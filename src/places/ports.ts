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
  /** What it says beside its output, such as the words of a queue. */
  onSaid(tell: (text: string) => void): void;
  /** At once, without its doing anything: what it has started elsewhere may live on. */
  kill(): void;
  /** As Ctrl-C in a terminal: it can give back what it has taken, such as a place in a queue. Killed if it does not. */
  end(): void;
  ended: Promise<LinkEnd>;
};

/** One link, from the hands' side. */
export type HandsStream = Pick<LinkProcess, "next"> & { write(line: string): void; close(): void };

/** Where later links find hands. Each is told that it has arrived. */
export type Meeting = { next(): Promise<HandsStream>; close(): void };
export type Meetings = {
  open(path: string): Meeting;
  /** The process of a later link: passes everything on, both ways. Resolves with false if there are no hands. */
  pass(path: string, streams: { input: AsyncIterable<Buffer>; output(text: string): void }): Promise<boolean>;
  sleep(ms: number): Promise<undefined>;
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
  /** A limit, which keeps no process alive. */
  sleep(ms: number): Promise<undefined>;
  /** A pause in work that goes on. */
  pause(ms: number): Promise<undefined>;
};
