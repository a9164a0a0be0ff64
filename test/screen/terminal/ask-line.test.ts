import { expect, it } from "vitest";
import { askLine } from "../../../src/screen/terminal/ask-line.ts";
import { emulatedTerminal } from "../emulated-terminal.ts";

it("listens before it shows the question, so that an immediate Ctrl-C is an answer and not a signal", async () => {
  const { terminal } = emulatedTerminal(80, 10);
  const order: string[] = [];
  const answer = askLine(
    {
      ...terminal,
      write: (bytes) => void order.push(`write ${bytes.toString()}`),
      listen(onKeys) {
        order.push("listen");
        queueMicrotask(() => onKeys("\x03"));
        return () => void order.push("stop");
      },
    },
    "Go on? ",
  );
  expect(await answer).toBe(undefined);
  expect(order).toEqual(["listen", "write Go on? ", "stop", "write \r\n"]);
});

it("shows what is typed, takes back what is deleted, and answers with Enter alone", async () => {
  const { terminal, type, lines } = emulatedTerminal(80, 10);
  const answer = askLine(terminal, "Which? ");
  type("12");
  type("\x7f");
  type("3");
  expect(await lines()).toEqual(["Which? 13"]);
  type("\r");
  expect(await answer).toBe("13");
});
