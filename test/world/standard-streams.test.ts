// The standard streams: written text is passed on or reported as lost, and a closed reader does not end the program.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { ignoreLostStream, output } from "../../src/world/standard-streams.ts";
import { startProgram } from "../scratch.ts";

/** A stream whose writes end with this error. */
function stream(error?: Error) {
  const written: string[] = [];
  const made = new PassThrough() as unknown as NodeJS.WriteStream;
  made.write = ((text: string, done: (error?: Error) => void) => {
    written.push(text);
    setImmediate(() => done(error));
    return true;
  }) as never;
  return { made, written };
}

it("is drained once everything was passed on", async () => {
  const { made, written } = stream();
  const out = output(made);
  out.write("a");
  out.write("b");
  expect([await out.drained(), written]).toEqual(["open", ["a", "b"]]);
});

it("knows that its reader has gone", async () => {
  const { made } = stream(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  const out = output(made);
  out.write("a");
  expect(await out.drained()).toBe("closed");
});

it("asks the terminal for its width each time, and takes 80 columns where there is none", () => {
  const { made } = stream();
  const out = output(made);
  expect([out.isTTY, out.columns]).toEqual([false, 80]);
  made.columns = 120;
  expect(out.columns).toBe(120);
});

it("survives the error of a lost reader or terminal, and no other one", () => {
  for (const code of ["EPIPE", "EIO", "ABORT_ERR"])
    expect(() => ignoreLostStream(Object.assign(new Error("lost"), { code }))).not.toThrow();
  expect(() => ignoreLostStream(Object.assign(new Error("broken"), { code: "EBADF" }))).toThrow("broken");
});

it("hears errors of its stream, so that they do not end the process", () => {
  const { made } = stream();
  output(made);
  expect(() => made.emit("error", Object.assign(new Error("lost"), { code: "EPIPE" }))).not.toThrow();
});

it("ends the process with words, not with a stack trace, at what nobody caught", async () => {
  const { ended, output: said } = startProgram("uncaught", "This has failed.\n");
  expect([await ended, said()]).toEqual([{ code: 1, signal: null }, "This has failed.\n"]);
});
