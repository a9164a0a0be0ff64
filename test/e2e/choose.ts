// How a person in a test answers a question as soon as it accepts keys: arrows until a choice is marked, then its letter and Enter.
import { eventually } from "../scratch.ts";

export type Seat = { screen: () => string | string[]; type: (keys: string) => void };

export async function choose(seat: Seat, letter: string): Promise<void> {
  const press = () => seat.type("\x1b[C");
  press();
  const pressing = setInterval(press, 700); // a question ignores a key that follows another one too quickly
  await until(seat, "a marked choice", (screen) => /❯ [a-z0-9] /.test(screen)).finally(() => clearInterval(pressing));
  seat.type(`${letter}\r`); // at once: a letter alone counts after half a second, and by then the mark may be gone
}

const turnHint = "Esc moves to the question";

/** Goes from a half-typed line to the question once that accepts keys: the status line may mention it before it is open. */
export async function turnToQuestion(seat: Seat): Promise<void> {
  await until(seat, turnHint, (screen) => screen.includes(turnHint));
  seat.type("\x1b");
  await until(seat, `no "${turnHint}"`, (screen) => !screen.includes(turnHint));
}

async function until(seat: Seat, wanted: string, holds: (screen: string) => boolean): Promise<void> {
  const screen = () => [seat.screen()].flat().join("\n");
  await eventually(() => holds(screen())).catch(() => {
    throw new Error(`The screen never had ${wanted}:\n${screen()}`);
  });
}
