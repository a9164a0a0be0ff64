// How a person answers a question in a test, as soon as it takes keys: an arrow first, until a choice is marked, then its letter and Enter.
import { eventually } from "../scratch.ts";

export type Seat = { screen: () => string | string[]; type: (keys: string) => void };

export async function choose(seat: Seat, letter: string): Promise<void> {
  const shows = (marked: RegExp) => marked.test([seat.screen()].flat().join("\n"));
  const press = () => seat.type("\x1b[C");
  press();
  const pressing = setInterval(press, 700); // a key that comes too soon after another one is not the question's
  await eventually(() => shows(/❯ [a-z0-9] /)).finally(() => clearInterval(pressing));
  seat.type(letter);
  await eventually(() => shows(new RegExp(`❯ ${letter} `)));
  seat.type("\r");
}
