// A program that loses its terminal at the last moment: after its own check at exit, before Node's. Argument: a file that it then writes.
import { writeFileSync } from "node:fs";
import { isatty } from "node:tty";
import { closeLostTerminals, exitWith, ignoreLostStream } from "../../src/world/standard-streams.ts";

const [, , sign = ""] = process.argv;
process.on("SIGHUP", () => {});
process.stdin.on("error", ignoreLostStream);
closeLostTerminals();
process.stdin.setRawMode(true);
process.on("exit", () => {
  writeFileSync(sign, "");
  while (isatty(0)); // until the other end is closed
});
exitWith(0);
