// How a person in a test answers a question once it is on the screen: with a digit, or with a typed word and Enter.
import { eventually } from "../scratch.ts";

export type Seat = { screen: () => string | string[]; type: (keys: string) => void };

export async function choose(seat: Seat, word: string): Promise<void> {
  await until(seat, "a marked choice", (screen) => /❯ \d {2}/.test(screen));
  seat.type(/^[1-9]$/.test(word) ? word : `${word}\r`);
}

/** Waits until a question is open above a line that keeps the keys. */
export async function untilAskedWhileTyping(seat: Seat): Promise<void> {
  await until(seat, lineHint, (screen) => screen.replaceAll(/\s+/g, " ").includes(lineHint));
}

const lineHint = "send or clear your line to answer";

async function until(seat: Seat, wanted: string, holds: (screen: string) => boolean): Promise<void> {
  const screen = () => [seat.screen()].flat().join("\n");
  await eventually(() => holds(screen())).catch(() => {
    throw new Error(`The screen never had ${wanted}:\n${screen()}`);
  });
}
