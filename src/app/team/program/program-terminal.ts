// A program in a pseudo-terminal inside this pane: its bytes go to the pane, the pane's keys go to it, and its end is known.
import type { Clock } from "../../../agent/ports/clock.ts";
import type { Terminal } from "../../../screen/terminal/terminal.ts";
import { type Display, type DisplayHandle, type Focus, type Focusable, focusable, isDisplayError } from "../../../team/display/display.ts";
import type { ProgramState } from "../../../team/program/program-step.ts";
import { UsageError } from "../../world.ts";

export type ProgramTerminalSetup = {
  display: Display;
  /** Null where output goes to a file. */
  terminal: Terminal | null;
  write(text: string | Uint8Array): void;
  cwd: string;
  clock: Pick<Clock, "sleep">;
  /** Something has come from it. */
  onSign(): void;
  /** Its state is another, or it has begun. */
  onChange(): void;
};

export type Command = { name: string; argv: string[]; env: Record<string, string> };

export type ProgramTerminal = {
  state(): ProgramState;
  /** It has ended well, or has run for a while: only then is it known that it could be started. */
  hasBegun(): boolean;
  /** Throws UsageError if it cannot be started here. */
  start(command: Command): Promise<void>;
  /** Writes a line to the program, as a person would type it. */
  type(line: string): void;
  /** Runs a command beside it, whose output is shown too; one at a time. */
  beside(command: Command): Promise<void>;
  end(): Promise<void>;
  close(): void;
};

/** A program that cannot be run has failed by then. */
const beginsMs = 1_000;

type Place = { handle: DisplayHandle; focus: Focus | undefined };

export function programTerminal(setup: ProgramTerminalSetup): ProgramTerminal {
  const display = withPlaces(setup.display);
  const { terminal } = setup;
  let state: ProgramState = { kind: "none" };
  let begun = false;
  let begins = new AbortController();
  let main: Place | undefined;
  let helper: Place | undefined;
  const size = () => ({ columns: terminal?.columns ?? 120, rows: terminal?.rows ?? 40 });
  const open = async ({ name, argv, env }: Command, onEnd: (handle: DisplayHandle) => void): Promise<Place> => {
    try {
      const handle = await display.open({ name, argv, cwd: setup.cwd, env });
      const onBytes = (bytes: Buffer) => {
        setup.write(bytes);
        setup.onSign();
      };
      return { handle, focus: display.attach(handle, { ...size(), onBytes, onEnd: () => onEnd(handle) }) };
    } catch (error) {
      if (isDisplayError(error)) throw new UsageError(error.message);
      throw error;
    }
  };
  const ended = async (handle: DisplayHandle) => {
    const clean = (await display.state(handle)) === "gone";
    const last = await display.lastWords(handle);
    const how = clean ? "ended" : failedWords(last);
    await display.close(handle);
    if (main?.handle !== handle) return; // it was ended by us
    main = undefined;
    state = { kind: "ended", clean, how, unusable: /\(exit status 12[67]\)$/.test(last) };
    begins.abort();
    begun ||= clean;
    setup.onChange();
  };
  const begin = async () => {
    begins.abort();
    begins = new AbortController();
    const { signal } = begins;
    await setup.clock.sleep(beginsMs, signal);
    begun ||= !signal.aborted;
    setup.onChange();
  };
  const stopKeys = terminal?.listen((keys) => main?.focus?.write(keys));
  const stopSize = terminal?.onResize(() => main?.focus?.resize(size()));
  const shut = async (place: Place | undefined) => {
    if (place) await display.close(place.handle);
  };
  return {
    state: () => state,
    hasBegun: () => begun,
    async start(command) {
      state = { kind: "running" };
      void begin();
      main = await open(command, (handle) => void ended(handle));
      if (!main.focus) await ended(main.handle); // it has ended already
    },
    type: (line) => main?.focus?.write(`${line}\r`),
    async beside(command) {
      await shut(helper);
      helper = await open(command, (handle) => void display.close(handle));
    },
    async end() {
      const places = [main, helper];
      [main, helper] = [undefined, undefined];
      if (state.kind === "running") state = { kind: "ended", clean: true, how: "was ended", unusable: false };
      for (const place of places) await shut(place);
    },
    close() {
      begins.abort();
      stopKeys?.();
      stopSize?.();
    },
  };
}

/** The first line says it all where only one is shown. `last`: lines of the program, and how it ended. */
function failedWords(last: string): string {
  const lines = last.split("\n").slice(-6);
  const [end = "", said] = [lines.at(-1), lines.at(-2)];
  const first = said === undefined ? `failed ${end}` : `failed: ${said} ${end}`;
  return lines.length > 2 ? `${first}\nIts last lines were:\n${lines.join("\n")}` : first;
}

function withPlaces(display: Display): Display & Focusable {
  const usable = focusable(display);
  if (!usable) throw new UsageError("Another program as a member needs a pseudo-terminal, which there is none of here.");
  return usable;
}
